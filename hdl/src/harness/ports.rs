//! What rust-hdl's probe tells about a block: its ports, with their Verilog names, widths and values.

use rust_hdl::prelude::{Atom, AtomKind, Block, Clock, In, Probe, Signal};

/// A port of the block under test, other than its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Port {
    /// Its name in the Verilog.
    pub(super) name: String,
    pub(super) width: usize,
    pub(super) output: bool,
}

impl Port {
    /// A port takes whole hex digits in a vector.
    pub(super) const fn digits(&self) -> usize {
        self.width.div_ceil(4)
    }
}

/// What went in and out of a block, cycle by cycle: a line of hex digits each, the first port first.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) ports: Vec<Port>,
    pub(super) clock: Option<String>,
    clock_id: Option<usize>,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
}

impl Recording {
    pub(super) fn of(uut: &dyn Block, clock: Option<&Signal<In, Clock>>) -> Recording {
        let mut recording = Recording {
            ports: Vec::new(),
            clock: None,
            clock_id: clock.map(Atom::id),
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        visit_ports(uut, |name, atom| {
            if Some(atom.id()) == recording.clock_id {
                recording.clock = Some(name());
                return;
            }
            let output = match atom.kind() {
                AtomKind::InputParameter => false,
                AtomKind::OutputParameter => true,
                kind => panic!("port {} is {kind:?}: the harness knows inputs and outputs only", name()),
            };
            recording.ports.push(Port {
                name: name(),
                width: atom.bits(),
                output,
            });
        });
        recording
    }

    /// Adds the values that a settled block has now.
    pub(super) fn record(&mut self, uut: &dyn Block) {
        let (mut inputs, mut outputs) = (String::new(), String::new());
        visit_ports(uut, |_, atom| {
            if Some(atom.id()) != self.clock_id {
                let line = match atom.kind() {
                    AtomKind::OutputParameter => &mut outputs,
                    _ => &mut inputs,
                };
                push_value(line, atom);
            }
        });
        self.inputs.push(inputs);
        self.outputs.push(outputs);
    }

    pub(super) fn cycles(&self) -> usize {
        self.inputs.len()
    }
}

/// The signals of the block and all its parts that changed in the last pass.
pub(super) fn changing(uut: &dyn Block) -> Vec<String> {
    let mut names = Vec::new();
    walk(uut, &mut |name, _, atom| {
        if atom.changed() {
            names.push(name());
        }
    });
    names.dedup();
    names
}

fn push_value(line: &mut String, atom: &dyn Atom) {
    // `8'h2a`; an enum says 64 bits, so the width is the atom's.
    let literal = format!("{:x}", atom.verilog());
    let digits = literal.rsplit('h').next().unwrap_or_default();
    let width = atom.bits().div_ceil(4);
    line.extend(std::iter::repeat_n('0', width.saturating_sub(digits.len())));
    line.push_str(digits);
}

fn visit_ports(uut: &dyn Block, mut visit: impl FnMut(&dyn Fn() -> String, &dyn Atom)) {
    walk(uut, &mut |name, depth, atom| {
        if depth == 1 && atom.kind().is_parameter() {
            visit(name, atom);
        }
    });
}

fn walk(uut: &dyn Block, visit: &mut Visitor<'_>) {
    let mut walk = Walk {
        path: Vec::new(),
        namespace: Vec::new(),
        visit,
    };
    uut.accept("uut", &mut walk);
}

/// Hears of each signal: its name (below the block under test), how deep its block is, and itself.
type Visitor<'a> = dyn FnMut(&dyn Fn() -> String, usize, &dyn Atom) + 'a;

/// Names signals as rust-hdl's Verilog generator does: joined by `$`.
struct Walk<'a> {
    path: Vec<String>,
    namespace: Vec<String>,
    visit: &'a mut Visitor<'a>,
}

impl Probe for Walk<'_> {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.path.push(name.to_owned());
        self.namespace.clear();
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.path.pop();
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespace.push(name.to_owned());
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let (path, namespace) = (&self.path, &self.namespace);
        let full = || {
            let parts = path.iter().skip(1).chain(namespace).map(String::as_str);
            parts.chain([name]).collect::<Vec<&str>>().join("$")
        };
        (self.visit)(&full, path.len(), atom);
    }
}
