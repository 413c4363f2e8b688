//! The crash drill: kills processes while jobs run, and checks that no job is lost, doubled or left with a hold.

mod kills;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::RngExt as _;

use self::kills::{KillSchedule, KillStats};
use super::Common;
use super::drill::checks::{self, count, none};
use super::drill::plan::{Plan, Size};
use super::drill::{self, CLIENTS, Drill};
use crate::error::Result;
use crate::platform::{Platform, Shape};
use crate::report::{Bar, Output, Report};
use crate::worker::Kind;

/// Duration of a prompt at a good worker.
const RUN: Duration = Duration::from_millis(120);
/// The share of jobs that must succeed: kills cost attempts, and bad workers or cancels end jobs otherwise.
const DONE_SHARE: f64 = 0.8;

#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// Jobs to submit [default: 2000]
    #[arg(long)]
    pub jobs: Option<usize>,
}

impl Args {
    fn size(&self) -> Size {
        let full =
            Size { jobs: 2000, server_kills: 20, worker_kills: 20, database_restarts: 5, accounts: 8, workers: 6 };
        let quick = Size { jobs: 200, server_kills: 3, worker_kills: 3, database_restarts: 1, accounts: 4, workers: 6 };
        let size = if self.common.quick { quick } else { full };
        Size { jobs: self.jobs.unwrap_or(size.jobs), ..size }
    }
}

pub async fn run(args: &Args) -> Result<ExitCode> {
    args.common.must_be_own("its processes are killed")?;
    let seed = args.common.seed.unwrap_or_else(|| rand::rng().random::<u32>().into());
    let size = args.size();
    println!("seed {seed}: repeat this drill's choices with --seed {seed}");
    let plan = Arc::new(Plan::draw(seed, &size));
    let mut platform = Platform::start(&shape(args, seed, &size)?).await?;
    let drilled = drill(&mut platform, seed, &size, &plan).await;
    let log = std::fs::read_to_string(platform.server.log()).unwrap_or_default();
    let stopped = platform.stop().await;
    let mut report = drilled?;
    report.bars.push(none("panics in the server's log", log.matches("panicked at").count()));
    report.bars.push(Bar::holds("the server stops in order", outcome(&stopped), stopped.is_ok()));
    report.finish(if args.jobs.is_some() { Output::PrintedOnly } else { args.common.output() })
}

fn outcome(stopped: &Result<()>) -> String {
    stopped.as_ref().err().map_or_else(|| "it did".to_owned(), ToString::to_string)
}

/// Good workers, one that hangs and one with malformed answers; short leases and deadlines.
fn shape(args: &Args, seed: u64, size: &Size) -> Result<Shape> {
    let mut shape = args.common.shape(size.workers)?;
    let bad = [Kind::Hanging, Kind::Garbage];
    for (number, worker) in shape.workers.iter_mut().rev().enumerate() {
        worker.kind = bad.get(number).copied().unwrap_or(Kind::Good);
        worker.delay = RUN;
        worker.seed = seed.wrapping_add(number as u64 * 1000);
    }
    Ok(shape
        .with("jobs.lease_seconds", 4)
        .with("jobs.heartbeat_seconds", 1)
        .with("jobs.sweep_seconds", 1)
        .with("jobs.accept_seconds", 5)
        .with("jobs.silent_seconds", 4)
        .with("jobs.stuck_seconds", 4)
        .with("jobs.stop_seconds", 3)
        .with("jobs.collect_seconds", 15)
        .with("jobs.retries", 6))
}

/// Runs the drill and the checks that need a running platform.
async fn drill(platform: &mut Platform, seed: u64, size: &Size, plan: &Arc<Plan>) -> Result<Report> {
    let began = Instant::now();
    let mut drill = Drill::begin(plan, vec![platform.server.url()], size.accounts).await?;
    let mut schedule = KillSchedule::new(plan);
    drill.run_with(platform, &mut schedule).await?;
    let stats = schedule.stats;
    platform.server.ready().await?;
    drill.check_ends(platform).await?;
    let took = began.elapsed();

    let notes = drill.progress.notes().clone();
    let distribution = checks::distribution(&platform.database).await?;
    let mut report = Report::new("crash", "Processes are killed at random moments while jobs run.");
    report.what = format!(
        "{} jobs of {} accounts on {} workers, one of which hangs and one answers garbage; {CLIENTS} clients repeat \
         every submit under its idempotency key until it is answered. Seed {seed}, {:.0} s.",
        size.jobs,
        size.accounts,
        size.workers,
        took.as_secs_f64()
    );
    report.tables.extend(drill::tables(&distribution, &notes));
    report.notes.extend(remarks(&stats, notes.canceled));

    report.bars.push(count("kills of the server", stats.server, size.server_kills));
    report.bars.push(count("kills of workers", stats.workers, size.worker_kills));
    report.bars.push(count("restarts of PostgreSQL", stats.database, size.database_restarts));
    drill.check(platform, notes, &mut report).await?;
    #[expect(clippy::cast_precision_loss, reason = "thousands of jobs")]
    let done = distribution.get("Done").copied().unwrap_or(0) as f64 / size.jobs.max(1) as f64;
    report.bars.push(Bar::at_least("share of jobs done", done, DONE_SHARE, ""));
    Ok(report)
}

fn remarks(stats: &KillStats, canceled: usize) -> Vec<String> {
    let mut recoveries = stats.recoveries.clone();
    recoveries.sort_unstable();
    let shown = |time: Option<&Duration>| time.map_or("–".to_owned(), |time| format!("{:.1} s", time.as_secs_f64()));
    vec![
        format!(
            "From a start of the server until work went on: median {}, longest {}.",
            shown(recoveries.get(recoveries.len() / 2)),
            shown(recoveries.last())
        ),
        format!("{canceled} jobs were canceled by their owners, some after their end."),
        format!("{} starts of the server failed by themselves and were repeated.", stats.failed_starts),
    ]
}
