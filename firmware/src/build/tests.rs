use super::*;
use crate::boards;
use crate::device::Resources;

const STAT: &str = r#"{"modules": {}, "design": {"num_cells_by_type":
    {"LUT4": 20000, "CCU2C": 1000, "TRELLIS_DPR16X4": 100, "DP16KD": 43, "MULT18X18D": 30, "TRELLIS_FF": 9}}}"#;

#[test]
fn a_full_device_says_what_is_missing() {
    let needed = count(STAT, Family::Ecp5);
    assert_eq!(
        needed,
        Resources {
            luts: 22600,
            flip_flops: 9,
            block_rams: 43,
            multipliers: 30
        }
    );
    let small = boards::find("ulx3s-25f").expect("a board");
    let error = check_capacity(small, 2, needed).expect_err("30 of 28 multipliers");
    assert_eq!(
        error.to_string(),
        "2 cores do not fit into LFE5U-25F: 30 multipliers of 28; try --cores 1"
    );
    check_capacity(boards::find("ulx3s-45f").expect("a board"), 2, needed).expect("it fits");
    let smaller = boards::find("icebreaker").expect("a board");
    let error = check_capacity(smaller, 1, needed).expect_err("too small").to_string();
    assert!(error.contains("22600 LUTs of 5280, 43 block RAMs of 30"), "{error}");
    assert!(error.contains("does not exist yet"), "{error}");
}

#[test]
fn one_core_stands_for_all() {
    let board = boards::find("ulx3s-85f").expect("a board");
    assert!(!synthesis_script(board, 1).contains("chtype"));
    let script = synthesis_script(board, 3);
    let same = |core| format!("chtype -set top$chip$works$cores$0 t:top$chip$works$cores${core}; ");
    assert!(script.contains(&(same(1) + &same(2))), "{script}");
}

#[test]
fn multipliers_are_placed_where_there_is_a_floorplan() {
    let script = |name: &str, cores| synthesis_script(boards::find(name).expect("a board"), cores);
    let first =
        r#"setattr -set BEL "X14/Y10/MULT18_1" board/c:chip.chip.works.cores$0.weigh.terms$0$d_MULT18X18D_P*; "#;
    assert!(script("ulx3s-85f", 6).contains(first), "{}", script("ulx3s-85f", 6));
    assert!(!script("ulx3s-45f", 3).contains("BEL"));
}

#[test]
fn tools_are_told_the_device() {
    let routed = route_arguments(boards::find("ulx3s-85f").expect("a board"), 62.5, 3).join(" ");
    assert_eq!(
        routed,
        "--85k --package CABGA381 --speed 6 --lpf board.lpf --textcfg routed-3.config --placer static \
         --json synthesis.json --freq 62.5 --seed 3 --timing-allow-fail --report route-3.json"
    );
    let (file, packed) = pack_arguments(boards::find("tang-nano-20k").expect("a board"), 1);
    assert_eq!(
        (file, packed.join(" ").as_str()),
        ("chip.fs", "-d GW2A-18C -o chip.fs routed-1.json")
    );
}
