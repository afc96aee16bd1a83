use bluebelle_knowledge::endings::Builder;

use super::*;

/// King and rook: the counts are known, and the literal formula has the means that backward induction
/// on a solver of its own has (`knowledge/tests/theory/krk.rs`).
#[test]
fn king_and_rook_have_their_known_figures() {
    let folder = std::env::temp_dir().join(format!("bluebelle-study-{}", std::process::id()));
    let material: Material = "KRvK".parse().expect("a material");
    Builder::new(&folder).build(&[material], |_| ()).expect("tables");
    let tables = Tables::open(&folder).expect("tables");
    let merit = |kilopoints| Merit::new(kilopoints).expect("a merit");
    let merits = [merit(0.0), merit(2.0)];
    let literal = Study::new(&tables, material, &merits, true, |_, _| ()).expect("a study");
    assert_eq!(literal.counts, [175_168, 0, 0]);
    assert_eq!(literal.distances.last().map(|&(moves, _)| moves), Some(16));
    for (row, expected) in literal.rows.iter().zip([0.008, 0.272]) {
        let found = row.means[0].expect("won positions");
        assert!((found - expected).abs() <= 0.005, "{}: {found}", row.merit);
    }
    let fitted = Study::new(&tables, material, &merits, false, |_, _| ()).expect("a study");
    let won = fitted.rows[1].means[0].expect("won positions");
    assert!(won >= 0.85, "a player of merit 2 wins {won}");
    let page = page(&fitted, "bluebelle study KRvK");
    assert!(page.contains("<svg") && !page.contains("NaN") && page.contains("KRvK"));
    std::fs::remove_dir_all(folder).expect("the folder is there");
}
