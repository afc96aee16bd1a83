//! The link: from bytes to requests, and from replies to bytes.
//!
//! ```text
//! rx → UartRx → ByteFifo → CobsDecode → Request → jobs, weights, aborts
//! tx ← UartTx ←──────────── CobsEncode ← Reply ← results, counters
//! ```

mod byte_fifo;
mod cobs_decode;
mod cobs_encode;
mod crc32;
mod limits;
mod reply;
mod request;
mod uart_rx;
mod uart_tx;
mod unpack;

pub use byte_fifo::ByteFifo;
pub use cobs_decode::CobsDecode;
pub use cobs_encode::CobsEncode;
pub use crc32::Crc32;
pub use limits::Limits;
pub use reply::Reply;
pub use request::Request;
pub use uart_rx::UartRx;
pub use uart_tx::UartTx;
pub use unpack::Unpack;
