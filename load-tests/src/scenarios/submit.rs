//! `submit`: accepted jobs per second with credits, compared with the machine's floors.

mod queued;

use std::process::ExitCode;

use super::floor::{self, Accounts, Measurements};
use super::site::{People, Site};
use super::{Common, allow_files};
use crate::app::Recipe;
use crate::error::Result;
use crate::floors::{Measured, settle};
use crate::report::{Bar, Report, median, short};
use queued::LISTENERS;

/// Repetitions; the median counts.
const RUNS: usize = 3;
const CONNECTIONS: usize = 128;
const KEYS: usize = 200;
/// Workers that answer at once, as many as the machine can keep busy.
const WORKERS: usize = 4;

#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// Submit everything with one account
    #[arg(long)]
    pub one_account: bool,
}

pub async fn run(args: &Args) -> Result<ExitCode> {
    let common = &args.common;
    // One file per listener, here and in the server, which inherits the limit.
    allow_files(LISTENERS as u64 + 1000)?;
    let recipe = Recipe::text_to_image();
    let site = match Site::given(common, &recipe).await? {
        Some(site) => site,
        None => {
            let people = People { keys: KEYS, sessions: 0 };
            Site::start(&common.shape(WORKERS)?, people, &recipe).await?
        }
    };
    let (length, connections) = (common.length(10), common.connections.unwrap_or(CONNECTIONS));
    let accounts = if args.one_account { Accounts::One } else { Accounts::Many };
    // Before anything is queued, so that the platform is idle.
    let floors = match &site.platform {
        Some(platform) => floor::measure(platform, length, connections, accounts).await?,
        None => Measurements::default(),
    };
    let people = if args.one_account { 1 } else { site.keys.len() };
    let mut runs = Vec::new();
    for run in 1..=RUNS {
        if let Some(platform) = &site.platform {
            settle(platform).await?;
        }
        let (outcome, server, database) = site.load(&site.plan(connections, length), people).await?;
        println!("submit, run {run} of {RUNS}: {} a second", short(outcome.rate()));
        runs.push(Measured::new(outcome, &server, &database));
    }
    let name = if args.one_account { "submit-one-account" } else { "submit" };
    let mut report = Report::new(
        name,
        format!(
            "Submits of a mini app's form (233 bytes) on {connections} keep-alive connections by {people} API keys, to \
         {WORKERS} scripted workers that answer at once; medians of {RUNS} runs of {} s, with the floors of the same \
         PostgreSQL (fsync and synchronous_commit on) measured before.",
            length.as_secs()
        ),
    );
    judge(&mut report, &runs, &floors, accounts);
    let memory = site.platform.as_ref().map_or(0, |platform| platform.server.usage().rss_bytes / (1 << 20));
    if let Some(counts) = site.finish(&mut report).await? {
        let (waiting, done) = (counts.waiting, counts.done);
        report.notes.push(format!("after the runs: {waiting} jobs waiting, {done} done, server at {memory} MB"));
        if accounts == Accounts::Many {
            queued::measure(common, &mut report).await?;
        }
    }
    report.finish(common.output())
}

fn judge(report: &mut Report, runs: &[Measured], floors: &Measurements, accounts: Accounts) {
    let rate = floor::rate(runs);
    let mut table = floor::columns();
    floor::row(&mut table, "the platform", runs);
    table.rows.extend(floor::table(floors).rows);
    report.tables.push(table);
    let p99 = median(&runs.iter().map(|run| run.outcome.latencies.quantile_ms(0.99)).collect::<Vec<_>>());
    let errors = runs.iter().map(|run| run.outcome.errors()).sum();
    let transactions = floor::rate(&floors.transactions);
    let ratio = |floor: f64| if floor > 0.0 { rate / floor } else { f64::INFINITY };
    let (least, name) = match accounts {
        Accounts::Many => (6.0, "against one transaction each"),
        Accounts::One => (10.0, "against one transaction each, one account"),
    };
    if !floors.transactions.is_empty() {
        report.bars.push(Bar::at_least(name, ratio(transactions), least, "×"));
    }
    if !floors.insert.is_empty() {
        let insert = floor::rate(&floors.insert);
        report.bars.push(Bar::at_least("against PostgreSQL's own inserts of the job row", ratio(insert), 0.5, "×"));
    }
    report.bars.push(Bar::below("p99", p99, 60.0, " ms"));
    report.bars.push(Bar::equal("errors", errors, 0));
    report.panels.push(floor::rates("accepted a second", floors, &[("the platform", rate)]));
    report.panels.push(floor::latencies(&[("the platform", runs), ("one transaction each", &floors.transactions)]));
}
