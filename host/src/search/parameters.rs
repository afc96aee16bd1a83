//! The numbers of the search, by technique. Margins are in centipawns, depths in plies.

/// Aspiration windows.
pub mod aspiration {
    /// From this depth on.
    pub const DEPTH: i32 = 5;
    /// Half the first window.
    pub const WINDOW: i32 = 14;
}

/// The value of the root by null windows, where hardware searches the leaves.
pub mod narrowing {
    /// How far the second window is from the first; twice as far each time.
    pub const STEP: i32 = 12;
    /// The value is known so well in the end.
    pub const GRAIN: i32 = 10;
}

/// Razoring: hopeless near the leaves, ask quiescence only.
pub mod razoring {
    /// Up to this depth.
    pub const DEPTH: i32 = 3;
    /// How far below alpha.
    pub const MARGIN: i32 = 220;
    /// And this for each ply.
    pub const SLOPE: i32 = 130;
}

/// Reverse futility: so far above beta that nobody will lose it.
pub mod reverse_futility {
    /// Up to this depth.
    pub const DEPTH: i32 = 6;
    /// How far above beta for each ply.
    pub const SLOPE: i32 = 100;
    /// Less so much if the position improves.
    pub const IMPROVING: i32 = 75;
}

/// Null move: whoever is above beta even after passing is above beta.
pub mod null_move {
    /// From this depth on.
    pub const DEPTH: i32 = 3;
    /// The evaluation may be below beta by this for each ply.
    pub const EVALUATION_SLOPE: i32 = 20;
    /// Less this.
    pub const EVALUATION_MARGIN: i32 = 100;
    /// Taken off the depth, and a third of the depth.
    pub const REDUCTION: i32 = 3;
    /// One more ply for each of these above beta, three at most.
    pub const STEP: i32 = 180;
    /// From this depth on the cut-off is verified without null moves.
    pub const VERIFY_DEPTH: i32 = 12;
    /// From this depth on, if there is one piece besides king and pawns.
    pub const VERIFY_DEPTH_LONE: i32 = 4;
}

/// `ProbCut`: a capture that wins well beyond beta at a reduced depth will do so here.
pub mod prob_cut {
    /// From this depth on.
    pub const DEPTH: i32 = 5;
    /// How far beyond beta.
    pub const MARGIN: i32 = 170;
    /// How much shallower the trial is.
    pub const REDUCTION: i32 = 4;
}

/// Internal reduction: without a move from the table the node is not worth its depth.
pub mod internal_reduction {
    /// From this depth on.
    pub const DEPTH: i32 = 4;
}

/// Futility: a quiet move near the leaves cannot lift the evaluation so far.
pub mod futility {
    /// Up to this reduced depth.
    pub const DEPTH: i32 = 7;
    /// What a quiet move may gain.
    pub const MARGIN: i32 = 90;
    /// And for each ply.
    pub const SLOPE: i32 = 90;
}

/// Late-move pruning: quiet moves so far down the list are not looked at.
pub mod late_moves {
    /// Up to this depth.
    pub const DEPTH: i32 = 8;
    /// How many are looked at: this and the square of the depth, half of it if the position gets worse.
    pub const BASE: i32 = 3;
}

/// History pruning: quiet moves that failed too often.
pub mod history_pruning {
    /// Up to this reduced depth.
    pub const DEPTH: i32 = 4;
    /// Below this for each ply.
    pub const SLOPE: i32 = -3000;
}

/// Pruning by exchange: moves that lose material.
pub mod exchange {
    /// Up to this depth.
    pub const DEPTH: i32 = 9;
    /// A quiet move may lose so much for each ply squared.
    pub const QUIET_SLOPE: i32 = -22;
    /// A capture may lose so much for each ply.
    pub const CAPTURE_SLOPE: i32 = -95;
}

/// Late-move reductions.
pub mod reductions {
    /// From this depth on.
    pub const DEPTH: i32 = 2;
    /// In 1024ths of a ply: for any move.
    pub const BASE: f64 = 800.0;
    /// And for each ln depth · ln moves.
    pub const SLOPE: f64 = 455.0;
    /// History takes off a ply for each of these.
    pub const HISTORY: i32 = 8192;
}

/// Singular extension: the table's move is the only good one.
pub mod singular {
    /// From this depth on.
    pub const DEPTH: i32 = 7;
    /// How much worse the others must be, for each ply.
    pub const MARGIN: i32 = 2;
    /// Two plies if they are worse by so much more.
    pub const DOUBLE: i32 = 18;
    /// How often a line may be extended twice.
    pub const MOST_DOUBLE: u8 = 6;
}

/// Quiescence.
pub mod quiescence {
    /// What a capture may gain beyond its victim.
    pub const DELTA: i32 = 150;
}

/// History.
pub mod history {
    /// No entry goes beyond this.
    pub const LIMIT: i32 = 16_384;
    /// What a good move earns: this for each ply.
    pub const BONUS_SLOPE: i32 = 150;
    /// Less this.
    pub const BONUS_OFFSET: i32 = 90;
    /// At most this.
    pub const MOST_BONUS: i32 = 1600;
}

/// When an iteration is worth beginning.
pub mod time {
    /// The share of the optimum for each iteration the best move has stood, in hundredths.
    pub const STABLE: [u32; 5] = [170, 120, 95, 85, 75];
    /// More for each centipawn that the score has fallen, in hundredths, up to the second.
    pub const FALLING: (i32, i32) = (1, 60);
}
