//! The drill of several nodes: they are killed, frozen and restarted, and their shared services fail, while jobs run.
//! No job may be lost or doubled, and no prompt may run twice, because workers stay up.

mod diagnosis;
mod faults;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use rand::RngExt as _;
use verdigraph_scripted::JournalEntry;

use self::diagnosis::Observations;
use self::faults::{FaultSchedule, NodeFaultKind};
use super::Common;
use super::drill::checks::{self, count, none};
use super::drill::plan::{Plan, Size};
use super::drill::{self, Drill};
use super::follow::journals;
use crate::error::Result;
use crate::platform::{Platform, Server, Shape};
use crate::report::{Bar, Report};

/// Nodes besides the first one.
const OTHERS: usize = 2;
/// Duration of a prompt.
const RUN: Duration = Duration::from_millis(120);
/// How long a node may be silent before others take its workers.
const LEASE: Duration = Duration::from_secs(4);
/// The clock offset of the second node.
const SKEW: TimeDelta = TimeDelta::seconds(30);
/// Maximum idle time of a worker while jobs wait.
const IDLE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// Jobs to submit [default: 4000]
    #[arg(long)]
    pub jobs: Option<usize>,
    /// Faults of each kind [default: 20]
    #[arg(long = "blows", value_name = "BLOWS")]
    pub faults: Option<usize>,
    /// Only faults of these kinds, to find the cause of a failure
    #[arg(long, value_enum)]
    pub only: Vec<NodeFaultKind>,
}

pub async fn run(args: &Args) -> Result<ExitCode> {
    args.common.must_be_own("its processes are killed")?;
    let seed = args.common.seed.unwrap_or_else(|| rand::rng().random::<u32>().into());
    println!("seed {seed}: repeat this drill's choices with --seed {seed}");
    let (jobs, each) = if args.common.quick { (300, 1) } else { (4000, 20) };
    let (jobs, each) = (args.jobs.unwrap_or(jobs), args.faults.unwrap_or(each));
    let size = Size { jobs, accounts: 4, workers: 6, server_kills: 0, worker_kills: 0, database_restarts: 0 };
    let mut plan = Plan::draw(seed, &size);
    // A canceled job need not run.
    plan.jobs.iter_mut().for_each(|job| job.cancel_after = None);
    let kinds = if args.only.is_empty() { NodeFaultKind::ALL.to_vec() } else { args.only.clone() };
    let skew = faketime();
    let mut shape = shape(args, &size)?;
    shape.skew = skew.clone().map(|library| (library, format!("+{}s", SKEW.num_seconds())));
    let mut platform = Platform::start(&shape).await?;
    let faults = faults::draw(seed, each, &kinds, OTHERS + 1, jobs, LEASE);
    let drilled = drill(&mut platform, seed, &size, &Arc::new(plan), faults, args.common.measures_speed()).await;
    let logs = std::iter::once(&platform.server).chain(&platform.others).map(|server| server.log().to_path_buf());
    let mut logs: Vec<String> = logs.map(|log| std::fs::read_to_string(log).unwrap_or_default()).collect();
    if let Some(log) = logs.get_mut(1).filter(|_| skew.is_some()) {
        *log = diagnosis::with_right_times(log, SKEW);
    }
    let stopped = platform.stop().await;
    let (mut report, observations) = drilled?;
    report.notes.push(match skew {
        Some(_) => format!(
            "The clock of the second node is {} s ahead. Its log lines have the right times.",
            SKEW.num_seconds()
        ),
        None => "All clocks are right: libfaketime is not on this machine.".to_owned(),
    });
    report.notes.extend(observations.diagnosis(&logs));
    let panics = logs.iter().map(|log| log.matches("panicked at").count()).sum();
    report.bars.push(none("panics in the nodes' logs", panics));
    let outcome = stopped.as_ref().err().map_or_else(|| "they did".to_owned(), ToString::to_string);
    report.bars.push(Bar::holds("the nodes stop in order", outcome, stopped.is_ok()));
    let is_whole = args.jobs.is_none() && args.faults.is_none() && args.only.is_empty();
    report.finish(if is_whole { args.common.output() } else { crate::report::Output::PrintedOnly })
}

/// The path of the faketime library.
fn faketime() -> Option<PathBuf> {
    let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"];
    let at = |folder| PathBuf::from(format!("/usr/lib/{folder}/faketime/libfaketime.so.1"));
    folders.into_iter().map(at).find(|library| library.is_file())
}

fn shape(args: &Args, size: &Size) -> Result<Shape> {
    let mut shape = args.common.shape(size.workers)?;
    shape.other_nodes = OTHERS;
    for worker in &mut shape.workers {
        worker.delay = RUN;
        worker.journal = true;
    }
    Ok(shape
        .with("jobs.lease_seconds", LEASE.as_secs())
        .with("jobs.heartbeat_seconds", 1)
        .with("jobs.sweep_seconds", 1)
        .with("log.filter", "warn,verdigraph_core::jobs=info,verdigraph_workers::connection=debug")
        .with("jobs.accept_seconds", 10))
}

/// Runs the drill and the checks that need a running platform.
async fn drill(
    platform: &mut Platform,
    seed: u64,
    size: &Size,
    plan: &Arc<Plan>,
    faults: Vec<faults::NodeFault>,
    measures_speed: bool,
) -> Result<(Report, Observations)> {
    let began = Instant::now();
    let nodes = std::iter::once(&platform.server).chain(&platform.others).map(Server::url).collect();
    let mut drill = Drill::begin(plan, nodes, size.accounts).await?;
    let wanted: Vec<NodeFaultKind> = faults.iter().map(|fault| fault.kind).collect();
    let mut schedule = FaultSchedule::new(faults);
    drill.run_with(platform, &mut schedule).await?;
    let FaultSchedule { injected, log: faults, away, .. } = schedule;
    platform.server.ready().await?;
    for other in &mut platform.others {
        other.ready().await?;
    }
    drill.check_ends(platform).await?;
    let took = began.elapsed();

    let notes = drill.progress.notes().clone();
    let distribution = checks::distribution(&platform.database).await?;
    let mut report = Report::new("nodes", "Three nodes of one installation, and what falls on them while jobs run.");
    report.what = format!(
        "{} jobs of {} accounts on {} workers, submitted through {} nodes in turns with PostgreSQL, Redis and an \
         S3-compatible store; clients repeat every submit under its idempotency key until it is answered. Seed {seed}, \
         {:.0} s.",
        size.jobs,
        size.accounts,
        size.workers,
        OTHERS + 1,
        took.as_secs_f64()
    );
    report.tables.extend(drill::tables(&distribution, &notes));
    for kind in NodeFaultKind::ALL {
        let [wanted, injected] = [&wanted, &injected].map(|kinds| kinds.iter().filter(|one| **one == kind).count());
        report.bars.push(count(kind.name(), injected, wanted));
    }
    report.bars.push(count("jobs done", distribution.get("Done").copied().unwrap_or(0), size.jobs));
    let again = platform.database.count("SELECT count(*) FROM all_jobs WHERE attempt <> 1").await?;
    report.notes.push(format!("{again} jobs were claimed more than once."));
    let journals = journals(&platform.workers).await?;
    report.bars.push(count("prompts that ran", journals.iter().map(Vec::len).sum(), size.jobs));
    let idle = journals.iter().map(|journal| longest_gap(journal, &away).1).max().unwrap_or_default();
    let name = "longest that a worker had nothing while the store answered";
    let bar = Bar::below(name, idle.as_secs_f64(), IDLE.as_secs_f64(), " s");
    report.judge_speed(measures_speed, [bar]);
    drill.check(platform, notes, &mut report).await?;
    Ok((report, Observations { journals, faults, away }))
}

/// The longest time between the end of a prompt and the start of the next one, and when it ended. Time without the
/// store (`away`) does not count, because no job starts then.
fn longest_gap(journal: &[JournalEntry], away: &[(i64, i64)]) -> (i64, Duration) {
    let mut entries: Vec<(i64, i64)> = journal.iter().map(|entry| (entry.began_us, entry.ended_us)).collect();
    entries.sort_unstable();
    let idle = |from: i64, until: i64| {
        let within = away.iter().map(|(gone, back)| (until.min(*back) - from.max(*gone)).max(0));
        until - from - within.sum::<i64>()
    };
    let gaps = entries.windows(2).map(|pair| (idle(pair[0].1, pair[1].0), pair[1].0));
    let (gap, until) = gaps.max().unwrap_or_default();
    (until, Duration::from_micros(u64::try_from(gap).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_gap_ignores_time_without_the_store() {
        let entry =
            |began_us, ended_us| JournalEntry { id: String::new(), seed: None, came_us: began_us, began_us, ended_us };
        let journal = [entry(5_000_000, 5_100_000), entry(0, 100_000), entry(5_100_000, 6_000_000)];
        assert_eq!(longest_gap(&journal, &[]), (5_000_000, Duration::from_micros(4_900_000)));
        assert_eq!(longest_gap(&journal[..1], &[]), (0, Duration::ZERO));
        let away = [(0, 200_000), (1_000_000, 2_000_000), (4_500_000, 9_000_000)];
        assert_eq!(longest_gap(&journal, &away), (5_000_000, Duration::from_micros(4_900_000 - 1_600_000)));
    }
}
