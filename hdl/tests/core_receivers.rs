//! The candidates of every pass, against the move order that the spec documents, stated here once more in plain code.

mod common;

use bluebelle_hdl::core::gates::Gates;
use bluebelle_hdl::core::receivers::Receivers;
use bluebelle_hdl::core::relations::Relations;
use bluebelle_hdl::core::thread::Thread;
use bluebelle_hdl::harness::{Cosim, synthesis_check};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{
    AttackSets, Bitboard, Castling, CastlingSide, Color, Fen, Move, Piece, Planes, Position, Square, attacks,
};

use common::{code_at, in_order, pick, positions, thread_on};

/// What the block says of a slot.
struct Found {
    /// The candidates that are left once a check has to be parried.
    left: Bitboard,
    class_high: Bitboard,
    class_low: Bitboard,
    in_check: bool,
    illegal: bool,
}

impl Found {
    fn class(&self, square: Square) -> u64 {
        (self.class_high >> square.index() & 1) * 2 + (self.class_low >> square.index() & 1)
    }
}

/// Straight, diagonal and knight's attacks of the mover, as the pass makes them.
type Reach = [Bitboard; 3];

/// Relations, gates and receivers, wired as in the core.
struct Stages {
    relations: Cosim<Relations>,
    gates: Cosim<Gates>,
    receivers: Cosim<Receivers>,
}

impl Stages {
    fn new() -> Stages {
        Stages {
            relations: Cosim::new(Relations::default(), |uut| &mut uut.clock),
            gates: Cosim::new(Gates::default(), |uut| &mut uut.clock),
            receivers: Cosim::new(Receivers::default(), |uut| &mut uut.clock),
        }
    }

    fn run(&mut self, position: &Position, thread: Thread, own: Reach) -> Found {
        let sets = AttackSets::of(position);
        self.relations.cycle(|uut| uut.thread_in.next = thread);
        let relations = &self.relations.uut;
        self.gates.cycle(|uut| {
            uut.thread_in.next = thread;
            uut.targets.next = targets(position, &thread).into();
            uut.empty.next = (!position.occupied()).into();
            uut.white_pawns.next = position.pieces(Color::White, Piece::Pawn).into();
            uut.black_pawns.next = position.pieces(Color::Black, Piece::Pawn).into();
            uut.own_king.next = relations.own_king.val();
            uut.enemy_king.next = relations.enemy_king.val();
            uut.king_takes.next = relations.king_takes.val();
            uut.from_king.next = relations.from_king.val();
            uut.shuns_killer.next = relations.shuns_killer.val();
            uut.kings_touch.next = relations.kings_touch.val();
        });
        let gates = &self.gates.uut;
        if thread.victim {
            let reach = |color, pawn_attacks: Bitboard| !position.side(color) & !pawn_attacks;
            let (us, them) = (position.turn(), !position.turn());
            assert_eq!(gates.own_reach.val().to_u64(), reach(us, sets.enemy.pawn), "{position}");
            assert_eq!(
                gates.enemy_reach.val().to_u64(),
                reach(them, sets.own.pawn),
                "{position}"
            );
        }
        self.receivers.cycle(|uut| {
            uut.thread_in.next = thread;
            uut.own_straight.next = own[0].into();
            uut.own_diagonal.next = own[1].into();
            uut.own_knight.next = own[2].into();
            uut.enemy_straight.next = sets.enemy.straight.into();
            uut.enemy_diagonal.next = sets.enemy.diagonal.into();
            uut.enemy_knight.next = sets.enemy.knight.into();
            uut.open.next = gates.open.val();
            uut.certain.next = gates.certain.val();
            uut.if_safe.next = gates.if_safe.val();
            uut.enemy_near.next = gates.enemy_near.val();
            uut.castles.next = gates.castles.val();
            uut.parries.next = gates.parries.val();
            uut.own_king.next = gates.own_king_out.val();
            uut.enemy_king.next = gates.enemy_king_out.val();
            uut.watched.next = gates.watched.val();
            uut.kings_touch.next = gates.kings_touch_out.val();
            uut.king_rise.next = gates.king_rise.val();
            uut.king_fall.next = gates.king_fall.val();
        });
        let uut = &self.receivers.uut;
        assert_eq!(uut.thread_out.val(), thread);
        let allowed = match uut.must_shield.val() {
            true => uut.shields.val().to_u64(),
            false => !0,
        };
        Found {
            left: uut.candidates.val().to_u64() & allowed,
            class_high: uut.class_high.val().to_u64(),
            class_low: uut.class_low.val().to_u64(),
            in_check: uut.in_check.val(),
            illegal: uut.illegal.val(),
        }
    }

    fn finish(self) {
        self.relations.finish();
        self.gates.finish();
        self.receivers.finish();
    }
}

/// What a pass may find: the enemy's pieces in find victim, and the mover's if one of them takes on the origin.
fn targets(position: &Position, thread: &Thread) -> Bitboard {
    match (
        thread.victim,
        thread.attacker && thread.captured.any() && !thread.special,
    ) {
        (true, _) => position.side(!position.turn()),
        (_, true) => position.side(position.turn()),
        _ => 0,
    }
}

/// What all pieces of the mover attack.
fn all(position: &Position) -> Reach {
    let own = AttackSets::of(position).own;
    [own.straight, own.diagonal, own.knight]
}

/// What a piece of every kind would attack from a square.
fn every(position: &Position, origin: Square) -> Reach {
    let occupied = position.occupied();
    [
        attacks::rook(origin, occupied),
        attacks::bishop(origin, occupied),
        attacks::knight(origin),
    ]
}

/// What the mover's piece on a square attacks; a king and a pawn do not radiate.
fn one(position: &Position, origin: Square) -> Reach {
    let [rook, bishop, knight] = every(position, origin);
    match position.at(origin) {
        Some((color, piece)) if color == position.turn() => match piece {
            Piece::Rook => [rook, 0, 0],
            Piece::Bishop => [0, bishop, 0],
            Piece::Queen => [rook, bishop, 0],
            Piece::Knight => [0, 0, knight],
            _ => [0, 0, 0],
        },
        _ => [0, 0, 0],
    }
}

fn set(squares: impl Iterator<Item = Square>) -> Bitboard {
    squares.fold(0, |set, square| set | square.bit())
}

/// The square a step ahead of a pawn of `color`; none behind the edge.
fn ahead(square: Square, color: Color) -> Option<Square> {
    match color {
        Color::White => Square::try_new(square.byte() + 8),
        Color::Black => square.byte().checked_sub(8).map(Square::new),
    }
}

fn pawns(position: &Position) -> Vec<Square> {
    in_order(position.pieces(position.turn(), Piece::Pawn), position.turn())
}

fn is_last_rank(square: Square, turn: Color) -> bool {
    square.relative_to(turn).rank() == 7
}

/// The victims and the class of each: attacked enemy pieces, not by the king if they are protected; squares of promotion;
/// the en passant square if a pawn attacks it.
fn victims(position: &Position) -> Vec<(Square, u64)> {
    let (us, them) = (position.turn(), !position.turn());
    let occupied = position.occupied();
    let mut found = Vec::new();
    for square in Square::all() {
        let attackers = position.attackers(square, us, occupied);
        let king = position.king(us).bit();
        let is_protected = position.attackers(square, them, occupied) != 0;
        let by_pawn = attackers & position.pieces(us, Piece::Pawn) != 0;
        let is_reached = pawns(position).iter().any(|&pawn| ahead(pawn, us) == Some(square));
        let class = match position.at(square) {
            Some((color, piece)) if color == them => {
                let is_attacked = attackers & !king != 0 || attackers & king != 0 && !is_protected;
                is_attacked.then_some(match piece {
                    Piece::Queen => 0,
                    Piece::Rook => 1,
                    Piece::Bishop | Piece::Knight => 2,
                    _ => 3,
                })
            }
            Some(_) => None,
            None if position.en_passant() == Some(square) => by_pawn.then_some(3),
            None => (is_last_rank(square, us) && is_reached).then_some(0),
        };
        found.extend(class.map(|class| (square, class)));
    }
    found
}

/// The attackers of a victim and the class of each.
fn attackers(position: &Position, victim: Square) -> Vec<(Square, u64)> {
    let us = position.turn();
    let occupied = position.occupied();
    let is_taken = position.at(victim).is_some();
    let steps = |pawn: Square| ahead(pawn, us) == Some(victim);
    let set = if is_taken {
        let king = position.king(us).bit();
        let is_protected = position.attackers(victim, !us, occupied) != 0;
        position.attackers(victim, us, occupied) & if is_protected { !king } else { !0 }
    } else if position.en_passant() == Some(victim) {
        position.attackers(victim, us, occupied) & position.pieces(us, Piece::Pawn)
    } else {
        set(pawns(position).into_iter().filter(|&pawn| steps(pawn)))
    };
    let class = |square| match position.at(square).map(|(_, piece)| piece) {
        Some(Piece::Pawn) => 0,
        Some(Piece::Bishop | Piece::Knight) => 1,
        Some(Piece::Rook) => 2,
        _ => 3,
    };
    in_order(set, us)
        .into_iter()
        .map(|square| (square, class(square)))
        .collect()
}

/// Where a check may be parried: on a line through the king that an enemy slider attacks along that kind of line.
fn parries(position: &Position) -> Bitboard {
    let king = position.king(position.turn());
    let sets = AttackSets::of(position).enemy;
    match position.in_check() {
        true => attacks::bishop(king, 0) & sets.diagonal | attacks::rook(king, 0) & sets.straight,
        false => !0,
    }
}

/// The quiet moves of the mover's piece on a square.
fn quiet(position: &Position, origin: Square) -> Bitboard {
    let us = position.turn();
    let empty = !position.occupied();
    let [rook, bishop, knight] = one(position, origin);
    if origin != position.king(us) {
        return (rook | bishop | knight) & empty & parries(position);
    }
    let is_safe = |square: Square| position.attackers(square, !us, position.occupied()) == 0;
    let steps = in_order(attacks::king(origin) & empty, us);
    let castles = CastlingSide::ALL.into_iter().filter(|&side| {
        let rook = side.rook_from(us);
        let between = |square: &Square| (origin.min(rook)..origin.max(rook)).contains(square) && *square != origin;
        let path = |square: &Square| {
            let to = side.king_to(us);
            (origin.min(to)..=origin.max(to)).contains(square)
        };
        position.castling().has(us, side)
            && Square::all()
                .filter(|square| *square != rook && between(square))
                .all(|square| empty & square.bit() != 0)
            && Square::all().filter(path).all(is_safe)
    });
    set(steps.into_iter().filter(|&square| is_safe(square))) | set(castles.map(|side| side.king_to(us)))
}

/// The squares that pawns can step to, single or double, short of the last rank.
fn pushes(position: &Position) -> Bitboard {
    let us = position.turn();
    let is_empty = |square: &Square| position.at(*square).is_none();
    let mut found = 0;
    for pawn in pawns(position) {
        let Some(single) = ahead(pawn, us).filter(is_empty) else {
            continue;
        };
        found |= if is_last_rank(single, us) { 0 } else { single.bit() };
        if pawn.relative_to(us).rank() == 1 {
            found |= ahead(single, us).filter(is_empty).map_or(0, Square::bit);
        }
    }
    found & parries(position)
}

fn check(found: &Found, expected: &[(Square, u64)], about: &str) {
    assert_eq!(found.left, set(expected.iter().map(|&(square, _)| square)), "{about}");
    for &(square, class) in expected {
        assert_eq!(found.class(square), class, "class of {square}: {about}");
    }
}

fn of_class_0(squares: Bitboard) -> Vec<(Square, u64)> {
    in_order(squares, Color::White)
        .into_iter()
        .map(|square| (square, 0))
        .collect()
}

#[test]
fn find_victim_and_find_attacker() {
    let mut stages = Stages::new();
    synthesis_check(&stages.relations.uut);
    synthesis_check(&stages.gates.uut);
    synthesis_check(&stages.receivers.uut);
    let mut counts = [0; 3];
    for position in positions(40, 150) {
        let victim = Thread {
            victim: true,
            ..thread_on(&position)
        };
        let found = stages.run(&position, victim, all(&position));
        let expected = victims(&position);
        check(&found, &expected, &format!("victims of {position}"));
        assert!(!found.illegal, "{position}");
        for (square, _) in expected {
            let passes = position.at(square).is_none() && !is_last_rank(square, position.turn());
            let captured = if passes { 1 } else { code_at(&position, square) };
            let attacker = Thread {
                attacker: true,
                origin: u64::from(square.byte()).into(),
                captured: u64::from(captured).into(),
                special: passes,
                ..thread_on(&position)
            };
            let found = stages.run(&position, attacker, every(&position, square));
            check(
                &found,
                &attackers(&position, square),
                &format!("attackers of {square}: {position}"),
            );
            counts[usize::from(passes) + 2 * usize::from(captured == 0)] += 1;
        }
    }
    assert!(
        counts.iter().all(|&count| count >= 3),
        "captures, en passant, promotions: {counts:?}"
    );
    stages.finish();
}

#[test]
fn find_quiet_and_find_push() {
    let mut stages = Stages::new();
    let (mut checks, mut castles) = (0, 0);
    for position in positions(41, 100) {
        let us = position.turn();
        let officers = position.side(us) & !position.pieces(us, Piece::Pawn);
        for origin in in_order(officers, us) {
            let thread = Thread {
                quiet: true,
                origin: u64::from(origin.byte()).into(),
                ..thread_on(&position)
            };
            let found = stages.run(&position, thread, one(&position, origin));
            let expected = quiet(&position, origin);
            check(
                &found,
                &of_class_0(expected),
                &format!("quiet moves from {origin}: {position}"),
            );
            castles += (origin == position.king(us) && expected & !attacks::king(origin) != 0) as u32;
        }
        let thread = Thread {
            push: true,
            ..thread_on(&position)
        };
        let found = stages.run(&position, thread, all(&position));
        check(&found, &of_class_0(pushes(&position)), &format!("pushes: {position}"));
        assert_eq!(found.in_check, position.in_check(), "{position}");
        checks += u32::from(found.in_check);
    }
    assert!(checks >= 5 && castles >= 3, "{checks} checks, {castles} castlings");
    stages.finish();
}

/// Positions with a king and rooks at home: own pieces here and there between them, enemy pieces that may look there.
fn castling_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut planes = Planes::default();
        for (file, piece) in [(0, Piece::Rook), (4, Piece::King), (7, Piece::Rook)] {
            planes.toggle(Color::White, piece, Square::at(file, 0).bit());
        }
        for file in [1, 2, 3, 5, 6] {
            if random.below(8) == 0 {
                planes.toggle(Color::White, Piece::Knight, Square::at(file, 0).bit());
            }
        }
        planes.toggle(
            Color::Black,
            Piece::King,
            Square::new(40 + random.below(24) as u8).bit(),
        );
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop] {
            let square = Square::new(8 + random.below(32) as u8);
            if planes.at(square).is_none() {
                planes.toggle(Color::Black, piece, square.bit());
            }
        }
        let rights = Castling::from_bits(pick(&mut random, &[1, 2, 3, 3]));
        let position = Position::new(planes, Color::White, rights, None);
        let is_mirrored = random.below(2) == 0;
        found.extend(position.map(|position| if is_mirrored { position.mirrored() } else { position }));
    }
    found
}

#[test]
fn castling_needs_an_empty_and_a_safe_way() {
    let mut stages = Stages::new();
    let mut castles = [0; 3];
    for position in castling_positions(46, 300) {
        let king = position.king(position.turn());
        let thread = Thread {
            quiet: true,
            origin: u64::from(king.byte()).into(),
            ..thread_on(&position)
        };
        let found = stages.run(&position, thread, one(&position, king));
        let expected = quiet(&position, king);
        check(&found, &of_class_0(expected), &format!("king's moves: {position}"));
        castles[(expected & !attacks::king(king)).count_ones() as usize] += 1;
    }
    assert!(
        castles.iter().all(|&count| count >= 10),
        "neither way, one, both: {castles:?}"
    );
    stages.finish();
}

#[test]
fn the_killer_is_tried_alone_and_then_left_out() {
    let mut stages = Stages::new();
    let mut random = SplitMix64::new(42);
    let mut reached = 0;
    for position in positions(43, 150) {
        let us = position.turn();
        let officers = in_order(position.side(us) & !position.pieces(us, Piece::Pawn), us);
        // A killer that may well be a move here, or any two squares.
        let origin = match random.below(4) {
            0 => Square::new(random.below(64) as u8),
            _ => pick(&mut random, &officers),
        };
        let squares = in_order(quiet(&position, origin), us);
        let to = match random.below(4) {
            0 => Square::new(random.below(64) as u8),
            _ if squares.is_empty() => origin,
            _ => pick(&mut random, &squares),
        };
        let killer = Move::new(origin, to);
        let with_killer = Thread {
            origin: u64::from(origin.byte()).into(),
            killer: u64::from(killer.bits()).into(),
            has_killer: true,
            ..thread_on(&position)
        };
        let of_piece = quiet(&position, origin);
        let killing = Thread {
            killing: true,
            ..with_killer
        };
        let found = stages.run(&position, killing, one(&position, origin));
        check(
            &found,
            &of_class_0(of_piece & to.bit()),
            &format!("killer {killer}: {position}"),
        );
        reached += u32::from(found.left != 0);

        for origin in [origin, pick(&mut random, &officers)] {
            let thread = Thread {
                quiet: true,
                origin: u64::from(origin.byte()).into(),
                ..with_killer
            };
            let found = stages.run(&position, thread, one(&position, origin));
            let mut expected = quiet(&position, origin);
            if origin == killer.from() {
                expected &= !to.bit();
            }
            check(
                &found,
                &of_class_0(expected),
                &format!("{origin} with killer {killer}: {position}"),
            );
        }
    }
    assert!(reached >= 30, "{reached} killers");
    stages.finish();
}

#[test]
fn a_move_that_leaves_the_king_attacked_is_illegal() {
    let mut stages = Stages::new();
    let mut random = SplitMix64::new(44);
    let mut illegal = 0;
    for mut position in positions(45, 400) {
        let us = position.turn();
        let officers = position.side(us) & !position.pieces(us, Piece::Pawn) & !position.pieces(us, Piece::King);
        let moves: Vec<Move> = in_order(officers, us)
            .into_iter()
            .flat_map(|from| {
                let [rook, bishop, knight] = one(&position, from);
                let to = (rook | bishop | knight) & !position.side(us) & !position.pieces(!us, Piece::King);
                in_order(to, us).into_iter().map(move |to| Move::new(from, to))
            })
            .collect();
        if moves.is_empty() {
            continue;
        }
        let mv = pick(&mut random, &moves);
        position.make(mv);
        let thread = Thread {
            enter: true,
            victim: true,
            ..thread_on(&position)
        };
        let found = stages.run(&position, thread, all(&position));
        let king = position.king(us);
        let expected = position.attackers(king, !us, position.occupied()) != 0;
        assert_eq!(found.illegal, expected, "{position} after {mv}");
        illegal += u32::from(expected);
    }
    assert!(illegal >= 10, "{illegal} illegal moves");
    stages.finish();
}

#[test]
fn a_king_beside_the_other_is_illegal() {
    let mut stages = Stages::new();
    let fen = "8/8/8/8/8/2k5/8/K7 w - - 0 1";
    let start = fen.parse::<Fen>().expect("a position").position;
    let position = start.after("a1b2".parse().expect("a move"));
    let thread = Thread {
        enter: true,
        victim: true,
        ..thread_on(&position)
    };
    let found = stages.run(&position, thread, all(&position));
    assert!(found.illegal, "{position}");
    stages.finish();
}

#[test]
fn placement_differences_are_added_and_subtracted() {
    let mut cosim = Cosim::new(Receivers::default(), |uut| &mut uut.clock);
    let mut random = SplitMix64::new(47);
    for _ in 0..200 {
        let mut number = || random.next_u64() as i16;
        let (mg, eg, phase) = (number(), number(), number() as i8);
        let (added_mg, added_eg, added_phase) = (number(), number(), number() as i8);
        let (minus, phase_minus) = (random.below(2) == 1, random.below(2) == 1);
        let thread = |mg: i16, eg: i16, phase: i8| Thread {
            mg: u64::from(mg as u16).into(),
            eg: u64::from(eg as u16).into(),
            phase: u64::from(phase as u8).into(),
            ..Thread::default()
        };
        cosim.cycle(|uut| {
            uut.thread_in.next = thread(mg, eg, phase);
            uut.added_mg.next = u64::from((if minus { !added_mg } else { added_mg }) as u16).into();
            uut.added_eg.next = u64::from((if minus { !added_eg } else { added_eg }) as u16).into();
            uut.added_phase.next = u64::from((if phase_minus { !added_phase } else { added_phase }) as u8).into();
            uut.added_carry.next = minus;
            uut.added_phase_carry.next = phase_minus;
        });
        let sum = |number: i16, added: i16| number.wrapping_add(if minus { added.wrapping_neg() } else { added });
        let phase_added = if phase_minus {
            added_phase.wrapping_neg()
        } else {
            added_phase
        };
        let expected = thread(sum(mg, added_mg), sum(eg, added_eg), phase.wrapping_add(phase_added));
        assert_eq!(cosim.uut.thread_out.val(), expected);
    }
    cosim.finish();
}
