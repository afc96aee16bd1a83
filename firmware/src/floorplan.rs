//! Where the multipliers of each core go, on a device with many cores.
//!
//! nextpnr's static placer settles multipliers late, where there is room: up to 93 columns away from their core, which made them the slowest
//! paths of six cores. Fixed side by side they draw their core to themselves: each core then has half of a row of multipliers, and a sixth of
//! the device around it.

use crate::device::Device;

/// A cell that has its place before all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// Its name in the netlist, as a pattern of Yosys'.
    pub(crate) cell: String,
    /// The place, as nextpnr calls it.
    pub(crate) bel: String,
}

/// The device whose rows these are, and how many cores they are for.
const DEVICE: &str = "LFE5U-85F";
const MOST_CORES: usize = 6;

/// The rows with multipliers, from the top; in each, the columns where the blocks in the middle of the left and right halves begin.
const ROWS: [usize; 3] = [10, 34, 58];
const BLOCKS: [[usize; 5]; 2] = [[13, 22, 31, 40, 49], [69, 78, 87, 96, 105]];

/// The multipliers of a block of nine columns, each in the column of its number.
const IN_BLOCK: [usize; 4] = [0, 1, 4, 5];

/// Jobs go from core to core: neighbours are beside or below each other, back and forth.
const HALVES: [usize; MOST_CORES] = [0, 1, 1, 0, 0, 1];

/// What is multiplied, along the row: the terms of the evaluation, and in their middle what becomes of their sum.
const PRODUCTS: [&str; 17] = [
    "terms$0$d",
    "terms$1$d",
    "terms$2$d",
    "terms$3$d",
    "terms$4$d",
    "terms$5$d",
    "terms$6$d",
    "product",
    "major_8$d",
    "minor_8$d",
    "terms$7$d",
    "terms$8$d",
    "terms$9$d",
    "terms$10$d",
    "terms$11$d",
    "terms$12$d",
    "terms$13$d",
];

/// The places of all multipliers; none on a device that has no floorplan, or for one core, which nextpnr keeps together by itself.
pub(crate) fn anchors(device: &Device, cores: usize) -> Vec<Anchor> {
    if device.name != DEVICE || !(2..=MOST_CORES).contains(&cores) {
        return Vec::new();
    }
    let of_core = |core: usize| {
        let row = ROWS[core / 2];
        let blocks = BLOCKS[HALVES[core]].into_iter();
        let places = blocks.flat_map(|block| IN_BLOCK.map(|place| (block + place, place)));
        // In the middle of 20 places.
        PRODUCTS
            .into_iter()
            .zip(places.skip(1))
            .map(move |(product, (column, place))| Anchor {
                cell: format!("chip.chip.works.cores${core}.weigh.{product}_MULT18X18D_P*"),
                bel: format!("X{column}/Y{row}/MULT18_{place}"),
            })
    };
    (0..cores).flat_map(of_core).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::device::{LFE5U_45F, LFE5U_85F};

    #[test]
    fn every_multiplier_has_a_place_of_its_own() {
        let anchors = anchors(&LFE5U_85F, 6);
        assert_eq!(anchors.len(), 102);
        let places: HashSet<&str> = anchors.iter().map(|anchor| anchor.bel.as_str()).collect();
        let cells: HashSet<&str> = anchors.iter().map(|anchor| anchor.cell.as_str()).collect();
        assert_eq!((places.len(), cells.len()), (102, 102));
        assert_eq!(anchors[0].bel, "X14/Y10/MULT18_1");
        assert_eq!(
            anchors[101].cell,
            "chip.chip.works.cores$5.weigh.terms$13$d_MULT18X18D_P*"
        );
    }

    #[test]
    fn where_there_is_no_floorplan_nothing_is_placed() {
        assert_eq!(anchors(&LFE5U_85F, 1), []);
        assert_eq!(anchors(&LFE5U_85F, 7), []);
        assert_eq!(anchors(&LFE5U_45F, 3), []);
    }
}
