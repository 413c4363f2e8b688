//! `mixed`: one account's backlog of 100,000 API jobs beside browser users, who must not wait for it.

mod waits;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::Common;
use super::follow::{Client, Followed, journals};
use super::site::{People, Site};
use crate::app::Recipe;
use crate::error::Result;
use crate::report::{Bar, Panel, Report, Series, Table, short};
pub(super) use waits::Wait;
use waits::waits;

pub(super) const WORKERS: usize = 4;
/// Duration of a job at its worker.
pub(super) const RUNS_MS: u64 = 200;
pub(super) const USERS: usize = 20;
pub(super) const BACKLOG: u64 = 100_000;
/// A user's pause between two jobs in milliseconds. 20 users need about a third of the workers' capacity.
const THINK_MS: std::ops::Range<u64> = 1500..4500;
/// Allowed wait beyond the remaining time of running jobs.
const SLACK_MS: f64 = 100.0;
/// Jobs of the backlog that may start between a user's submit and their job: those in the workers' own queues, and the
/// guaranteed share of the backlog's lane. Without lanes there would be thousands.
const MOST_BEFORE: usize = 4 * WORKERS;

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("people with sessions and the workers' own clocks are needed")?;
    let mut shape = common.shape(WORKERS)?;
    for worker in &mut shape.workers {
        (worker.journal, worker.delay) = (true, Duration::from_millis(RUNS_MS));
    }
    let (backlog, length) = if common.quick { (BACKLOG / 50, common.length(25)) } else { (BACKLOG, common.length(60)) };
    let seed = common.seed.unwrap_or_else(|| rand::rng().random());
    println!("seed {seed}");
    let site = Site::start(&shape, People { keys: 1, sessions: USERS }, &Recipe::text_to_image()).await?;
    let connections = common.connections.unwrap_or(64);
    while site.accepted.get() < backlog {
        site.load(&site.plan(connections, Duration::from_secs(1)), 1).await?;
    }
    let queued = site.accepted.get();
    println!("{queued} jobs of one account wait; {USERS} people come");

    let Visit { jobs, waits, served } = visit(&site, seed, length).await?;

    let mut report = Report::new(
        "mixed",
        format!(
            "{queued} API jobs of one account in the queue of {WORKERS} scripted workers ({RUNS_MS} ms a job); {USERS} people \
         with sessions submit, wait for the end, and think for {:.1} to {:.1} s. A job waits from the answer to its \
         submit until a worker begins it. Remaining time: how long the jobs that were then running (or on their way to a \
         worker) still ran, by the workers' clocks.",
            THINK_MS.start as f64 / 1000.0,
            THINK_MS.end as f64 / 1000.0
        ),
    );
    judge(&mut report, &waits, common.measures_speed());
    report.bars.push(Bar::equal(
        "people's jobs that were not done, or that no worker wrote down",
        lost(&jobs, &waits),
        0,
    ));
    // Half of what this many users can submit, or one each.
    let offered = usize::try_from(length.as_secs() * 3).unwrap_or(usize::MAX);
    let least = if common.measures_speed() { offered } else { USERS };
    report.bars.push(Bar::holds("enough jobs to judge", format!("{} jobs", waits.len()), waits.len() >= least));
    report.notes.push(format!("{served} jobs ran on the workers in all; seed {seed}"));
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// What browser users saw for a while.
pub(super) struct Visit {
    pub jobs: Vec<Followed>,
    pub waits: Vec<Wait>,
    /// Jobs that ran on the workers, those of the backlog included.
    pub served: usize,
}

/// Has all sessions submit jobs and wait for each.
pub(super) async fn visit(site: &Site, seed: u64, length: Duration) -> Result<Visit> {
    let until = Instant::now() + length;
    let people = site.sessions.iter().zip(0..).map(|(proof, number)| {
        let mut random = StdRng::seed_from_u64(seed ^ number);
        async move {
            let mut client = Client::new(site, proof).await?;
            client.run_until(site, until, || Duration::from_millis(random.random_range(THINK_MS))).await
        }
    });
    let jobs: Vec<_> = try_join_all(people).await?.into_iter().flatten().collect();
    // Jobs beside the last ones must end before they appear in the journals.
    tokio::time::sleep(Duration::from_millis(RUNS_MS * 5)).await;
    let journals = journals(&site.own()?.workers).await?;
    Ok(Visit { waits: waits(&jobs, &journals), served: journals.iter().map(Vec::len).sum(), jobs })
}

/// Jobs of users that were not done, or that no worker wrote down.
pub(super) fn lost(jobs: &[Followed], waits: &[Wait]) -> u64 {
    let not_done = jobs.iter().filter(|job| job.status != "Done").count();
    (not_done + jobs.len() - waits.len()) as u64
}

/// Judges the waits of users beside a backlog.
pub(super) fn judge(report: &mut Report, waits: &[Wait], measures_speed: bool) {
    let mut table = Table::new(&["what", "p50 ms", "p95 ms", "p99 ms", "max ms"]);
    let mut row = |what: &str, of: &dyn Fn(&Wait) -> f64| {
        let at = |share: f64| short(quantile(waits, of, share));
        table.row([what.to_owned(), at(0.5), at(0.95), at(0.99), at(1.0)]);
    };
    row("wait", &|wait| wait.waited_ms);
    row("remaining time of the running jobs", &|wait| wait.last_free_ms);
    row("wait beyond it", &|wait| wait.waited_ms - wait.last_free_ms);
    row("wait beyond what was possible", &|wait| wait.waited_ms - wait.fair_ms());
    row("wait beyond the first free worker", &|wait| wait.waited_ms - wait.first_free_ms);
    report.tables.push(table);
    let beyond = |of: &dyn Fn(&Wait) -> f64| quantile(waits, &|wait| wait.waited_ms - of(wait), 1.0);
    let bar = Bar::below(
        "longest wait beyond the remaining time of the running jobs, and of people's jobs that waited already",
        beyond(&Wait::fair_ms),
        SLACK_MS,
        " ms",
    );
    report.judge_speed(measures_speed, [bar]);
    let most = waits.iter().map(|wait| wait.begun_before).max().unwrap_or(0);
    report.bars.push(Bar::holds(
        format!("jobs of the backlog that began before a person's job, of {MOST_BEFORE} that may"),
        most.to_string(),
        most <= MOST_BEFORE,
    ));
    let crowded = waits.iter().filter(|wait| wait.possible_ms > wait.last_free_ms).count();
    report.notes.push(format!(
        "{crowded} of {} came when more people's jobs waited than there are workers; without regard to that, the longest \
         wait beyond the running jobs is {} ms",
        waits.len(),
        short(beyond(&|wait| wait.last_free_ms))
    ));
    let late = waits.iter().filter(|wait| wait.waited_ms > wait.first_free_ms + SLACK_MS).count();
    report.notes.push(format!(
        "{late} of {} waited more than {SLACK_MS:.0} ms beyond the first worker that came free for them (the other lanes' \
         guaranteed shares go first now and then)",
        waits.len()
    ));
    let series = |name: &str, of: &dyn Fn(&Wait) -> f64| Series {
        name: name.to_owned(),
        points: (0..=100)
            .map(|percent| (f64::from(percent), quantile(waits, of, f64::from(percent) / 100.0)))
            .collect(),
    };
    report.panels.push(Panel::Lines {
        title: "waits of people's jobs".to_owned(),
        x: "percentile".to_owned(),
        y: "ms".to_owned(),
        series: vec![
            series("wait", &|wait| wait.waited_ms),
            series("running jobs' rest", &|wait| wait.last_free_ms),
            series("first free worker", &|wait| wait.first_free_ms),
        ],
    });
}

/// The value that a share of the waits does not exceed; 0 if there are none.
pub(super) fn quantile(waits: &[Wait], of: &dyn Fn(&Wait) -> f64, share: f64) -> f64 {
    let mut values: Vec<f64> = waits.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
    let rank = (values.len() as f64 * share).ceil() as usize;
    values.get(rank.max(1) - 1).copied().unwrap_or(0.0)
}
