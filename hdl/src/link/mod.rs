//! The link: from bytes to requests, and from replies to bytes.
//!
//! ```text
//! rx → UartRx → ByteFifo → CobsDecode → Request → jobs, weights, aborts
//! tx ← UartTx ←──────────── CobsEncode ← Reply ← results, counters
//! ```
//!
//! Or, instead of bytes, through rings that the host maps:
//!
//! ```text
//! AXI4-Lite → AxiLite → Window → RingReader → FrameBuffer → Request
//!                         │ ←──── RingWriter ←───────────── Reply
//! ```

mod axi_lite;
mod byte_fifo;
mod cobs_decode;
mod cobs_encode;
mod crc32;
mod frame_buffer;
mod limits;
mod reply;
mod request;
mod ring_link;
mod ring_reader;
mod ring_writer;
mod uart_rx;
mod uart_tx;
mod unpack;
mod window;

pub use axi_lite::AxiLite;
pub use byte_fifo::ByteFifo;
pub use cobs_decode::CobsDecode;
pub use cobs_encode::CobsEncode;
pub use crc32::Crc32;
pub use frame_buffer::FrameBuffer;
pub use limits::Limits;
pub use reply::Reply;
pub use request::Request;
pub use ring_link::RingLink;
pub use ring_reader::RingReader;
pub use ring_writer::RingWriter;
pub use uart_rx::UartRx;
pub use uart_tx::UartTx;
pub use unpack::Unpack;
pub use window::Window;
