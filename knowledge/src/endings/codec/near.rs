//! The neighbours of a cell: the placements in which one man stands a square further left or down.

use super::super::index::{Index, Span};

/// How many neighbours are looked at.
pub(super) const NEAR: usize = 5;

/// How far back in a table the neighbours of each cell are.
#[derive(Clone, Debug)]
pub(in crate::endings) struct Neighbours {
    last: Steps,
    /// The group before the last one, if there is one.
    before: Option<Steps>,
    placements: usize,
}

/// The neighbours by one group's men.
#[derive(Clone, Debug)]
struct Steps {
    size: usize,
    stride: usize,
    /// How many combinations back each neighbour is; 0 if there is none.
    back: Vec<[u32; 3]>,
}

impl Neighbours {
    pub(in crate::endings) fn new(index: &Index) -> Neighbours {
        let mut groups = index.groups().iter().rev();
        let nothing = || Steps {
            size: 1,
            stride: 1,
            back: vec![[0; 3]],
        };
        Neighbours {
            last: groups.next().map_or_else(nothing, Steps::new),
            before: groups.next().map(Steps::new),
            placements: index.placements(),
        }
    }

    /// How far back the neighbours of a cell are; 0 for those that do not exist.
    #[inline]
    pub(super) fn of(&self, cell: usize) -> [u32; NEAR] {
        let cell = cell % self.placements;
        let [left, down, third] = self.last.of(cell);
        let [before_left, before_down, _] = self.before.as_ref().map_or([0; 3], |steps| steps.of(cell));
        [left, down, before_left, before_down, third]
    }
}

impl Steps {
    fn new(group: &Span) -> Steps {
        let ranks: std::collections::HashMap<[u8; 3], usize> = group
            .combinations
            .iter()
            .enumerate()
            .map(|(rank, &squares)| (squares, rank))
            .collect();
        let count = group.count();
        let back = group.combinations.iter().enumerate().map(|(rank, squares)| {
            let stepped = |man: usize, step: u8| {
                let mut squares = *squares;
                let possible = if step == 8 {
                    squares[man] >= 8
                } else {
                    squares[man] & 7 > 0 && squares[man] >= step
                };
                if man >= count || !possible {
                    return 0;
                }
                squares[man] -= step;
                squares[..count].sort_unstable();
                ranks.get(&squares).map_or(0, |&other| (rank - other) as u32)
            };
            let either = |man: usize| match stepped(man, 1) {
                0 => stepped(man, 8),
                back => back,
            };
            match count {
                1 => [stepped(0, 1), stepped(0, 8), stepped(0, 9)],
                _ => [either(0), either(1), stepped(0, 8)],
            }
        });
        Steps {
            size: group.size,
            stride: group.stride,
            back: back.collect(),
        }
    }

    #[inline]
    fn of(&self, cell: usize) -> [u32; 3] {
        self.back[cell / self.stride % self.size].map(|back| back * self.stride as u32)
    }
}
