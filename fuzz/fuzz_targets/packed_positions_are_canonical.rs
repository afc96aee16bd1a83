//! Bytes either do not unpack, or unpack to a position that packs to the same bytes and whose moves can be made.

#![no_main]

use bluebelle_spec::PackedPosition;
use bluebelle_spec::leaf::legal_moves;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: [u8; 26]| {
    let packed: PackedPosition = bytemuck::cast(bytes);
    let Ok(position) = packed.unpack() else { return };
    assert_eq!(PackedPosition::pack(&position), packed);
    for mv in legal_moves(&position) {
        let next = position.after(mv);
        assert_eq!(PackedPosition::pack(&next).unpack(), Ok(next), "after {mv}");
    }
});
