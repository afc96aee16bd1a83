//! `bluebelle endings report`: sizes, shares of wins, and the longest wins.

use std::process::ExitCode;

use bluebelle_knowledge::endings::{Kind, Material, Tables};
use bluebelle_spec::Position;
use serde::Serialize;

use super::{Folder, Which};
use crate::output::say;

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    folder: Folder,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    tables: Vec<Table>,
    /// Bytes of win, draw and loss of all these tables.
    wdl_bytes: u64,
}

#[derive(Serialize)]
struct Table {
    material: String,
    /// With White to move; then with Black to move, unless both sides have the same men.
    sides: Vec<Side>,
    files: Vec<Size>,
}

/// Placements up to symmetry; mirror images at the diagonal of both kings count as two.
#[derive(Serialize)]
struct Side {
    turn: char,
    wins: u64,
    draws: u64,
    losses: u64,
    longest_mate: Option<Longest>,
    longest_conversion: Option<Longest>,
}

#[derive(Serialize)]
struct Longest {
    moves: u16,
    fen: String,
}

impl Longest {
    fn of(&(moves, position): &(u16, Position)) -> Longest {
        Longest {
            moves,
            fen: format!("{position} 0 1"),
        }
    }
}

#[derive(Serialize)]
struct Size {
    kind: &'static str,
    bytes: u64,
    positions_a_byte: f64,
}

impl Table {
    fn of(tables: &Tables, material: Material) -> anyhow::Result<Table> {
        let mate = tables.survey(material, Kind::Mate)?;
        let conversion = tables.survey(material, Kind::Conversion)?;
        let sides = (0..if material.is_symmetric() { 1 } else { 2 }).map(|side| {
            let [wins, draws, losses] = mate.counts[side];
            Side {
                turn: ['w', 'b'][side],
                wins,
                draws,
                losses,
                longest_mate: mate.longest[side].as_ref().map(Longest::of),
                longest_conversion: conversion.longest[side].as_ref().map(Longest::of),
            }
        });
        let positions: u64 = mate.counts.as_flattened().iter().sum();
        let size = |kind: Kind| {
            let (bytes, _) = tables.size(material, kind)?;
            Some(Size {
                kind: kind.extension(),
                bytes,
                positions_a_byte: positions as f64 / bytes as f64,
            })
        };
        Ok(Table {
            material: material.to_string(),
            sides: sides.collect(),
            files: Kind::ALL.into_iter().filter_map(size).collect(),
        })
    }

    fn print(&self) -> anyhow::Result<()> {
        say!("{}", self.material);
        for side in &self.sides {
            let all = (side.wins + side.draws + side.losses).max(1) as f64 / 100.0;
            say!(
                "  {} to move: {:.1} % won, {:.1} % drawn, {:.1} % lost",
                side.turn,
                side.wins as f64 / all,
                side.draws as f64 / all,
                side.losses as f64 / all
            );
            let longest = [("mate", &side.longest_mate), ("conversion", &side.longest_conversion)];
            for (what, longest) in longest {
                if let Some(Longest { moves, fen }) = longest {
                    say!("    longest win to {what}: {moves} moves, {fen}");
                }
            }
        }
        for size in &self.files {
            say!(
                "  {}: {} bytes, {:.1} positions a byte",
                size.kind,
                size.bytes,
                size.positions_a_byte
            );
        }
        Ok(())
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let tables = arguments.folder.open()?;
    let mut report = Report {
        tables: Vec::new(),
        wdl_bytes: 0,
    };
    for material in arguments.which.of(&tables) {
        let table = Table::of(&tables, material)?;
        if !arguments.json {
            table.print()?;
        }
        report.wdl_bytes += tables.size(material, Kind::Wdl).map_or(0, |(bytes, _)| bytes);
        report.tables.push(table);
    }
    if arguments.json {
        say!("{}", serde_json::to_string(&report)?);
    } else {
        say!(
            "{} tables, {} bytes of win, draw and loss",
            report.tables.len(),
            report.wdl_bytes
        );
    }
    Ok(ExitCode::SUCCESS)
}
