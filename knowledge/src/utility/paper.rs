//! Published trees and numbers, as files of the folder `papers`.
//!
//! A line is a keyword and its words; `#` begins a comment line.
//!
//! ```text
//! paper TEXT  page TEXT  doubt TEXT            what is quoted, where it stands, and what is unsure
//! tree NAME                                    the nodes that follow are this tree's, the root first
//! node NAME white|black SUCCESSOR…             a successor is a node, or the value +1, 0 or -1
//! figure NAME TREE white M black M             the numbers that follow belong to this figure
//! number QUANTITY published X recomputed Y within T
//! slip QUANTITY published X recomputed Y factor-missing-for NODE
//! best NODE SUCCESSOR                          the move with the best expected utility
//! comment N SIDE position NODE                 comment N of Table 1 is true of the node, for the side
//! comment N SIDE move NODE SUCCESSOR           the same of a move
//! cell ROW U,U V MEANING SIDE : WORDS          a cell of Table 3, with samples of u
//! ```
//! A quantity is `u NODE`, `tension NODE`, `p NODE SUCCESSOR` or `ratio NODE SUCCESSOR SUCCESSOR`.

use bluebelle_spec::Color;

use super::comment::Cell;
use super::tree::{Branch, Tree, TreeError};
use crate::vocabulary::{Merit, Value};

/// Michie's paper.
pub const MICHIE: &str = include_str!("../../papers/michie-1980.txt");

/// What a file says.
#[derive(Clone, Debug, Default)]
pub struct Paper {
    /// Author, title and year.
    pub title: String,
    /// Where the paper was printed.
    pub pages: Vec<String>,
    /// What is unsure.
    pub doubts: Vec<String>,
    /// The trees by name.
    pub trees: Vec<(String, Tree)>,
    /// Figures: a tree with two players, and numbers.
    pub figures: Vec<Figure>,
    /// The cells of a table of comments.
    pub cells: Vec<TableCell>,
}

/// A tree played by two players, and what is printed about it.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The figure's name.
    pub name: String,
    /// The tree.
    pub tree: Tree,
    /// The merits of White and Black.
    pub merits: [Merit; 2],
    /// The numbers.
    pub numbers: Vec<Number>,
    /// Numbers that are wrong in print.
    pub slips: Vec<Slip>,
    /// Nodes and their best moves.
    pub best: Vec<(usize, usize)>,
    /// What the comments of Table 1 say.
    pub comments: Vec<Expected>,
}

/// A number of a paper.
#[derive(Clone, Debug)]
pub struct Number {
    /// What is counted.
    pub quantity: Quantity,
    /// As printed.
    pub published: f64,
    /// As the formula gives the number.
    pub recomputed: f64,
    /// How far the two may be apart.
    pub within: f64,
}

/// A number that is wrong in print.
#[derive(Clone, Debug)]
pub struct Slip {
    /// What is counted.
    pub quantity: Quantity,
    /// As printed.
    pub published: f64,
    /// As the formula gives the number.
    pub recomputed: f64,
    /// The node whose summand lacks a factor in print.
    pub without: usize,
}

/// What a number is about; nodes by their number in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The expected utility of a node.
    Utility(usize),
    /// The tension of a node.
    Tension(usize),
    /// The probability of the move from one node to another.
    Probability(usize, usize),
    /// How many times more probable the first move from a node is than the second.
    Ratio(usize, usize, usize),
}

/// A comment that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The comment's number in Table 1.
    pub number: u8,
    /// Whose side the comment takes.
    pub side: Color,
    /// The position, or the position before the move.
    pub node: usize,
    /// Where the move leads.
    pub successor: Option<usize>,
}

/// A cell of Table 3.
#[derive(Clone, Debug, PartialEq)]
pub struct TableCell {
    /// The row, from 1.
    pub row: u8,
    /// Utilities of this row.
    pub samples: Vec<f64>,
    /// The column.
    pub value: Value,
    /// What the cell says.
    pub cell: Cell,
    /// The words as printed.
    pub words: String,
}

/// Why a text is no paper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PaperError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// An unknown keyword, or words that do not fit it.
    #[error("'{0}' is none of the lines that a paper has")]
    Line(String),
    /// Not a number, side, value, merit or meaning.
    #[error("'{found}' is no {expected}")]
    Word {
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A name that nothing has.
    #[error("no {kind} is called '{name}'")]
    Unknown {
        /// A tree, a node or a figure.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The nodes above are no tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Paper {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Names the first line that is wrong.
    pub fn parse(text: &str) -> Result<Paper, PaperError> {
        let mut reader = Reader::default();
        let lines = text.lines().enumerate();
        for (index, line) in lines.map(|(index, line)| (index + 1, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            reader
                .line(line)
                .map_err(|problem| PaperError { line: index, problem })?;
        }
        let end = text.lines().count();
        reader
            .finish_tree()
            .map_err(|problem| PaperError { line: end, problem })?;
        Ok(reader.paper)
    }

    /// The figure with this name.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }
}

#[derive(Default)]
struct Reader {
    paper: Paper,
    /// The tree whose nodes are being read.
    open: Option<(String, Vec<Branch>)>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Problem> {
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if keyword == "node" {
            return self.node(line, rest);
        }
        if keyword != "doubt" {
            self.finish_tree()?;
        }
        match keyword {
            "paper" => self.paper.title = rest.to_owned(),
            "page" => self.paper.pages.push(rest.to_owned()),
            "doubt" => self.paper.doubts.push(rest.to_owned()),
            "tree" => self.open = Some((rest.to_owned(), Vec::new())),
            "figure" => self.figure(line, rest)?,
            "cell" => self.paper.cells.push(cell(line, rest)?),
            _ => {
                let figure = self.paper.figures.last_mut();
                figure.ok_or_else(|| Problem::Line(line.to_owned()))?.line(line)?;
            }
        }
        Ok(())
    }

    fn node(&mut self, line: &str, rest: &str) -> Result<(), Problem> {
        let wrong = || Problem::Line(line.to_owned());
        let (_, branches) = self.open.as_mut().ok_or_else(wrong)?;
        let mut words = rest.split_whitespace();
        let (name, mover) = words.next().zip(words.next()).ok_or_else(wrong)?;
        branches.push(Branch {
            name: name.to_owned(),
            mover: side(mover)?,
            successors: words.map(str::to_owned).collect(),
        });
        Ok(())
    }

    fn finish_tree(&mut self) -> Result<(), Problem> {
        if let Some((name, branches)) = self.open.take() {
            self.paper.trees.push((name, Tree::new(&branches)?));
        }
        Ok(())
    }

    fn figure(&mut self, line: &str, rest: &str) -> Result<(), Problem> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [name, tree, "white", white, "black", black] = words[..] else {
            return Err(Problem::Line(line.to_owned()));
        };
        let found = self.paper.trees.iter().find(|known| known.0 == tree);
        let (_, tree) = found.ok_or_else(|| Problem::Unknown {
            kind: "tree",
            name: tree.to_owned(),
        })?;
        let merit = |text: &str| text.parse::<Merit>().map_err(|_| wrong_word(text, "merit"));
        self.paper.figures.push(Figure {
            name: name.to_owned(),
            tree: tree.clone(),
            merits: [merit(white)?, merit(black)?],
            numbers: Vec::new(),
            slips: Vec::new(),
            best: Vec::new(),
            comments: Vec::new(),
        });
        Ok(())
    }
}

impl Figure {
    fn line(&mut self, line: &str) -> Result<(), Problem> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [
                "number",
                ref quantity @ ..,
                "published",
                published,
                "recomputed",
                recomputed,
                "within",
                within,
            ] => {
                self.numbers.push(Number {
                    quantity: self.quantity(line, quantity)?,
                    published: number(published)?,
                    recomputed: number(recomputed)?,
                    within: number(within)?,
                });
            }
            [
                "slip",
                ref quantity @ ..,
                "published",
                published,
                "recomputed",
                recomputed,
                "factor-missing-for",
                node,
            ] => {
                self.slips.push(Slip {
                    quantity: self.quantity(line, quantity)?,
                    published: number(published)?,
                    recomputed: number(recomputed)?,
                    without: self.find(node)?,
                });
            }
            ["best", from, to] => self.best.push((self.find(from)?, self.successor(from, to)?)),
            ["comment", text, who, "position", node] => {
                let (number, side, node) = (comment_number(text)?, side(who)?, self.find(node)?);
                self.comments.push(Expected {
                    number,
                    side,
                    node,
                    successor: None,
                });
            }
            ["comment", text, who, "move", from, to] => {
                let (number, side, node) = (comment_number(text)?, side(who)?, self.find(from)?);
                let successor = Some(self.successor(from, to)?);
                self.comments.push(Expected {
                    number,
                    side,
                    node,
                    successor,
                });
            }
            _ => return Err(Problem::Line(line.to_owned())),
        }
        Ok(())
    }

    fn quantity(&self, line: &str, words: &[&str]) -> Result<Quantity, Problem> {
        Ok(match *words {
            ["u", node] => Quantity::Utility(self.find(node)?),
            ["tension", node] => Quantity::Tension(self.find(node)?),
            ["p", from, to] => Quantity::Probability(self.find(from)?, self.successor(from, to)?),
            ["ratio", from, more, less] => {
                let node = self.find(from)?;
                Quantity::Ratio(node, self.successor(from, more)?, self.successor(from, less)?)
            }
            _ => return Err(Problem::Line(line.to_owned())),
        })
    }

    fn find(&self, name: &str) -> Result<usize, Problem> {
        let unknown = || Problem::Unknown {
            kind: "node",
            name: name.to_owned(),
        };
        self.tree.find(name).ok_or_else(unknown)
    }

    /// The node `to`, to which a move from `from` leads: a node, or the first end with that value.
    fn successor(&self, from: &str, to: &str) -> Result<usize, Problem> {
        let successors = self.tree.successors(self.find(from)?);
        let found = successors.iter().find(|&&at| self.tree.nodes()[at].name == to);
        found.copied().ok_or_else(|| Problem::Unknown {
            kind: "successor",
            name: to.to_owned(),
        })
    }
}

fn cell(line: &str, rest: &str) -> Result<TableCell, Problem> {
    let wrong = || Problem::Line(line.to_owned());
    let (head, words) = rest.split_once(" : ").ok_or_else(wrong)?;
    let head: Vec<&str> = head.split_whitespace().collect();
    let [row, samples, value, meaning, who] = head[..] else {
        return Err(wrong());
    };
    let sign = Value::ALL.into_iter().find(|known| known.to_string() == value);
    let who = if who == "-" { None } else { Some(side(who)?) };
    Ok(TableCell {
        row: row.parse().map_err(|_| wrong_word(row, "row"))?,
        samples: samples.split(',').map(number).collect::<Result<_, _>>()?,
        value: sign.ok_or_else(|| wrong_word(value, "value"))?,
        cell: Cell::named(meaning, who).ok_or_else(|| wrong_word(meaning, "meaning with this side"))?,
        words: words.trim().to_owned(),
    })
}

fn wrong_word(found: &str, expected: &'static str) -> Problem {
    let found = found.to_owned();
    Problem::Word { found, expected }
}

fn side(text: &str) -> Result<Color, Problem> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(wrong_word(text, "side (white or black)")),
    }
}

fn number(text: &str) -> Result<f64, Problem> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| wrong_word(text, "number"))
}

fn comment_number(text: &str) -> Result<u8, Problem> {
    let number = text.parse().ok().filter(|number| (1..=21).contains(number));
    number.ok_or_else(|| wrong_word(text, "number of a comment (1 to 21)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_is_read() {
        let paper = Paper::parse(MICHIE).expect("a paper");
        assert!(paper.title.starts_with("Donald Michie"));
        assert_eq!(paper.cells.len(), 30);
        assert_eq!(paper.figures.len(), 4);
        assert!(!paper.doubts.is_empty() && !paper.pages.is_empty());
    }

    #[test]
    fn wrong_lines_are_named() {
        let tree = "tree t\nnode a white +1 0\nfigure f t white 0 black 1\n";
        for (text, problem) in [
            ("nonsense", "'nonsense' is none of the lines that a paper has"),
            ("number u a published 1 recomputed 1", "none of the lines"),
            ("number u b published 1 recomputed 1 within 0", "no node is called 'b'"),
            ("number u a published x recomputed 1 within 0", "'x' is no number"),
            ("best a -1", "no successor is called '-1'"),
            ("comment 22 white position a", "'22' is no number of a comment"),
            ("comment 2 grey position a", "'grey' is no side"),
            ("figure g u white 0 black 1", "no tree is called 'u'"),
            ("figure g t white 1400 black 1", "'1400' is no merit"),
            ("cell 1 0 0 dead-draw white : words", "'dead-draw' is no meaning"),
            ("cell 1 0 2 dead-draw - : words", "'2' is no value"),
            ("node a white 0", "none of the lines"),
        ] {
            let error = Paper::parse(&format!("{tree}{text}")).expect_err(text);
            assert_eq!(error.line, 4, "{error}");
            assert!(error.to_string().contains(problem), "{error}");
        }
        assert!(Paper::parse("tree t\nnode a white b").is_err());
    }
}
