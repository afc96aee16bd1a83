//! Whether a netlist fits.

use super::BuildError;
use crate::board::Board;
use crate::device::{Family, Resources};

/// What a netlist takes, from Yosys' `stat -json`.
pub(super) fn count(stat: &str, family: Family) -> Resources {
    let stat: serde_json::Value = serde_json::from_str(stat).unwrap_or_default();
    let cells = &stat["design"]["num_cells_by_type"];
    let of = |names: &[&str], each: u32| {
        let counts = names.iter().filter_map(|name| cells[name].as_u64());
        counts.sum::<u64>() as u32 * each
    };
    match family {
        Family::Ecp5 => Resources {
            // A carry cell takes two LUTs; a small RAM four, and two more to write it.
            luts: of(&["LUT4"], 1) + of(&["CCU2C"], 2) + of(&["TRELLIS_DPR16X4"], 6),
            flip_flops: of(&["TRELLIS_FF"], 1),
            block_rams: of(&["DP16KD", "PDPW16KD"], 1),
            multipliers: of(&["MULT18X18D"], 1),
        },
        Family::Gowin => Resources {
            luts: of(&["LUT1", "LUT2", "LUT3", "LUT4", "ALU"], 1) + of(&["RAM16SDP4"], 4),
            flip_flops: of(&["DFF", "DFFE", "DFFR", "DFFRE", "DFFS", "DFFSE"], 1),
            block_rams: of(&["SDPB", "SDPX9B", "DPB", "DPX9B", "SPB", "pROM"], 1),
            multipliers: of(&["MULT18X18", "MULT9X9"], 1),
        },
        Family::Ice40 => Resources {
            luts: of(&["SB_LUT4"], 1),
            flip_flops: of(
                &["SB_DFF", "SB_DFFE", "SB_DFFSR", "SB_DFFSS", "SB_DFFESR", "SB_DFFESS"],
                1,
            ),
            block_rams: of(&["SB_RAM40_4K"], 1),
            multipliers: of(&["SB_MAC16"], 1),
        },
    }
}

/// Whether the device has room for all of it.
pub(super) fn check_capacity(board: &Board, cores: usize, needed: Resources) -> Result<(), BuildError> {
    let has = &board.device.capacity;
    let compared = [
        ("LUTs", needed.luts, has.luts),
        ("flip-flops", needed.flip_flops, has.flip_flops),
        ("block RAMs", needed.block_rams, has.block_rams),
        ("multipliers", needed.multipliers, has.multipliers),
    ];
    let over: Vec<_> = compared.iter().filter(|(_, needed, has)| needed > has).collect();
    if over.is_empty() {
        return Ok(());
    }
    let needs: Vec<String> = over
        .iter()
        .map(|(what, needed, has)| format!("{needed} {what} of {has}"))
        .collect();
    let fit = over
        .iter()
        .map(|(_, needed, has)| cores * *has as usize / *needed as usize)
        .min();
    let advice = match (fit, board.unfit) {
        (Some(fit @ 1..), _) => format!("try --cores {fit}"),
        (_, Some(why)) => why.to_owned(),
        _ => "this board is too small; see `bluebelle boards`".to_owned(),
    };
    Err(BuildError::Full {
        cores,
        device: board.device.name,
        needs: needs.join(", "),
        advice,
    })
}
