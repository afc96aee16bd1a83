//! The fixed layouts of the payloads: bytes only, so that every offset is the sum of the sizes before it.

use bytemuck::{Pod, Zeroable};

use crate::packed::PackedPosition;

/// Parameters of one job.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct JobBytes {
    pub(super) id: Le16,
    pub(super) common: CommonBytes,
    pub(super) first: Le16,
    pub(super) position: PackedPosition,
}

/// What comes before the children of a batch. What a job has too stands where a job has it.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BatchBytes {
    pub(super) step: LeI16,
    pub(super) common: CommonBytes,
    pub(super) count: Le16,
    pub(super) position: PackedPosition,
}

/// What jobs and batches share.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct CommonBytes {
    pub(super) task: u8,
    pub(super) reserved: u8,
    pub(super) beta: LeI16,
    pub(super) node_limit: Le32,
}

/// One child of a batch.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ChildBytes {
    pub(super) id: Le16,
    pub(super) first: Le16,
}

/// What the chip says about itself.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct IdentityBytes {
    pub(super) build: [u8; 16],
    pub(super) wire_version: u8,
    pub(super) cores: u8,
    pub(super) threads: u8,
    pub(super) stages: u8,
    pub(super) clock_khz: Le32,
    pub(super) queue: Le16,
    pub(super) max_children: Le16,
    pub(super) max_depth: u8,
    pub(super) max_perft_depth: u8,
    pub(super) max_ply: u8,
    pub(super) reserved: u8,
    pub(super) features: Le32,
    pub(super) weights_crc: Le32,
}

/// The result of one job.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ResultBytes {
    pub(super) id: Le16,
    pub(super) ending: u8,
    pub(super) reserved: u8,
    pub(super) score: LeI16,
    pub(super) best: Le16,
    pub(super) nodes: Le32,
    pub(super) slots: Le32,
}

/// The chip's counters.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct StatusBytes {
    pub(super) slots_busy: Le64,
    pub(super) slots_total: Le64,
    pub(super) jobs_done: Le32,
    pub(super) frames_ok: Le32,
    /// In the order of [`super::DropCause::ALL`].
    pub(super) dropped: [Le32; 7],
    pub(super) jobs_queued: Le16,
    pub(super) credits: Le16,
}

/// Why the chip did not do what a frame asked for.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct ErrorBytes {
    pub(super) code: u8,
    pub(super) kind: u8,
    pub(super) id: Le16,
}

/// A little-endian number without alignment, and so without padding around it.
macro_rules! little_endian {
    ($($name:ident $number:ty;)*) => {$(
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(transparent)]
        pub(super) struct $name([u8; size_of::<$number>()]);

        impl From<$number> for $name {
            fn from(value: $number) -> $name {
                $name(value.to_le_bytes())
            }
        }

        impl $name {
            pub(super) fn get(self) -> $number {
                <$number>::from_le_bytes(self.0)
            }
        }
    )*};
}

little_endian! {
    Le16 u16;
    LeI16 i16;
    Le32 u32;
    Le64 u64;
}

const _: () = assert!(size_of::<JobBytes>() == 38);
const _: () = assert!(size_of::<BatchBytes>() == 38);
const _: () = assert!(size_of::<CommonBytes>() == 8);
const _: () = assert!(size_of::<ChildBytes>() == 4);
const _: () = assert!(size_of::<IdentityBytes>() == 40);
const _: () = assert!(size_of::<ResultBytes>() == 16);
const _: () = assert!(size_of::<StatusBytes>() == 56);
const _: () = assert!(size_of::<ErrorBytes>() == 4);
