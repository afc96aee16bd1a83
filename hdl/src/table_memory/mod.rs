//! The memory of a transposition table: entries of 64 bits in an SDRAM chip beside the FPGA.
//!
//! ```text
//! requests → WaitingLine (reads)  ┐
//!          → WaitingLine (writes) ┴→ TableMemory ⇄ BankTimer × 4 → pins of the SDRAM
//!                                        ↑
//!                                     Upkeep: power-up, refresh
//! ```
//!
//! An entry is one burst: 4 words of 16 bits, or 2 of 32. Each access opens a row, reads or writes
//! the burst, and closes the row, and the row of the next access opens while the burst of the one
//! before is on its way. [`Device`] has the times of the chips that boards carry, and
//! [`Device::timing`] what they are in cycles of a clock.

mod arbiter;
mod bank_timer;
pub mod device;
mod lut_memory;
mod preset;
mod upkeep;
mod waiting_line;

mod controller;

pub use arbiter::TableArbiter;
pub use bank_timer::BankTimer;
pub use controller::TableMemory;
pub use device::{Device, Timing, TimingError};
pub use lut_memory::LutMemory;
pub use preset::Preset;
pub use upkeep::Upkeep;
pub use waiting_line::WaitingLine;
