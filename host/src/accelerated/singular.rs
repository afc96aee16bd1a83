//! Singular extensions in the upper tree.

use super::tree::Tree;
use super::visit::{Open, Visit};
use crate::score::is_mate_or_table;
use crate::search::parameters::singular;
use crate::table::{Bound, Entry};

impl Tree<'_> {
    /// By how many plies the table's move is extended, because nothing else comes near it; or a bound of the node's value, if something
    /// else refutes too. The node waits for a search of its other moves at half the depth; so leaves that are split, which somebody
    /// waits for, are not asked about.
    pub(super) async fn extension(&self, visit: &Visit<'_>, entry: Option<Entry>, evaluation: i32) -> Result<i32, i32> {
        let Some(entry) = entry.filter(|entry| self.may_be_singular(visit, entry)) else {
            return Ok(0);
        };
        let bound = entry.score - singular::MARGIN * visit.depth;
        let others = Visit {
            alpha: bound - 1,
            beta: bound,
            depth: (visit.depth - 1) / 2,
            principal: false,
            excluded: entry.best,
            ..*visit
        };
        let open = Open {
            alpha: others.alpha,
            beta: others.beta,
            entry: None,
            evaluation,
        };
        let score = Box::pin(self.node(others, open)).await.score;
        let may_double = !visit.principal && visit.doubles < singular::MOST_DOUBLE;
        match score {
            score if score < bound - singular::DOUBLE && may_double => Ok(2),
            score if score < bound => Ok(1),
            _ if bound >= visit.beta => Err(bound),
            _ => Ok(-i32::from(entry.score >= visit.beta)),
        }
    }

    fn may_be_singular(&self, visit: &Visit<'_>, entry: &Entry) -> bool {
        self.style.selective
            && visit.excluded.is_none()
            && !entry.best.is_none()
            && visit.depth >= singular::DEPTH
            && visit.depth > self.leaf_depth.get()
            && visit.ply < 2 * self.iteration.get()
            && entry.depth >= visit.depth - 3
            && entry.bound != Bound::Upper
            && !is_mate_or_table(entry.score)
            && visit.board.is_legal(entry.best)
    }
}
