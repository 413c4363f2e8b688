//! `gaps`: the idle time of a worker between two prompts while outputs are slow to store, and the processor time of a
//! job in the server and PostgreSQL while fast workers are saturated.
//!
//! Workers measure the first: the time from the end of a prompt to the start of the next one, if that was submitted
//! before. For the second, compare two builds with `--binary`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::Common;
use super::follow::journals;
use super::site::{People, Site};
use crate::app::Recipe;
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::load::{Histogram, Loop};
use crate::platform::Plan;
use crate::report::{Bar, Report, Table, short};

const WORKERS: usize = 8;
/// Duration of a prompt where gaps are measured, and delay of each output file.
const RUNS_FOR: Duration = Duration::from_millis(400);
const STORED_AFTER: Duration = Duration::from_millis(500);
/// Jobs of each worker, submitted at once. The first ones let the server learn their duration.
const JOBS_EACH: usize = 40;
const LEARNING: usize = 5;
/// Timeout for all submitted jobs to end.
const PATIENCE: Duration = Duration::from_secs(300);

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("it reads what its own workers wrote down")?;
    let mut report = Report::new(
        "gaps",
        format!(
            "{WORKERS} scripted workers. Gaps: each prompt runs for {} ms, and each output takes {} ms to be had; the time from \
             the end of a prompt to the begin of the next one, as the worker has it. Cost: workers that answer at once, \
             submits in a closed loop; processor time from the first submit to the end of the last job.",
            RUNS_FOR.as_millis(),
            STORED_AFTER.as_millis()
        ),
    );
    gaps(common, &mut report).await?;
    cost(common, &mut report).await?;
    report.finish(common.output())
}

async fn gaps(common: &Common, report: &mut Report) -> Result<()> {
    let mut shape = common.shape(0)?;
    let slow = Plan { delay: RUNS_FOR, view_delay: STORED_AFTER, journal: true, ..Plan::default() };
    shape.workers = vec![slow; WORKERS];
    let site = Site::start(&shape, People { keys: 40, sessions: 0 }, &Recipe::text_to_image()).await?;
    let each = if common.quick { LEARNING + 5 } else { JOBS_EACH };
    #[expect(clippy::cast_precision_loss, reason = "counts of a load run")]
    let pace = (WORKERS * each) as f64;
    // All jobs are submitted within a second, and wait from then on.
    let length = Duration::from_secs(1);
    let plan = Loop { connections: 8, warm_up: Duration::ZERO, length, pace: Some(pace), ..site.plan(8, length) };
    site.load(&plan, 40).await?;
    drained(&site).await?;
    let mut between = Histogram::default();
    for mut journal in journals(&site.own()?.workers).await? {
        journal.sort_by_key(|entry| entry.began_us);
        let learned = journal.get(LEARNING..).unwrap_or_default();
        for (before, next) in learned.iter().zip(learned.iter().skip(1)) {
            between.record(Duration::from_micros(u64::try_from(next.began_us - before.ended_us).unwrap_or(0)));
        }
    }
    let mut table = Table::new(&["gap between two prompts", "count", "p50 ms", "p99 ms", "max ms"]);
    let at = |share| between.quantile_ms(share);
    table.row([
        format!("outputs after {} ms", STORED_AFTER.as_millis()),
        between.count().to_string(),
        short(at(0.5)),
        short(at(0.99)),
        short(between.max_ms()),
    ]);
    report.tables.push(table);
    report.bars.push(Bar::below("gap of a busy worker, p50", at(0.5), 1.0, " ms"));
    report.bars.push(Bar::below("gap of a busy worker, p99", at(0.99), 10.0, " ms"));
    site.finish(report).await?;
    Ok(())
}

async fn cost(common: &Common, report: &mut Report) -> Result<()> {
    let shape = common.shape(WORKERS)?;
    let site = Site::start(&shape, People { keys: 200, sessions: 0 }, &Recipe::text_to_image()).await?;
    let cpu = || {
        let platform = site.own()?;
        Ok::<_, Error>((platform.server.usage().cpu, platform.database.usage().cpu))
    };
    let (server, database) = cpu()?;
    let asked = claims(&site).await?;
    let began = Instant::now();
    let (outcome, ..) = site.load(&site.plan(16, common.length(if common.quick { 2 } else { 20 })), 200).await?;
    drained(&site).await?;
    let seconds = began.elapsed().as_secs_f64();
    let (server_after, database_after) = cpu()?;
    #[expect(clippy::cast_precision_loss, reason = "counts of a load run")]
    let jobs = site.accepted.get().max(1) as f64;
    let of_a_job = |before: Duration, after: Duration| short((after - before).as_secs_f64() * 1000.0 / jobs);
    let per_job = (claims(&site).await? - asked) / jobs;
    report.bars.push(Bar::below("claim statements a job", per_job, 1.2, ""));
    let columns = ["jobs", "jobs/s", "server, CPU ms a job", "PostgreSQL, CPU ms a job", "claim statements a job"];
    let mut table = Table::new(&columns);
    table.row([
        outcome.accepted.to_string(),
        short(jobs / seconds),
        of_a_job(server, server_after),
        of_a_job(database, database_after),
        short(per_job),
    ]);
    report.tables.push(table);
    site.finish(report).await?;
    Ok(())
}

/// Waits until no job waits or runs.
async fn drained(site: &Site) -> Result<()> {
    let began = Instant::now();
    loop {
        let counts = Counts::read(&site.own()?.database.pool).await?;
        if counts.waiting + counts.in_flight == 0 {
            return Ok(());
        }
        if began.elapsed() > PATIENCE {
            return Err(Error::Other(format!("{} jobs wait after {PATIENCE:?}", counts.waiting)));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Claim statements of the server since its start.
async fn claims(site: &Site) -> Result<f64> {
    let http = reqwest::Client::builder().no_proxy().build()?;
    let text = http.get(format!("{}/metrics", site.own()?.server.url())).send().await?.text().await?;
    let count = text.lines().find_map(|line| line.strip_prefix("verdigraph_job_claim_seconds_count"));
    Ok(count.and_then(|count| count.rsplit(' ').next()?.parse().ok()).unwrap_or(0.0))
}
