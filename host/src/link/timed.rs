use std::time::Duration;

use bluebelle_sim::{ModelChip, ModelConfig};
use bluebelle_spec::Weights;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{Instant, sleep_until};

use super::{Line, Link, Opening};

/// A board that exists in tokio's time only: the golden model, whose jobs take slots × stages / clock and whose frames take
/// bytes / line rate. Under a paused clock it is as fast as the board it stands for, whatever this machine is.
pub struct Timed {
    name: String,
    config: ModelConfig,
    bytes_per_second: f64,
}

/// Bytes on their way in one direction, before the sender must wait.
const PIPE: usize = 1 << 16;

impl Timed {
    /// A board with this chip, behind a line of this rate.
    pub fn new(name: &str, config: ModelConfig, bytes_per_second: f64) -> Timed {
        Timed {
            name: name.to_owned(),
            config,
            bytes_per_second,
        }
    }
}

impl Link for Timed {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&mut self) -> Opening<'_> {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let chip = ModelChip::new(&self.config, Weights::standard());
        tokio::spawn(live(chip, theirs, self.bytes_per_second));
        Box::pin(async { Ok(Box::new(ours) as Box<dyn Line>) })
    }

    fn bytes_per_second(&self) -> Option<f64> {
        Some(self.bytes_per_second)
    }
}

/// The life of the board, until its line is dropped.
async fn live(mut chip: ModelChip, mut line: DuplexStream, rate: f64) {
    let cycles_per_second = f64::from(chip.identity().clock_khz) * 1000.0;
    let born = Instant::now();
    let cycle_at = |time: Instant| ((time - born).as_secs_f64() * cycles_per_second) as u64;
    let time_of = |cycle: u64| born + Duration::from_secs_f64(cycle as f64 / cycles_per_second);
    let on_the_line = |bytes: usize| Duration::from_secs_f64(bytes as f64 / rate);
    // When the line is free again, each way.
    let (mut in_free, mut out_free) = (born, born);
    // What has left the host and not yet arrived, and what the chip says that has not yet arrived.
    let mut arriving: Option<(Instant, Vec<u8>)> = None;
    let mut leaving: Option<(Instant, Vec<u8>)> = None;
    let mut buffer = vec![0; 256];
    loop {
        if leaving.is_none() {
            let said = chip.take_output();
            if !said.is_empty() {
                out_free = out_free.max(Instant::now()) + on_the_line(said.len());
                leaving = Some((out_free, said));
            }
        }
        // A cycle late, so that rounding never asks for the same job twice.
        let next_end = chip.next_end().map(|cycle| time_of(cycle + 1));
        tokio::select! {
            biased;
            () = until(leaving.as_ref().map(|leaving| leaving.0)) => {
                if let Some((_, bytes)) = leaving.take()
                    && line.write_all(&bytes).await.is_err()
                {
                    return;
                }
            }
            () = until(arriving.as_ref().map(|arriving| arriving.0)) => {
                chip.advance_to(cycle_at(Instant::now()));
                if let Some((_, bytes)) = arriving.take() {
                    chip.hear(&bytes);
                }
            }
            () = until(next_end) => chip.advance_to(cycle_at(Instant::now())),
            read = line.read(&mut buffer), if arriving.is_none() => match read {
                Ok(length @ 1..) => {
                    in_free = in_free.max(Instant::now()) + on_the_line(length);
                    arriving = Some((in_free, buffer[..length].to_vec()));
                }
                Ok(0) | Err(_) => return,
            },
        }
    }
}

/// Until then; forever, if never.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
