//! What is wrong with a FEN, one example of each, and that the message says so.

use bluebelle_spec::{Color, Fen, FenError, Planes, Position, PositionError};

#[test]
fn badly_written_fens_are_refused_by_name() {
    let rank_length = |rank, text: &str| FenError::RankLength {
        rank,
        text: text.to_owned(),
    };
    let counter = |name, text: &str, most| FenError::BadCounter {
        name,
        text: text.to_owned(),
        least: 0,
        most,
    };
    let examples = [
        ("", FenError::FieldCount(0), "found 0"),
        ("8/8/8/8/8/8/8/8 w - - 0", FenError::FieldCount(5), "found 5"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 x", FenError::FieldCount(7), "found 7"),
        ("k7/8/8/8/8/8/K7 w - -", FenError::RankCount(7), "7 ranks"),
        ("k7/8/8/8/8/8/8/8/K7 w - -", FenError::RankCount(9), "9 ranks"),
        ("k7/8/8/8/8/8/8/K6 w - -", rank_length(1, "K6"), "rank 1"),
        ("k8/8/8/8/8/8/8/K7 w - -", rank_length(8, "k8"), "rank 8"),
        (
            "k7/8/8/ppppppppp/8/8/8/K7 w - -",
            rank_length(5, "ppppppppp"),
            "'ppppppppp'",
        ),
        ("k7//8/8/8/8/8/K7 w - -", rank_length(7, ""), "rank 7"),
        (
            "k7/8/x7/8/8/8/8/K7 w - -",
            FenError::BadPiece { letter: 'x', rank: 6 },
            "'x' in rank 6",
        ),
        (
            "k7/9/8/8/8/8/8/K7 w - -",
            FenError::BadPiece { letter: '9', rank: 7 },
            "'9' in rank 7",
        ),
        (
            "k7/8/8/8/8/8/8/é6K w - -",
            FenError::BadPiece { letter: 'é', rank: 1 },
            "'é' in rank 1",
        ),
        (
            "k7/8/8/8/44/8/8/K7 w - -",
            FenError::AdjacentDigits {
                rank: 4,
                text: "44".to_owned(),
            },
            "'44'",
        ),
        (
            "k7/8/8/8/8/8/8/K7 W - -",
            FenError::BadSide("W".to_owned()),
            "'W': expected w or b",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w KK -",
            FenError::BadCastling("KK".to_owned()),
            "'KK'",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w HAha -",
            FenError::BadCastling("HAha".to_owned()),
            "KQkq",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - e9",
            FenError::BadEnPassant("e9".to_owned()),
            "'e9'",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 151 1",
            counter("half-move counter", "151", 150),
            "half-move counter '151': expected a number from 0 to 150",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - +1 1",
            counter("half-move counter", "+1", 150),
            "'+1'",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 70000",
            counter("move number", "70000", 9999),
            "move number '70000': expected a number from 0 to 9999",
        ),
    ];
    for (text, expected, named) in examples {
        let error = text.parse::<Fen>().expect_err(text);
        assert_eq!(error, expected, "{text}");
        assert!(
            error.to_string().contains(named),
            "{text}: '{error}' does not say '{named}'"
        );
    }
}

#[test]
fn impossible_positions_are_refused_by_name() {
    let e6 = "e6".parse().unwrap();
    let army = |pawns, promoted, total| PositionError::TooManyPieces {
        color: Color::White,
        pawns,
        promoted,
        total,
    };
    let castling = |color, way, king: &str, rook: &str| PositionError::CastlingWithoutRook {
        color,
        way,
        king: king.parse().unwrap(),
        rook: rook.parse().unwrap(),
    };
    let examples = [
        (
            "8/8/8/8/8/8/8/K7 w - -",
            PositionError::MissingKing(Color::Black),
            "Black has no king",
        ),
        (
            "kk6/8/8/8/8/8/8/K7 w - -",
            PositionError::ExtraKing(Color::Black, 2),
            "Black has 2 kings",
        ),
        (
            "k6P/8/8/8/8/8/8/K7 w - -",
            PositionError::PawnOnLastRank("h8".parse().unwrap()),
            "on h8",
        ),
        ("k7/8/8/8/8/P7/PPPPPPPP/K7 w - -", army(9, 0, 10), "9 pawns"),
        ("k7/8/8/8/8/8/PPPPPPPP/KQQ5 w - -", army(8, 1, 11), "1 promoted"),
        ("k7/8/8/8/QQQQQQQQ/RRRR4/RR6/K7 b - -", army(0, 11, 15), "11 promoted"),
        (
            "k7/8/8/8/8/8/8/K6r b - -",
            PositionError::OpponentInCheck(Color::White),
            "White is in check",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w K -",
            castling(Color::White, "king side", "e1", "h1"),
            "White cannot castle king side: that needs its king on e1 and a rook on h1",
        ),
        (
            "r2k4/8/8/8/8/8/8/4K3 w q -",
            castling(Color::Black, "queen side", "e8", "a8"),
            "queen side",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6",
            PositionError::ImpossibleEnPassant(e6),
            "passed e6",
        ),
        (
            "4k3/8/4n3/4p3/8/8/8/4K3 w - e6",
            PositionError::ImpossibleEnPassant(e6),
            "passed e6",
        ),
        (
            "4k3/4p3/8/4p3/8/8/8/4K3 w - e6",
            PositionError::ImpossibleEnPassant(e6),
            "passed e6",
        ),
        (
            "4k3/8/8/4p3/8/8/8/4K3 b - e6",
            PositionError::ImpossibleEnPassant(e6),
            "passed e6",
        ),
    ];
    for (text, expected, named) in examples {
        let error = text.parse::<Fen>().expect_err(text);
        assert_eq!(error, FenError::Position(expected), "{text}");
        assert!(
            error.to_string().contains(named),
            "{text}: '{error}' does not say '{named}'"
        );
    }
}

/// The one that no FEN can say.
#[test]
fn planes_that_contradict_each_other_are_refused() {
    let initial = Position::initial();
    let refuse = |planes: Planes| Position::new(planes, Color::White, initial.castling(), None).unwrap_err();
    let mut two_pieces = *initial.planes();
    two_pieces.pieces[0] |= 1;
    let mut no_side = *initial.planes();
    no_side.colors[1] ^= 1 << 63;
    for (planes, square) in [(two_pieces, "a1"), (no_side, "h8")] {
        let error = refuse(planes);
        assert_eq!(error, PositionError::PlanesDisagree(square.parse().unwrap()));
        assert!(error.to_string().contains(square), "{error}");
    }
}

#[test]
fn four_fields_are_enough() {
    let fen: Fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6".parse().unwrap();
    assert_eq!((fen.halfmoves, fen.fullmoves), (0, 1));
    assert_eq!(fen.to_string(), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
}
