//! `verdigraph-load worker`: a scripted ComfyUI server in its own process, good or bad.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use verdigraph_scripted::{Fault, FaultKind, Options, Run, Scripted, Step, Variation};
use verdigraph_workers::cpu::server;

use crate::error::{Error, Result};

/// The command-line name of this process.
pub const COMMAND: &str = "worker";
/// Number of prepared faults. A process that takes more prompts has none left.
const MAX_FAULTS: usize = 20_000;

/// How a worker behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Like a stock server that takes `delay` for a prompt.
    Good,
    /// Starts prompts, and silently never ends about every other one.
    Hanging,
    /// Every prompt meets another fault: invalid JSON, server errors, cut connections, malformed frames, an end that
    /// its history contradicts.
    Garbage,
    /// Not scripted: the platform's CPU worker, which makes real pictures.
    Cpu,
}

impl Kind {
    /// Its command-line name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Hanging => "hanging",
            Self::Garbage => "garbage",
            Self::Cpu => "cpu",
        }
    }
}

/// Options of a worker.
#[derive(Debug, Clone, clap::Args)]
pub struct Worker {
    #[arg(long)]
    pub port: u16,
    #[arg(long, value_enum, default_value_t = Kind::Good)]
    pub kind: Kind,
    /// Duration of a prompt
    #[arg(long, default_value_t = 0)]
    pub delay_ms: u64,
    /// A prompt takes the duration for each of its samplers, and up to so many percent more or less
    #[arg(long)]
    pub noise_percent: Option<u32>,
    /// Delay of each output file
    #[arg(long, default_value_t = 0)]
    pub view_delay_ms: u64,
    /// Side of its pictures in pixels
    #[arg(long, default_value_t = 16)]
    pub image_side: u32,
    /// Seed of its faults and durations
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Records when prompts arrived, started and ended, for `GET /journal`
    #[arg(long)]
    pub journal: bool,
    /// The folder of the CPU worker
    #[arg(long)]
    pub data: PathBuf,
}

pub fn serve(worker: &Worker) -> Result<()> {
    if worker.kind == Kind::Cpu {
        return compute(worker.port, &worker.data);
    }
    let delay = Duration::from_millis(worker.delay_ms);
    let (image_side, journal, port) = (worker.image_side, worker.journal, worker.port);
    let view_delay = Duration::from_millis(worker.view_delay_ms);
    let variation = worker.noise_percent.map(|percent| Variation { percent, seed: worker.seed });
    let options = Options { delay, variation, view_delay, image_side, log: false, journal, port, ..Options::default() };
    let server = Scripted::start(options).map_err(Error::doing("the worker does not start"))?;
    let mut random = StdRng::seed_from_u64(worker.seed);
    match worker.kind {
        Kind::Good | Kind::Cpu => {}
        Kind::Hanging => hang(&server, &mut random, delay),
        Kind::Garbage => spoil(&server, &mut random),
    }
    println!("ready {}", server.url());
    loop {
        std::thread::park();
    }
}

/// Runs the CPU worker like `verdigraph worker`.
fn compute(port: u16, data: &Path) -> Result<()> {
    actix_rt::System::new().block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let options = server::Options::new(address, data);
        let _running = server::serve(options).await.map_err(Error::doing("the CPU worker does not start"))?;
        std::future::pending::<Result<()>>().await
    })
}

/// A prompt of the platform's test graphs, with one picture from node `2`.
fn usual(delay: Duration, number: usize) -> Run {
    let image = serde_json::json!({"images": [
        {"filename": format!("scripted_bad_{number}_.png"), "subfolder": "", "type": "output"}]});
    Run::success(&["1".to_owned(), "2".to_owned()], &[("2".to_owned(), image)], delay)
}

fn hang(server: &Scripted, random: &mut impl Rng, delay: Duration) {
    for number in 0..MAX_FAULTS {
        let run = usual(delay, number);
        server.script(if random.random_bool(0.5) { run.until("execution_success", Step::Hold) } else { run });
    }
}

/// Draws a fault of requests or of runs for each prompt.
fn spoil(server: &Scripted, random: &mut impl Rng) {
    let mut good_before = 0;
    for number in 0..MAX_FAULTS {
        let what = match random.random_range(0..8) {
            0 => Some(FaultKind::Body("<html>this is no JSON</html>".to_owned())),
            1 => Some(FaultKind::Body(r#"{"prompt_id": 7, "number": "x"}"#.to_owned())),
            2 => Some(FaultKind::Status(500, "Internal Server Error".to_owned())),
            3 => Some(FaultKind::DropAfter),
            4 => Some(FaultKind::CutBody(5)),
            _ => None,
        };
        let usual = usual(Duration::ZERO, number);
        match what {
            // These requests reach the model, so they consume a run.
            Some(what @ (FaultKind::DropAfter | FaultKind::CutBody(_))) => {
                server.fault(Fault::once("POST /prompt", what).after(good_before));
                server.script(usual);
                good_before = 0;
            }
            Some(what) => {
                server.fault(Fault::once("POST /prompt", what).after(good_before));
                good_before = 0;
            }
            None => {
                server.script(match random.random_range(0..4) {
                    0 => usual.with_before("execution_success", Step::Raw("{\"type\": \"progress\", ".to_owned())),
                    1 => usual.with_before("executing", Step::Binary(vec![0, 0, 0, 9, 255, 254].into())),
                    2 => Run { history: Some(serde_json::json!(["no", 1, "entry"])), ..usual },
                    _ => Run { unrecorded: true, ..usual },
                });
                good_before += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_kind_is_found_by_name() {
        for kind in Kind::value_variants() {
            assert_eq!(Kind::from_str(kind.name(), false), Ok(*kind));
        }
    }
}
