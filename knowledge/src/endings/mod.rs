//! Endgame tables: what every position with up to five men is worth, computed once and kept in files.
mod generate;
mod index;
mod material;
mod value;

pub use material::{MOST_MEN, Material, MaterialError};
pub use value::{Kind, Value, Wdl};

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    #[test]
    fn krk() {
        let bare = Arc::new(generate::Whole::bare());
        for text in ["KRvK", "KQvK", "KBvK"] {
            let ground = generate::Ground::new(text.parse().unwrap(), |_| Some(bare.clone())).unwrap();
            for kind in [Kind::Mate, Kind::Conversion] {
                let codes = generate::generate(&ground, kind, 2, None, |_| Ok(())).unwrap();
                let max = codes.iter().filter(|&&c| c != u16::MAX).max();
                let mates = codes.iter().filter(|&&c| c == 1).count();
                println!("{text} {kind:?} {max:?} {mates}");
            }
        }
    }
}
