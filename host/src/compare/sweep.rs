use std::time::Duration;

use bluebelle_sim::LeafCache;

use super::outcome::SweepRow;
use super::verdict::limit;
use super::{Searched, search_projected};
use crate::accelerated::Style;
use crate::game::Game;
use crate::limits::Limits;
use crate::link::LineModel;
use crate::projection::{BoardModel, Setup, share};

/// One variation of a setup.
#[derive(Clone, Debug)]
pub struct Sweep {
    kind: &'static str,
    label: String,
    value: f64,
    setup: Setup,
}

/// A line that is hardly ever the limit: 100 MB/s and 10 µs, as PCIe has.
const PCIE_LIKE: LineModel = LineModel {
    bytes_per_second: 100e6,
    latency: Duration::from_micros(10),
    jitter: Duration::ZERO,
    seed: 1,
};

/// Variations of a setup, one thing at a time; then leaf depth and line together.
pub fn sweeps(base: &Setup) -> Vec<Sweep> {
    let of = |kind, label: String, value: f64, setup| Sweep {
        kind,
        label,
        value,
        setup,
    };
    let leaf = |depth| Style {
        leaf_depth: depth,
        ..base.style
    };
    let mut all = Vec::new();
    for cores in [1, 2, 4, 8, 12, 16] {
        let board = BoardModel { cores, ..base.board };
        let setup = Setup { board, ..*base };
        all.push(of("cores", format!("{cores} cores"), cores as f64, setup));
    }
    for boards in 1..=4 {
        let setup = Setup { boards, ..*base };
        all.push(of("boards", format!("{boards} boards"), boards as f64, setup));
    }
    for depth in 2..=7u8 {
        let setup = Setup {
            style: leaf(depth),
            ..*base
        };
        all.push(of(
            "leaf depth",
            format!("leaves of {depth} plies"),
            depth.into(),
            setup,
        ));
    }
    for baud in [115_200.0, 1e6, 3e6, 12e6, f64::INFINITY] {
        let (label, line) = match baud.is_finite() {
            true => {
                let rate = baud / 10.0;
                let line = LineModel {
                    bytes_per_second: rate,
                    ..base.line
                };
                (format!("{} baud", super::plot::short(baud)), line)
            }
            false => ("100 MB/s, 10 µs".to_owned(), PCIE_LIKE),
        };
        for depth in 3..=6 {
            let setup = Setup {
                line,
                style: leaf(depth),
                ..*base
            };
            all.push(of("link", label.clone(), line.bytes_per_second, setup));
        }
    }
    all
}

impl Sweep {
    /// Searches some positions, whose software searches are known.
    ///
    /// # Errors
    /// If the system gives no runtime.
    pub fn run(
        &self,
        positions: &[(Game, &Searched)],
        limits: &Limits,
        cache: &LeafCache,
    ) -> std::io::Result<SweepRow> {
        let (mut software, mut accelerated, mut nodes, mut whole) = (0.0, 0.0, 0.0, 0.0);
        let mut busy = [0.0; 4];
        for (game, searched) in positions {
            let found = search_projected(&self.setup, game, limits, cache)?;
            let depth = searched.last_depth().min(found.last_depth());
            if let (Some(theirs), Some(ours)) = (searched.at(depth), found.at(depth)) {
                software += theirs.time.as_secs_f64();
                accelerated += ours.time.as_secs_f64();
                nodes += ours.nodes as f64;
            }
            whole += found.time;
            let hardware = found.hardware.unwrap_or_default();
            let shares = [hardware.busy, hardware.link_out, hardware.link_in, hardware.host_busy];
            for (sum, share) in busy.iter_mut().zip(shares) {
                *sum += share * found.time;
            }
        }
        let [hardware_busy, link_out, link_in, host_busy] = busy.map(|sum| share(sum, whole));
        Ok(SweepRow {
            kind: self.kind,
            label: self.label.clone(),
            value: self.value,
            leaf_depth: self.setup.style.leaf_depth,
            speedup: share(software, accelerated),
            nps: share(nodes, accelerated),
            hardware_busy,
            link_out,
            link_in,
            host_busy,
            limit: limit(hardware_busy, link_out.max(link_in), host_busy),
        })
    }
}
