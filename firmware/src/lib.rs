//! From the chip to a flashed board, with open tools only.
//!
//! A [`Board`] is one declarative value in [`boards`]. [`Design`] is the chip with the board's [`pll`] and pins around it, as
//! Verilog and a constraint file; [`build`](build::build) makes a bitstream and a [`Report`] of it; [`flash`] sends it to the
//! board, and [`netlist`] to a simulator. The [`tools`] are those on the PATH, or YoWASP's.

pub mod board;
pub mod boards;
pub mod build;
pub mod device;
pub mod flash;
pub mod netlist;
pub mod pll;
pub mod report;
pub mod sdram;
pub mod tools;
pub mod verilog;

mod constraints;
mod design;
mod floorplan;

pub use board::Board;
pub use design::{Design, DesignError, constraint_file, wrapper};
pub use report::Report;
