//! Michie's theory of evaluative comments, held against the paper, simulation, minimax, and a whole
//! endgame; and the ledger, killed at any moment.

mod comments;
mod fit;
mod krk;
mod ledger;
mod michie;
mod oracle;
