//! `soak`: an hour of mixed load at half of the platform's peak. Memory, files, connections and tables must level off.

mod series;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use self::series::{Metric, Samples};
use super::Common;
use super::follow::Client;
use super::site::{People, Site};
use crate::app::Recipe;
use crate::error::{Error, Result};
use crate::load::Loop;
use crate::report::{Bar, Panel, Report, Series, Table, short};

const WORKERS: usize = 4;
const KEYS: usize = 50;
/// Browser users beside API clients.
const USERS: usize = 10;
/// A user's pause between two jobs in milliseconds.
const THINK_MS: std::ops::Range<u64> = 1500..4500;
/// Jobs that are timed to find the peak.
const PROBE: u64 = 2000;
const HOUR: u64 = 3600;
/// Maximum interval between samples; shorter runs take 60 samples.
const SAMPLE_EVERY: Duration = Duration::from_secs(10);
/// Timeout for accepted jobs to end.
const DRAINED_WITHIN: Duration = Duration::from_secs(300);

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("its processes are watched")?;
    let length = common.length(if common.quick { 60 } else { HOUR });
    let seed = common.seed.unwrap_or_else(|| rand::rng().random());
    println!("seed {seed}");
    let people = People { keys: KEYS, sessions: USERS };
    let site = Site::start(&common.shape(WORKERS)?, people, &Recipe::text_to_image()).await?;
    let peak = peak(&site, if common.quick { PROBE / 10 } else { PROBE }).await?;
    let rate = (peak / 2.0).max(1.0);
    println!("{peak:.0} jobs/s can be done; {rate:.0} are submitted for {} s", length.as_secs());

    let connections = common.connections.unwrap_or(16);
    let plan = Loop { pace: Some(rate), ..site.plan(connections, length) };
    let end = Instant::now() + plan.warm_up + length;
    let mut samples = Samples::new();
    let watching = watch(&site, &mut samples, length, end);
    let (load, followed, metric) = tokio::join!(site.load(&plan, KEYS), follow(&site, seed, end), watching);
    let ((outcome, ..), followed) = (load?, followed?);
    metric?;
    drain(&site).await?;

    let mut report = Report::new(
        "soak",
        format!(
            "{} s at {rate:.0} submits/s, half of the {peak:.0} jobs/s that {WORKERS} workers which answer at once could \
             be given and their pictures stored, by {KEYS} accounts over {connections} connections, beside {USERS} people \
             in browsers. A look every {:.0} s.",
            length.as_secs(),
            every(length).as_secs_f64()
        ),
    );
    judge(&mut report, &samples);
    report.bars.push(Bar::equal("submits that were not accepted", outcome.errors(), 0));
    let not_done = followed.iter().filter(|status| *status != "Done").count() as u64;
    report.bars.push(Bar::equal("people's jobs that were not done", not_done, 0));
    report.bars.push(Bar::at_least("submits a second", outcome.rate(), rate * 0.95, ""));
    report.notes.push(format!(
        "submits: p50 {} ms, p99 {} ms; {} jobs of people in browsers; seed {seed}",
        short(outcome.latencies.quantile_ms(0.5)),
        short(outcome.latencies.quantile_ms(0.99)),
        followed.len()
    ));
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// Jobs per second from submit to stored pictures, while a backlog is processed.
async fn peak(site: &Site, jobs: u64) -> Result<f64> {
    while site.accepted.get() < jobs {
        let burst = Loop { warm_up: Duration::ZERO, ..site.plan(4, Duration::from_millis(250)) };
        site.load(&burst, KEYS).await?;
    }
    let (began, before) = (Instant::now(), waiting(site).await?);
    drain(site).await?;
    #[expect(clippy::cast_precision_loss, reason = "thousands of jobs")]
    let peak = before as f64 / began.elapsed().as_secs_f64();
    Ok(peak)
}

async fn waiting(site: &Site) -> Result<i64> {
    site.own()?.database.count("SELECT count(*) FROM jobs").await
}

/// Waits until all jobs have ended.
async fn drain(site: &Site) -> Result<()> {
    let until = Instant::now() + DRAINED_WITHIN;
    while waiting(site).await? > 0 {
        if Instant::now() > until {
            return Err(Error::Other(format!("{} jobs have not ended in time", waiting(site).await?)));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// Users who submit, wait for the end, and pause. Returns the final statuses.
async fn follow(site: &Site, seed: u64, end: Instant) -> Result<Vec<String>> {
    let people = site.sessions.iter().zip(0..).map(|(proof, number)| {
        let mut random = StdRng::seed_from_u64(seed ^ number);
        async move {
            let mut client = Client::new(site, proof).await?;
            client.run_until(site, end, || Duration::from_millis(random.random_range(THINK_MS))).await
        }
    });
    Ok(try_join_all(people).await?.into_iter().flatten().map(|job| job.status).collect())
}

fn every(length: Duration) -> Duration {
    SAMPLE_EVERY.min(length / 60).max(Duration::from_millis(500))
}

async fn watch(site: &Site, samples: &mut Samples, length: Duration, end: Instant) -> Result<()> {
    let mut ticks = tokio::time::interval(every(length));
    while Instant::now() < end {
        ticks.tick().await;
        samples.take(site.own()?).await?;
    }
    Ok(())
}

fn judge(report: &mut Report, samples: &Samples) {
    let mut table = Table::new(&["mean of", "first third", "middle third", "last third"]);
    for metric in Metric::ALL {
        let (bar, thirds) = samples.judge(metric);
        table.row(std::iter::once(metric.name().to_owned()).chain(thirds.map(short)));
        report.bars.push(bar);
    }
    report.tables.push(table);
    let panel = |title: &str, y: &str, all: &[Metric]| Panel::Lines {
        title: title.to_owned(),
        x: "seconds".to_owned(),
        y: y.to_owned(),
        series: all
            .iter()
            .map(|metric| Series { name: metric.name().to_owned(), points: samples.points(*metric) })
            .collect(),
    };
    report.panels.extend([
        panel("memory", "MiB", &[Metric::ServerMemory, Metric::DatabaseMemory]),
        panel("files and connections", "", &[Metric::ServerFiles, Metric::DatabaseConnections]),
        panel("tables that must not grow", "MiB", &[Metric::QueueIndex, Metric::FlightIndex, Metric::Grants]),
        panel("all tables", "bytes", &[Metric::BytesPerJob]),
        panel("queue", "jobs", &[Metric::Waiting]),
    ]);
}
