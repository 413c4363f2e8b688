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
use crate::app::{App, Recipe, get};
use crate::error::{Error, Result};
use crate::load::{Connection, follow};
use crate::platform::POOL;
use crate::report::{Bar, Report, Table, median, short};

/// Duration of a sampler at a worker.
const SAMPLER_MS: u64 = 80;
/// How much longer or shorter a run may be.
const NOISE_PERCENT: u32 = 30;
/// Samplers of the graphs. A run of the last one takes about as long as the ceilings allow.
const SAMPLERS: [usize; 4] = [1, 2, 4, 15];
/// Every n-th run of a client is one of the last graph.
const LONG_EVERY: usize = 12;
/// The price of a second. It is high, so that a run costs many credits and rounding does not hide differences.
const RATE: i64 = 1000;
/// Ceilings of runs. The lowest that the server accepts is the price of a second.
const CEILINGS: std::ops::RangeInclusive<i64> = RATE..=RATE * 5 / 4;
const CLIENTS: usize = 16;
const RUNS: usize = 10_000;
/// Timeout of a job's end.
const ENDED_WITHIN: Duration = Duration::from_secs(60);

/// What a client asks for.
#[derive(Debug, Clone, Copy)]
struct Terms {
    /// The place of the graph in [`SAMPLERS`].
    graph: usize,
    ceiling: Option<i64>,
    is_flex: bool,
}

/// A run that has ended.
#[derive(Debug)]
struct Quoted {
    terms: Terms,
    most: i64,
    /// `None` where no run of the graph had ended before.
    expected: Option<i64>,
    used: i64,
    status: String,
}

impl Quoted {
    fn is_done(&self) -> bool {
        self.status == "Done"
    }

    fn is_stopped(&self) -> bool {
        self.status == "ExecutionTimeout"
    }

    /// The difference of estimate and cost, as a part of the cost.
    #[expect(clippy::cast_precision_loss, reason = "credits of a run")]
    fn difference(&self) -> Option<f64> {
        let expected = self.expected.filter(|_| self.is_done() && self.used > 0)?;
        Some((expected - self.used).abs() as f64 / self.used as f64)
    }
}

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("graphs of different durations and a price of its own are needed")?;
    let (workers, runs) = if common.quick { (4, RUNS / 50) } else { (8, RUNS) };
    let seed = common.seed.unwrap_or_else(|| rand::rng().random());
    println!("seed {seed}");
    let mut shape = common.shape(workers)?;
    shape.pools = Some(format!(
        "[[pool]]\nname = \"{POOL}\"\ntitle = \"Fast GPU\"\ngpu = \"24 GB\"\ncredits_per_second = {RATE}\n"
    ));
    for (worker, number) in shape.workers.iter_mut().zip(0..) {
        worker.delay = Duration::from_millis(SAMPLER_MS);
        (worker.noise_percent, worker.seed) = (Some(NOISE_PERCENT), seed ^ number);
    }
    let people = People { keys: CLIENTS / 2, sessions: CLIENTS / 2 };
    let [first, others @ ..] = SAMPLERS;
    let site = Site::start(&shape, people, &Recipe::text_to_image_with(first)).await?;
    let owner = site.keys.first().ok_or_else(|| Error::Other("the accounts were not made".to_owned()))?;
    let mut apps = vec![site.app.clone()];
    for samplers in others {
        apps.push(Recipe::text_to_image_with(samplers).publish(site.address, owner).await?);
    }
    let clients = site.keys.iter().chain(&site.sessions).zip(0..).map(|(proof, number)| {
        let (site, apps, random) = (&site, apps.as_slice(), StdRng::seed_from_u64(seed ^ number));
        async move { quoted_runs(site, apps, proof, runs / CLIENTS, random).await }
    });
    let ended: Vec<Quoted> = try_join_all(clients).await?.into_iter().flatten().collect();

    let mut report = Report::new(
        "quotes",
        format!(
            "{CLIENTS} accounts ask for a quote, submit the run, and compare its cost with the quote; half of them use API keys, \
             the others sessions. Graphs have {SAMPLERS:?} samplers, which take {SAMPLER_MS} ms each, and a run up to \
             {NOISE_PERCENT} % more or less. A quarter of the runs, and three quarters of the longest ones, may cost {} to {} \
             credits at most, the others what the plan allows; a fifth of all but the longest is of the class flex. \
             {workers} workers, at {RATE} credits a second.",
            CEILINGS.start(),
            CEILINGS.end(),
        ),
    );
    judge(&mut report, &ended);
    report.notes.push(format!("seed {seed}"));
    site.finish(&mut report).await?;
    report.finish(common.output())
}

fn judge(report: &mut Report, ended: &[Quoted]) {
    let mut table = Table::new(&[
        "runs",
        "count",
        "Done",
        "stopped at the ceiling",
        "credits",
        "above the quote",
        "median difference of estimate and cost, %",
    ]);
    let mut row = |what: String, of: &dyn Fn(&Quoted) -> bool| table.row(cells(what, ended, of));
    for (graph, samplers) in SAMPLERS.iter().enumerate() {
        row(format!("{samplers} × sampler, quoted by earlier runs"), &|run| {
            run.terms.graph == graph && run.expected.is_some()
        });
    }
    row("the first of their graph, without earlier ones".to_owned(), &|run| run.expected.is_none());
    row("all with a ceiling".to_owned(), &|run| run.terms.ceiling.is_some());
    row("all of the class flex".to_owned(), &|run| run.terms.is_flex);
    report.tables.push(table);

    let count = |holds: fn(&Quoted) -> bool| ended.iter().filter(|run| holds(run)).count();
    let exceeded = count(|run| run.used > run.most);
    report.bars.push(Bar::equal("runs that cost more than their quote", exceeded as u64, 0));
    let odd = count(|run| !(run.is_done() || (run.is_stopped() && run.terms.ceiling.is_some())));
    report.bars.push(Bar::equal("runs that ended otherwise than Done or at their ceiling", odd as u64, 0));
    let stopped = count(Quoted::is_stopped);
    report.bars.push(Bar::holds("some runs reach their ceiling", stopped.to_string(), stopped > 0));
    // Each client may have begun one run of each graph before the first one ended.
    let first = count(|run| run.expected.is_none());
    let quoted = format!("all but {first} of {} runs", ended.len());
    report.bars.push(Bar::holds(
        "all but the first runs were quoted by earlier ones",
        quoted,
        first <= CLIENTS * SAMPLERS.len() && first * 2 < ended.len(),
    ));
    let differences: Vec<f64> = ended.iter().filter_map(Quoted::difference).collect();
    report.bars.push(Bar::below("median difference of estimate and cost", median(&differences) * 100.0, 25.0, " %"));
}

/// A row of the table: what became of some runs.
fn cells(what: String, ended: &[Quoted], of: &dyn Fn(&Quoted) -> bool) -> [String; 7] {
    let runs: Vec<&Quoted> = ended.iter().filter(|run| of(run)).collect();
    let count = |holds: fn(&Quoted) -> bool| runs.iter().filter(|run| holds(run)).count().to_string();
    let used: i64 = runs.iter().map(|run| run.used).sum();
    let differences: Vec<f64> = runs.iter().filter_map(|run| run.difference()).collect();
    let difference = if differences.is_empty() { "–".to_owned() } else { short(median(&differences) * 100.0) };
    [
        what,
        runs.len().to_string(),
        count(Quoted::is_done),
        count(Quoted::is_stopped),
        used.to_string(),
        count(|run| run.used > run.most),
        difference,
    ]
}

/// Quotes and runs jobs one after the other.
async fn quoted_runs(
    site: &Site,
    apps: &[App],
    proof: &Proof,
    count: usize,
    mut random: StdRng,
) -> Result<Vec<Quoted>> {
    let mut connection = Connection::open(site.address).await?;
    let mut ended = Vec::with_capacity(count);
    for number in 1..=count {
        let long = SAMPLERS.len() - 1;
        let graph = if number.is_multiple_of(LONG_EVERY) { long } else { random.random_range(0..long) };
        // Only long runs at the full price reach a ceiling.
        let with_ceiling = if graph == long { 3 } else { 1 };
        let ceiling = random.random_ratio(with_ceiling, 4).then(|| random.random_range(CEILINGS));
        let terms = Terms { graph, ceiling, is_flex: graph != long && random.random_ratio(1, 5) };
        ended.push(quoted_run(site, &apps[terms.graph], proof, terms, &mut connection).await?);
    }
    Ok(ended)
}

/// Asks for the quote of a run, submits it with the same terms, and waits until it has ended.
async fn quoted_run(
    site: &Site,
    app: &App,
    proof: &Proof,
    terms: Terms,
    connection: &mut Connection,
) -> Result<Quoted> {
    let seed = site.seeds.next();
    let quote = ask(connection, &app.quote_request(seed, terms.ceiling, proof)).await?;
    let class = terms.is_flex.then(|| "priceClass=flex".to_owned());
    let ceiling = terms.ceiling.map(|most| format!("maxCredits={most}"));
    let query: Vec<String> = class.into_iter().chain(ceiling).collect();
    let job = ask(connection, &app.with_terms(&query.join("&")).submit_request(seed, proof)).await?;
    site.accepted.set(site.accepted.get() + 1);
    let id = job["_id"].as_str().unwrap_or_default();
    let events = get(&format!("/api/general/job/{id}/events"), proof);
    let status = tokio::time::timeout(ENDED_WITHIN, follow(site.address, &events)).await;
    let status = status.map_err(|_| Error::Other(format!("job {id} has not ended after {ENDED_WITHIN:?}")))??;
    let job = ask(connection, &get(&format!("/api/general/job/{id}"), proof)).await?;
    let price = if terms.is_flex { &quote["total"]["flex"] } else { &quote["total"] };
    let number = |value: &Value| {
        value.as_i64().ok_or_else(|| Error::Other(format!("no credits in the quote {quote} or the job {job}")))
    };
    Ok(Quoted {
        terms,
        most: number(&price["mostCredits"])?,
        expected: price["expected"]["credits"].as_i64(),
        used: number(&job["credits"]["used"])?,
        status,
    })
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
