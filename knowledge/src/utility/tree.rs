//! Finite game trees, in which positions have names and games end in known values.

use std::collections::HashMap;

use bluebelle_spec::Color;

use crate::vocabulary::Value;

/// A position of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The name, as a figure has it; the value itself for the end of a game.
    pub name: String,
    /// What is there.
    pub kind: Kind,
}

/// What a position of a tree is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The game is over; the value is White's.
    End(Value),
    /// A side is to move.
    Choice {
        /// The side.
        mover: Color,
        /// Where the moves lead, by number; never empty.
        successors: Vec<usize>,
    },
}

/// A finite game tree. Branches may meet again, as Figure 5 of Michie's paper has it, but no line of
/// play returns to where it was. Nodes have numbers, and every successor has a smaller one.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
    names: HashMap<String, usize>,
}

/// A node with the names of its successors: what a tree is built from. A successor `+1`, `0` or
/// `-1` is the end of a game with that value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The node's name.
    pub name: String,
    /// Who moves there.
    pub mover: Color,
    /// Where the moves lead.
    pub successors: Vec<String>,
}

/// Why branches are no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// No branches at all.
    #[error("the tree is empty: expected a node at least")]
    Empty,
    /// A name with two meanings.
    #[error("two nodes are called '{0}'")]
    Twice(String),
    /// A move to nowhere.
    #[error("'{from}' leads to '{to}', which is no node and none of +1, 0, -1")]
    Unknown {
        /// Where the move begins.
        from: String,
        /// Where it would end.
        to: String,
    },
    /// A position without moves whose value is not said.
    #[error("'{0}' has no successors: write its value in its place")]
    Leafless(String),
    /// A line of play that returns.
    #[error("a line of play returns to '{0}': a tree is finite")]
    Cycle(String),
}

impl Tree {
    /// The tree whose root is the first branch.
    ///
    /// # Errors
    /// If the branches are no finite tree.
    pub fn new(branches: &[Branch]) -> Result<Tree, TreeError> {
        let mut by_name = HashMap::new();
        for branch in branches {
            if by_name.insert(branch.name.as_str(), branch).is_some() || end_of(&branch.name).is_some() {
                return Err(TreeError::Twice(branch.name.clone()));
            }
        }
        for branch in branches {
            let known = |name: &&String| by_name.contains_key(name.as_str()) || end_of(name).is_some();
            if let Some(to) = branch.successors.iter().find(|name| !known(name)) {
                let (from, to) = (branch.name.clone(), to.clone());
                return Err(TreeError::Unknown { from, to });
            }
            if branch.successors.is_empty() {
                return Err(TreeError::Leafless(branch.name.clone()));
            }
        }
        if branches.is_empty() {
            return Err(TreeError::Empty);
        }
        let mut tree = Tree {
            nodes: Vec::new(),
            names: HashMap::new(),
        };
        // Nodes are numbered once all their successors are. A round that numbers no node has found
        // a cycle. The root comes last, so that its number is the greatest.
        let mut waiting: Vec<&Branch> = branches.iter().rev().collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting.retain(|branch| !tree.add(branch));
            if waiting.len() == before {
                return Err(TreeError::Cycle(waiting[0].name.clone()));
            }
        }
        Ok(tree)
    }

    /// Numbers a node, if all its successors have numbers.
    fn add(&mut self, branch: &Branch) -> bool {
        let ready = |name: &String| end_of(name).is_some() || self.names.contains_key(name);
        if !branch.successors.iter().all(ready) {
            return false;
        }
        let mut successors = Vec::new();
        for name in &branch.successors {
            successors.push(match end_of(name) {
                Some(value) => self.push(name, Kind::End(value)),
                None => self.names[name],
            });
        }
        let mover = branch.mover;
        let number = self.push(&branch.name, Kind::Choice { mover, successors });
        self.names.insert(branch.name.clone(), number);
        true
    }

    fn push(&mut self, name: &str, kind: Kind) -> usize {
        self.nodes.push(Node {
            name: name.to_owned(),
            kind,
        });
        self.nodes.len() - 1
    }

    /// All nodes by number: every node comes after its successors.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of the node with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// The successors of a node; none where a game ends or no such node is.
    pub fn successors(&self, number: usize) -> &[usize] {
        match self.nodes.get(number).map(|node| &node.kind) {
            Some(Kind::Choice { successors, .. }) => successors,
            _ => &[],
        }
    }

    /// Who moves at a node; `None` where a game ends.
    pub fn mover(&self, number: usize) -> Option<Color> {
        match self.nodes.get(number)?.kind {
            Kind::Choice { mover, .. } => Some(mover),
            Kind::End(_) => None,
        }
    }
}

/// The value that a successor's name says, if the name is a value.
fn end_of(name: &str) -> Option<Value> {
    Value::ALL.into_iter().find(|value| value.to_string() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(lines: &[&str]) -> Result<Tree, TreeError> {
        let branch = |line: &&str| {
            let mut words = line.split_whitespace().map(str::to_owned);
            let name = words.next().unwrap_or_default();
            Branch {
                name,
                mover: Color::White,
                successors: words.collect(),
            }
        };
        Tree::new(&lines.iter().map(branch).collect::<Vec<_>>())
    }

    #[test]
    fn successors_have_smaller_numbers() {
        let tree = tree(&["a b c", "b c +1", "c 0 -1"]).expect("a tree");
        for number in 0..tree.nodes().len() {
            assert!(tree.successors(number).iter().all(|&successor| successor < number));
        }
        assert_eq!(tree.find("a"), Some(tree.nodes().len() - 1));
        assert_eq!(tree.find("z"), None);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert_eq!(tree(&[]), Err(TreeError::Empty));
        assert_eq!(tree(&["a 0", "a 0"]), Err(TreeError::Twice("a".to_owned())));
        assert_eq!(tree(&["0 0"]), Err(TreeError::Twice("0".to_owned())));
        assert_eq!(tree(&["a"]), Err(TreeError::Leafless("a".to_owned())));
        assert!(matches!(tree(&["a b"]), Err(TreeError::Unknown { .. })));
        assert!(matches!(tree(&["a b 0", "b a 0"]), Err(TreeError::Cycle(_))));
    }
}
