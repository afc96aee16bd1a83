//! The golden leaf search: exactly what the chip does, move for move and slot for slot.
//!
//! A [`Job`] asks whether a position is worth at least `beta`: alpha-beta with a null window to a fixed depth, then
//! quiescence. [`moves`] has the order of the moves, [`slots`] the count of trips round the ring. The figures below are from
//! `cargo bench -p bluebelle-spec`, on 200 positions with three windows each.
//!
//! # What a node does
//! - **Depth above 0**: all moves. Without a legal one, `-(MATE - ply)` in check and 0 otherwise.
//! - **Depth 0, in check**: the same, and the positions after the moves have depth -1.
//! - **Depth 0 or -1 otherwise**: stand pat on the [evaluation](crate::eval), else captures and promotions to a queen; the
//!   positions after them have depth -1. At [`MAX_PLY`] only the evaluation.
//!
//! # The window: null, as in Deep Blue
//! Every test on the chip is then against one constant of the job, and neither alpha nor the best score is on the stack: the
//! last critical path of an earlier sketch was such a comparison, fed from block RAM. An exact value takes several jobs,
//! but they need not wait for each other, and where an exact value is wanted (the first move of the principal variation)
//! the other threads have nothing else to do:
//!
//! | depth | nodes, full window | nodes, null windows one at a time | 32 at a time |
//! |---|---|---|---|
//! | 2 | 718 | 2,050 in 9.4 rounds | 2.3 rounds |
//! | 3 | 3,879 | 9,817 in 10.1 rounds | 2.4 rounds |
//! | 4 | 24,670 | 55,204 in 10.2 rounds | 2.4 rounds |
//!
//! A round takes as long as its longest job, some 4,000 nodes at depth 4: 32 at a time are sooner done than one full window.
//!
//! # Evasions in quiescence: in its first ply
//! | evasions | slots a node, depths 2, 3, 4 | slots a job, depth 4 |
//! |---|---|---|
//! | none | 2.99, 2.51, 2.73 | 10,608 |
//! | first ply of quiescence | 3.02, 2.58, 2.79 | 11,346 |
//! | every ply | 3.08, 2.66, 2.87 | 12,922 |
//!
//! A check on the last ply is the common case, and answering it costs 7 %; answering all others costs 14 % more.
//!
//! # Move order, measured by nodes a job at depth 4
//! Pushes before the other quiet moves: 4,982. After them: 4,750. With a killer for each ply of the job: 3,849; one shared
//! by siblings only, which lives in the parent's stack entry and needs no clearing between jobs: 3,926; and without
//! pawn pushes as killers, which spares the chip a case: 4,074. The last is what we do.
//!
//! # Pruning, if the job asks for it
//! [`pruning`] has the rules: reverse futility, null move, delta, losing captures, futility, reductions. They need the static
//! value, which every slot of the chip that looks for a victim has anyway, and two more facts: whether the mover has a piece
//! besides king and pawns, and whether a victim is protected.
//!
//! | depth | nodes a job, pruned | slots a job, pruned | slots a node, pruned | same answer |
//! |---|---|---|---|---|
//! | 2 | 153, 67 | 462, 233 | 3.03, 3.47 | 98.3 % |
//! | 3 | 733, 111 | 1,899, 371 | 2.59, 3.36 | 95.7 % |
//! | 4 | 4,075, 149 | 11,348, 489 | 2.78, 3.29 | 93.5 % |
//! | 5 | 19,689, 243 | 50,031, 770 | 2.54, 3.16 | 93.0 % |
//!
//! So a pruned search of depth 5 costs less than half of one of depth 3 that is not. The numbers were chosen by the clock: for the
//! wanted moves that whole searches find in a given time, because sharper ones agree almost as often and miss what sacrifices are
//! for; `docs/history.md` has what milder and sharper ones do. Reducing the killer too makes the answer depend on no order.

pub mod gang;
mod job;
pub mod moves;
pub mod pruning;
pub mod remember;
mod resolve;
mod search;
pub mod slots;
mod visit;
mod walk;

pub use gang::SPLIT_DEPTH;
pub use job::{Ending, Job, MATE, MAX_DEPTH, MAX_NODES, MAX_PERFT_DEPTH, MAX_PLY, Outcome, Task};
pub use moves::{is_legal_move, legal_moves};
pub use resolve::{Bound, Probing, Resolved, resolve};
pub use search::{Search, run, run_measured};
pub use slots::Slots;
