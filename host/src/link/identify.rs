use std::io;
use std::time::Duration;

use bluebelle_spec::wire::{Decoder, Identity, Message, Reply, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout, timeout_at};

use super::Line;

/// How often *identify* is asked before a line counts as silent.
const TRIES: u32 = 3;

/// Why nobody said who they are.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Silence {
    /// The line is lost.
    #[error("the line failed: {0}")]
    Line(io::Error),
    /// Nothing came back.
    #[error("no answer to identify")]
    Nothing,
    /// Something came back, but no answer.
    #[error("no answer to identify, but {0} bytes of something else: another device, or another speed")]
    Noise(usize),
}

/// By hand, because the text has the system's words already: a source would say them again.
impl From<io::Error> for Silence {
    fn from(error: io::Error) -> Silence {
        Silence::Line(error)
    }
}

/// Sends `before` and *identify*, and waits `patience` for the answer; asks again a few times, because the line may lose
/// bytes. What came before the answer is forgotten.
///
/// # Errors
/// If there is no answer.
pub async fn identify(
    line: &mut dyn Line,
    decoder: &mut Decoder<Reply>,
    before: &[u8],
    patience: Duration,
) -> Result<Identity, Silence> {
    // A delimiter first: the chip may have heard noise.
    let mut question = vec![0];
    question.extend(before);
    let asked = Request::Identify.encode_to(&mut question);
    debug_assert!(asked.is_ok(), "identify has no content");
    let mut heard = 0;
    let mut buffer = [0; 4096];
    for _ in 0..TRIES {
        let end = Instant::now() + patience;
        // A line that takes no bytes is as good as silent.
        match timeout(patience, line.write_all(&question)).await {
            Ok(written) => written?,
            Err(_) => continue,
        }
        while let Ok(read) = timeout_at(end, line.read(&mut buffer)).await {
            let length = read?;
            if length == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            heard += length;
            let replies = decoder.push(&buffer[..length]).filter_map(Result::ok);
            // The last one, if several tries are answered at once.
            if let Some(identity) = replies.filter_map(identity_in).last() {
                return Ok(identity);
            }
        }
    }
    Err(match heard {
        0 => Silence::Nothing,
        bytes => Silence::Noise(bytes),
    })
}

/// A board in a few words, as people compare boards.
pub fn describe(identity: &Identity) -> String {
    format!(
        "{} MHz, {} × {} threads, queue of {}, build {}",
        f64::from(identity.clock_khz) / 1000.0,
        identity.cores,
        identity.threads,
        identity.queue,
        build_name(&identity.build)
    )
}

/// The name of a bitstream: text, if it is text; otherwise its bytes.
pub fn build_name(build: &[u8; 16]) -> String {
    let text = std::str::from_utf8(build).map(|text| text.trim_end_matches(['\0', ' ']));
    match text {
        Ok(text) if !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() || c == ' ') => text.to_owned(),
        _ => build.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

fn identity_in(reply: Reply) -> Option<Identity> {
    match reply {
        Reply::Identity(identity) => Some(identity),
        Reply::Results(_) | Reply::Status(_) | Reply::Error(_) => None,
    }
}
