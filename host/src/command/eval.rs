use std::io;
use std::process::ExitCode;

use bluebelle_spec::eval::{Counts, PASSED, STRUCTURE, phase};
use bluebelle_spec::{AttackSets, Color, Evaluator, Fen, Piece, Position, Term, Weights};

use crate::input;
use crate::output::say;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The position: a FEN, or startpos
    #[arg(long, value_parser = input::position)]
    fen: Fen,

    #[command(flatten)]
    weights: input::WeightsArgument,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let position = &arguments.fen.position;
    print_board(position)?;
    Table::new(position, arguments.weights.get()).print()?;
    Ok(ExitCode::SUCCESS)
}

fn print_board(position: &Position) -> io::Result<()> {
    for rank in (0..8).rev() {
        let row: String = (0..8)
            .map(|file| {
                let at = position.at(bluebelle_spec::Square::at(file, rank));
                let letter = at.map_or('.', |(color, piece)| piece.letter(color));
                format!(" {letter}")
            })
            .collect();
        say!("{} {row}", rank + 1);
    }
    say!("   a b c d e f g h   {:?} to move\n", position.turn());
    Ok(())
}

/// Everything the evaluation adds up, seen from White's side.
struct Table<'a> {
    position: &'a Position,
    weights: &'a Weights,
    counts: [Counts; 2],
}

impl<'a> Table<'a> {
    fn new(position: &'a Position, weights: &'a Weights) -> Table<'a> {
        let sets = AttackSets::of(position);
        let us = position.turn();
        let own = Counts::of(position, us, &sets.own, sets.enemy.pawn);
        let enemy = Counts::of(position, !us, &sets.enemy, sets.own.pawn);
        Table {
            position,
            weights,
            counts: match us {
                Color::White => [own, enemy],
                Color::Black => [enemy, own],
            },
        }
    }

    fn print(&self) -> io::Result<()> {
        say!("{:22}{:>17}{:>17}{:>17}", "", "White", "Black", "difference");
        say!("{:22}{}", "", "       mg      eg".repeat(3));
        for piece in Piece::ALL {
            self.print_pair(&format!("{piece:?}s: placement"), |color| self.placement(color, piece))?;
        }
        for term in [Term::ShelterNear, Term::ShelterFar, Term::ShelterBare] {
            self.print_pair(term.name(), |color| (self.weighted(color, term), 0))?;
        }
        self.print_pair("passed pawns", |color| {
            let passed = PASSED.iter().map(|&term| self.weighted(color, term)).sum::<i32>();
            (passed >> 1, passed)
        })?;
        for term in STRUCTURE {
            self.print_pair(term.name(), |color| {
                let value = self.weighted(color, term);
                (value, value)
            })?;
        }
        let turn = self.position.turn();
        let tempo = self.weights.of(Term::Tempo);
        self.print_pair(Term::Tempo.name(), |color| match color == turn {
            true => (tempo, tempo),
            false => (0, 0),
        })?;
        let evaluator = Evaluator::new(self.weights);
        let value = evaluator.value(
            self.position,
            evaluator.placement(self.position),
            &AttackSets::of(self.position),
        );
        say!(
            "\nphase  {} of 32 (32: all pieces on the board, mg counts; 0: eg counts)",
            phase(self.position)
        );
        say!("value  {value} centipawns for {turn:?}, who is to move");
        Ok(())
    }

    fn print_pair(&self, name: &str, of: impl Fn(Color) -> (i32, i32)) -> io::Result<()> {
        let (white, black) = (of(Color::White), of(Color::Black));
        say!(
            "{name:22}{:9}{:8}{:9}{:8}{:9}{:8}",
            white.0,
            white.1,
            black.0,
            black.1,
            white.0 - black.0,
            white.1 - black.1
        );
        Ok(())
    }

    fn weighted(&self, color: Color, term: Term) -> i32 {
        self.weights.of(term) * self.counts[color.index()].get(term)
    }

    fn placement(&self, color: Color, piece: Piece) -> (i32, i32) {
        let pieces = self.position.pieces(color, piece);
        bluebelle_spec::Square::all()
            .filter(|square| pieces & square.bit() != 0)
            .map(|square| square.relative_to(color).index())
            .fold((0, 0), |(mg, eg), square| {
                let of = |table: &[[i16; 64]; 6]| i32::from(table[piece.index()][square]);
                (mg + of(&self.weights.placement_mg), eg + of(&self.weights.placement_eg))
            })
    }
}
