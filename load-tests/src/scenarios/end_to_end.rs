//! `end-to-end`: jobs per second with stored pictures, through the platform and by a plain client of the same worker.

mod plain;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use super::Common;
use super::follow::Client;
use super::site::{People, Site};
use crate::app::Recipe;
use crate::error::{Error, Result};
use crate::platform::Plan;
use crate::report::{Bar, Panel, Report, Table, median, short};
use crate::worker::Kind;

/// Repetitions of both; the median counts.
const RUNS: usize = 3;
/// Concurrent jobs of each side.
const IN_FLIGHT: usize = 4;
/// Milliseconds that a job alone may take longer than by a plain client.
const MAX_MORE_MS: f64 = 10.0;
/// Side of the pictures.
const SIDE: u32 = 512;

/// One run of one side.
#[derive(Debug, Clone, Copy)]
struct Rate {
    jobs: u64,
    seconds: f64,
}

impl Rate {
    #[expect(clippy::cast_precision_loss, reason = "counts of a load run")]
    fn per_second(self) -> f64 {
        self.jobs as f64 / self.seconds.max(0.001)
    }
}

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("a plain client has to reach the same worker")?;
    let mut shape = common.shape(0)?;
    shape.workers.push(Plan { kind: Kind::Cpu, ..Plan::default() });
    let recipe = Recipe::drawing(SIDE);
    let site = Site::start(&shape, People { keys: IN_FLIGHT, sessions: 0 }, &recipe).await?;
    let url = site.own()?.workers.first().map(crate::platform::Comfy::url);
    let url = url.ok_or_else(|| Error::Other("the CPU worker is gone".to_owned()))?;
    let folder = site.own()?.folder().join("plain");
    std::fs::create_dir_all(&folder)?;
    let length = common.length(10);
    // Seeds of both sides differ, so that the worker's cache does not help.
    let plain = plain::Plain::new(&url, &folder, recipe)?;
    through(&site, Duration::from_secs(1)).await?;
    plain.run(IN_FLIGHT, Duration::from_secs(1)).await?;
    let (mut platform, mut direct) = (Vec::new(), Vec::new());
    for run in 1..=RUNS {
        platform.push(through(&site, length).await?);
        direct.push(plain.run(IN_FLIGHT, length).await?);
        println!("end-to-end, run {run} of {RUNS}");
    }
    let (mut alone, mut alone_plain) = (Vec::new(), Vec::new());
    for run in 1..=RUNS {
        alone.extend(one_by_one(&site, length / 2).await?);
        alone_plain.extend(plain.one_by_one(length / 2).await?);
        println!("end-to-end, one job at a time, run {run} of {RUNS}");
    }
    let (alone, alone_plain) = (median(&alone), median(&alone_plain));
    let rates = |runs: &[Rate]| median(&runs.iter().map(|run| run.per_second()).collect::<Vec<_>>());
    let (of_platform, of_plain) = (rates(&platform), rates(&direct));
    let mut report = Report::new(
        "end-to-end",
        format!(
            "Drawings of {SIDE} × {SIDE} pixels by the built-in CPU worker (a process of its own), {IN_FLIGHT} on their way at \
         a time; medians of {RUNS} runs of {} s in turn. Through the platform: submitted, followed by events, picture \
         checked and stored, credits settled. Plain client: prompt, WebSocket, history, picture fetched and written to a \
         file.",
            length.as_secs()
        ),
    );
    let mut table = Table::new(&["what", "jobs/s", "runs"]);
    for (name, runs) in [("through the platform", &platform), ("plain client", &direct)] {
        let each: Vec<String> = runs.iter().map(|run| short(run.per_second())).collect();
        table.row([name.to_owned(), short(rates(runs)), each.join(", ")]);
    }
    report.tables.push(table);
    let mut table = Table::new(&["one job at a time", "median ms"]);
    table.row(["through the platform".to_owned(), short(alone)]);
    table.row(["plain client".to_owned(), short(alone_plain)]);
    report.tables.push(table);
    let more = "more time for a job alone than by the plain client";
    report.bars.push(Bar::below(more, alone - alone_plain, MAX_MORE_MS, " ms"));
    report.bars.push(Bar::at_least("against the plain client", of_platform / of_plain.max(0.001), 0.5, "×"));
    report.panels.push(Panel::Bars {
        title: "jobs a second".to_owned(),
        unit: "/s".to_owned(),
        bars: vec![("through the platform".to_owned(), of_platform), ("plain client".to_owned(), of_plain)],
    });
    let stored =
        site.own()?.database.count("SELECT count(DISTINCT job_id) FROM job_outputs WHERE output_asset_id IS NOT NULL");
    let stored = u64::try_from(stored.await?).unwrap_or(0);
    report.bars.push(Bar::equal("jobs with a stored picture", stored, site.accepted.get()));
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// Milliseconds of each job of one client, from its submit until the client knows that it is done.
async fn one_by_one(site: &Site, length: Duration) -> Result<Vec<f64>> {
    let proof = site.keys.first().ok_or_else(|| Error::Other("no account has a key".to_owned()))?;
    let mut client = Client::new(site, proof).await?;
    let (begin, mut times) = (Instant::now(), Vec::new());
    while begin.elapsed() < length {
        let sent = Instant::now();
        let job = client.run(site).await?;
        if job.status != "Done" {
            return Err(Error::Other(format!("a drawing ended as {}", job.status)));
        }
        times.push(sent.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(times)
}

/// Runs jobs through the platform like its clients.
async fn through(site: &Site, length: Duration) -> Result<Rate> {
    let begin = Instant::now();
    let clients = site.keys.iter().take(IN_FLIGHT).map(|proof| async move {
        let mut client = Client::new(site, proof).await?;
        client.run_until(site, begin + length, || Duration::ZERO).await
    });
    let jobs: Vec<_> = try_join_all(clients).await?.into_iter().flatten().collect();
    let seconds = begin.elapsed().as_secs_f64();
    match jobs.iter().find(|job| job.status != "Done") {
        Some(job) => Err(Error::Other(format!("a drawing ended as {}", job.status))),
        None => Ok(Rate { jobs: jobs.len() as u64, seconds }),
    }
}
