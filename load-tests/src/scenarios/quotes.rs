//! `quotes`: each run is quoted before it is submitted, and its cost is compared with its quote.

use std::process::ExitCode;
use std::time::Duration;

use futures_util::future::try_join_all;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

use super::Common;
use super::site::{People, Site};
use crate::accounts::Proof;
use crate::app::{Recipe, get};
use crate::error::{Error, Result};
use crate::load::{Connection, follow};
use crate::report::{Bar, Report, Table, median, short};

/// Duration of a prompt at each worker in milliseconds. The last one takes longer than the lowest ceiling allows.
const RUNS_MS: [u64; 8] = [200, 220, 240, 260, 280, 300, 320, 1600];
/// The shipped price of a second in the workers' pool.
const RATE: i64 = 10;
const CLIENTS: usize = 16;
const RUNS: usize = 10_000;
/// Timeout of a job's end.
const ENDED_WITHIN: Duration = Duration::from_secs(60);

/// A run that has ended.
#[derive(Debug)]
struct Quoted {
    most: i64,
    expected: Option<i64>,
    used: i64,
    has_ceiling: bool,
    status: String,
}

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("workers of different speeds are needed")?;
    let mut shape = common.shape(RUNS_MS.len())?;
    for (worker, ms) in shape.workers.iter_mut().zip(RUNS_MS) {
        worker.delay = Duration::from_millis(ms);
    }
    let runs = if common.quick { RUNS / 40 } else { RUNS };
    let seed = common.seed.unwrap_or_else(|| rand::rng().random());
    println!("seed {seed}");
    let site =
        Site::start(&shape, People { keys: CLIENTS / 2, sessions: CLIENTS / 2 }, &Recipe::text_to_image()).await?;
    let clients = site.keys.iter().chain(&site.sessions).zip(0..).map(|(proof, number)| {
        let (site, random) = (&site, StdRng::seed_from_u64(seed ^ number));
        async move { quoted_runs(site, proof, runs / CLIENTS, random).await }
    });
    let ended: Vec<Quoted> = try_join_all(clients).await?.into_iter().flatten().collect();

    let mut report = Report::new(
        "quotes",
        format!(
            "{CLIENTS} accounts ask for a quote, submit the run, and compare its cost with the quote. A quarter of the runs may \
             cost {RATE} to {} credits at most, the others what the plan allows. {} workers take {RUNS_MS:?} ms a prompt, at \
             {RATE} credits a second.",
            3 * RATE,
            RUNS_MS.len()
        ),
    );
    judge(&mut report, &ended);
    report.notes.push(format!("seed {seed}"));
    site.finish(&mut report).await?;
    report.finish(common.output())
}

fn judge(report: &mut Report, ended: &[Quoted]) {
    let mut table = Table::new(&["runs", "count", "Done", "stopped at the ceiling", "credits"]);
    for (what, has_ceiling) in [("with a ceiling", true), ("without", false)] {
        let of: Vec<&Quoted> = ended.iter().filter(|run| run.has_ceiling == has_ceiling).collect();
        let with = |status: &str| of.iter().filter(|run| run.status == status).count().to_string();
        let used: i64 = of.iter().map(|run| run.used).sum();
        let cells = [what.to_owned(), of.len().to_string(), with("Done"), with("ExecutionTimeout"), used.to_string()];
        table.row(cells);
    }
    report.tables.push(table);
    let count = |holds: fn(&Quoted) -> bool| ended.iter().filter(|run| holds(run)).count() as u64;
    report.bars.push(Bar::equal("runs that cost more than their quote", count(|run| run.used > run.most), 0));
    let is_odd = |run: &Quoted| run.status != "Done" && !(run.status == "ExecutionTimeout" && run.has_ceiling);
    report.bars.push(Bar::equal("runs that ended otherwise than Done or at their ceiling", count(is_odd), 0));
    let stopped = count(|run| run.status == "ExecutionTimeout");
    report.bars.push(Bar::holds("some runs reach their ceiling", stopped.to_string(), stopped > 0));
    #[expect(clippy::cast_precision_loss, reason = "credits of a run")]
    let errors: Vec<f64> = ended
        .iter()
        .filter(|run| run.status == "Done" && run.used > 0)
        .filter_map(|run| Some((run.expected? - run.used).abs() as f64 / run.used as f64))
        .collect();
    let known = format!("{} of {} runs", errors.len(), ended.len());
    report.bars.push(Bar::holds("runs that were quoted by earlier ones", known, errors.len() * 2 > ended.len()));
    report.bars.push(Bar::below("median difference of estimate and cost", median(&errors) * 100.0, 25.0, " %"));
    report.notes.push(format!("median difference of estimate and cost: {} %", short(median(&errors) * 100.0)));
}

/// Quotes and runs jobs one after the other.
async fn quoted_runs(site: &Site, proof: &Proof, count: usize, mut random: StdRng) -> Result<Vec<Quoted>> {
    let mut connection = Connection::open(site.address).await?;
    let mut ended = Vec::with_capacity(count);
    for _ in 0..count {
        let ceiling = random.random_ratio(1, 4).then(|| random.random_range(RATE..=3 * RATE));
        let seed = site.seeds.next();
        let quote = ask(&mut connection, &site.app.quote_request(seed, ceiling, proof)).await?;
        let job = ask(&mut connection, &site.app.capped_request(seed, ceiling, proof)).await?;
        site.accepted.set(site.accepted.get() + 1);
        let id = job["_id"].as_str().unwrap_or_default();
        let events = get(&format!("/api/general/job/{id}/events"), proof);
        let status = tokio::time::timeout(ENDED_WITHIN, follow(site.address, &events)).await;
        let status = status.map_err(|_| Error::Other(format!("job {id} has not ended after {ENDED_WITHIN:?}")))??;
        let job = ask(&mut connection, &get(&format!("/api/general/job/{id}"), proof)).await?;
        let number = |value: &Value| {
            value.as_i64().ok_or_else(|| Error::Other(format!("no credits in the quote {quote} or the job {job}")))
        };
        ended.push(Quoted {
            most: number(&quote["total"]["mostCredits"])?,
            expected: quote["total"]["expected"]["credits"].as_i64(),
            used: number(&job["credits"]["used"])?,
            has_ceiling: ceiling.is_some(),
            status,
        });
    }
    Ok(ended)
}

/// Sends a request and reads the answer's JSON.
async fn ask(connection: &mut Connection, request: &[u8]) -> Result<Value> {
    let answer = connection.exchange(request).await?;
    let body = serde_json::from_slice(answer.body).unwrap_or_default();
    if (200..300).contains(&answer.status) {
        return Ok(body);
    }
    Err(Error::Other(format!("a request was answered {}: {body}", answer.status)))
}
