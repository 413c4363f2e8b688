//! `floor`: rates of the machine without the platform, for comparison with other scenarios.

use std::process::ExitCode;
use std::time::Duration;

use super::Common;
use crate::error::Result;
use crate::floors::{Floors, Measured, settle};
use crate::load::Loop;
use crate::platform::Platform;
use crate::report::{Panel, Report, Series, Table, median, short};

/// The floors' accounts with credits.
pub const ACCOUNTS: usize = 200;
/// Repetitions of each floor; the median counts.
const RUNS: usize = 3;

/// Measurements of each floor.
#[derive(Debug, Default)]
pub struct Measurements {
    pub insert: Vec<Measured>,
    pub transactions: Vec<Measured>,
    /// The same with one account.
    pub one_account: Vec<Measured>,
    pub parse: Vec<Measured>,
}

/// Which accounts the transaction floor uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accounts {
    Many,
    One,
}

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("floors are measured on a database of their own")?;
    let platform = Platform::start(&common.shape(1)?).await?;
    let (length, connections) = (common.length(10), common.connections.unwrap_or(128));
    let mut floors = measure(&platform, length, connections, Accounts::Many).await?;
    floors.one_account = measure(&platform, length, connections, Accounts::One).await?.transactions;
    let mut report = Report::new(
        "floor",
        format!(
            "What the machine gives without the platform; medians of {RUNS} runs of {} s, {connections} connections.",
            length.as_secs()
        ),
    );
    report.tables.push(table(&floors));
    report.panels = vec![rates("rows or requests a second", &floors, &[])];
    platform.stop().await?;
    report.finish(common.output())
}

/// Measures the floors three times each on an idle platform's PostgreSQL.
pub async fn measure(
    platform: &Platform,
    length: Duration,
    connections: usize,
    accounts: Accounts,
) -> Result<Measurements> {
    let floors = Floors::prepare(platform, ACCOUNTS).await?;
    let warm_up = Duration::from_secs(1).min(length);
    let plan = Loop { address: floors.address(), connections, warm_up, length, pace: None };
    let mut measured = Measurements::default();
    for run in 1..=RUNS {
        println!("floors, run {run} of {RUNS}");
        if accounts == Accounts::Many {
            settle(platform).await?;
            measured.insert.push(floors.insert(platform, length).await?);
            measured.parse.push(floors.parse(platform, &plan).await?);
        }
        settle(platform).await?;
        let count = if accounts == Accounts::Many { ACCOUNTS } else { 1 };
        measured.transactions.push(floors.transactions(platform, &plan, count).await?);
    }
    floors.remove(platform).await?;
    Ok(measured)
}

/// The median rate; 0 if there are none.
#[must_use]
pub fn rate(runs: &[Measured]) -> f64 {
    median(&runs.iter().map(|run| run.outcome.rate()).collect::<Vec<_>>())
}

#[must_use]
pub fn table(floors: &Measurements) -> Table {
    let mut table = columns();
    for (name, runs) in named(floors) {
        row(&mut table, name, runs);
    }
    table
}

/// An empty table of rates.
#[must_use]
pub fn columns() -> Table {
    Table::new(&["what", "per s", "p50 ms", "p95 ms", "p99 ms", "max ms", "errors", "server µs", "PostgreSQL µs"])
}

/// Adds the medians of some runs.
pub fn row(table: &mut Table, name: &str, runs: &[Measured]) {
    if runs.is_empty() {
        return;
    }
    let of = |value: &dyn Fn(&Measured) -> f64| short(median(&runs.iter().map(value).collect::<Vec<_>>()));
    let errors: u64 = runs.iter().map(|run| run.outcome.errors()).sum();
    table.row([
        name.to_owned(),
        of(&|run| run.outcome.rate()),
        of(&|run| run.outcome.latencies.quantile_ms(0.5)),
        of(&|run| run.outcome.latencies.quantile_ms(0.95)),
        of(&|run| run.outcome.latencies.quantile_ms(0.99)),
        of(&|run| run.outcome.latencies.max_ms()),
        errors.to_string(),
        of(&|run| run.server_us),
        of(&|run| run.database_us),
    ]);
}

/// A bar chart of the floors and other rates.
#[must_use]
pub fn rates(title: &str, floors: &Measurements, more: &[(&str, f64)]) -> Panel {
    let measured = named(floors).into_iter().filter(|(_, runs)| !runs.is_empty());
    let floors = measured.map(|(name, runs)| (name.to_owned(), rate(runs)));
    let bars = more.iter().map(|(name, rate)| ((*name).to_owned(), *rate)).chain(floors).collect();
    Panel::Bars { title: title.to_owned(), unit: "/s".to_owned(), bars }
}

/// The latency curves of the median runs.
#[must_use]
pub fn latencies(runs: &[(&str, &[Measured])]) -> Panel {
    let series = runs.iter().filter_map(|(name, runs)| {
        let run = runs.get(runs.len() / 2)?;
        Some(Series { name: (*name).to_owned(), points: run.outcome.latencies.curve() })
    });
    Panel::Lines {
        title: "latency".to_owned(),
        x: "percentile".to_owned(),
        y: "ms".to_owned(),
        series: series.collect(),
    }
}

fn named(floors: &Measurements) -> [(&'static str, &[Measured]); 4] {
    [
        ("PostgreSQL: UNNEST, 64 rows", &floors.insert),
        ("one transaction each", &floors.transactions),
        ("one transaction each, one account", &floors.one_account),
        ("actix-web: parse only", &floors.parse),
    ]
}
