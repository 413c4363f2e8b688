//! `sdk`: hundreds of clients of Comfy API v2 at once, each the official Python SDK, unchanged, under the shipped limits.
//! Then some of the JavaScript SDK. No job may be lost, and a job may not cost many more requests than it costs a client
//! that is alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use serde::Deserialize;
use verdigraph_core::settings::Settings;

use super::site::{People, Site};
use super::{Common, allow_files};
use crate::accounts::Proof;
use crate::app::Recipe;
use crate::error::{Error, Result};
use crate::platform::{Shape, workspace};
use crate::report::{Bar, Report, Table, short};

/// Clients that share an account and its key.
const CLIENTS_PER_ACCOUNT: usize = 10;
/// The most clients of the JavaScript SDK, and the most jobs of each.
const JAVASCRIPT: (usize, usize) = (10, 3);
/// Duration of a prompt.
const RUN: Duration = Duration::from_millis(200);
/// How many times the requests of a client that is alone a job may cost.
const MOST: f64 = 1.5;
/// Timeout of all clients together.
const ENDED_WITHIN: Duration = Duration::from_secs(1800);
/// The first plan as it is shipped, with more credits.
const PLANS: &str = r#"
[[plan]]
name = "Free"
monthly_credits = 1000000000
weight = 1
pools = ["standard"]
max_run_seconds = 600
max_queued_jobs = 100000
private = false
"#;

#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// Clients at once [default: 500; with --quick 60]
    #[arg(long)]
    pub clients: Option<usize>,
    /// Jobs of each client [default: 20; with --quick 3]
    #[arg(long)]
    pub jobs: Option<usize>,
}

/// What the driver tells of its clients.
#[derive(Debug, Deserialize)]
struct Phase {
    name: String,
    clients: u64,
    /// Jobs that the clients wanted to run.
    wanted: u64,
    /// Jobs that the server lists afterwards.
    listed: u64,
    /// Jobs that were wanted and did not succeed, or are not listed.
    lost: u64,
    seconds: f64,
    /// Requests that the server counted, by method and route.
    requests: BTreeMap<String, u64>,
    /// Its answers by status.
    answers: BTreeMap<String, u64>,
    /// Jobs by their final status.
    ended: BTreeMap<String, u64>,
    /// What clients met, with its count.
    errors: BTreeMap<String, u64>,
}

impl Phase {
    fn requests_per_job(&self) -> f64 {
        count(self.requests.values().sum()) / count(self.wanted.max(1))
    }

    /// Answers that a client must repeat or give up at.
    fn refusals(&self) -> u64 {
        let is_refusal = |status: &str| status == "429" || status.starts_with('5');
        self.answers.iter().filter(|(status, _)| is_refusal(status)).map(|(_, count)| count).sum()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a load run")]
fn count(number: u64) -> f64 {
    number as f64
}

pub async fn run(Args { common, clients, jobs }: &Args) -> Result<ExitCode> {
    common.must_be_own("the requests of the clients alone are counted")?;
    let clients = clients.unwrap_or(if common.quick { 60 } else { 500 }).max(1);
    let jobs = jobs.unwrap_or(if common.quick { 3 } else { 20 }).max(1);
    // A connection of each client, here and in the server, which inherits the limit.
    allow_files(clients as u64 * 2 + 1000)?;
    let mut shape = with_shipped_limits(common.shape(if common.quick { 4 } else { 20 })?)?;
    for worker in &mut shape.workers {
        worker.delay = RUN;
    }
    let accounts = clients.div_ceil(CLIENTS_PER_ACCOUNT);
    let people = People { keys: accounts, sessions: 0 };
    let site = Site::start(&shape, people, &Recipe::text_to_image()).await?;
    let mut phases = drive(&site, python()?, (clients, jobs)).await?;
    let (most_clients, most_jobs) = JAVASCRIPT;
    phases.extend(drive(&site, javascript()?, (clients.min(most_clients), jobs.min(most_jobs))).await?);
    site.accepted.set(phases.iter().map(|phase| phase.listed).sum());

    let mut report = Report::new(
        "sdk",
        format!(
            "{clients} clients of {accounts} accounts, each the official Python SDK of Comfy API v2, run {jobs} jobs one after \
             the other: submit, poll until the end. Before that one client alone does the same, and after it some of the \
             JavaScript SDK. {} scripted workers take {} ms a job. Rates, streams and queue places of an account are limited \
             as shipped; credits are not short.",
            shape.workers.len(),
            RUN.as_millis()
        ),
    );
    judge(&mut report, &phases)?;
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// Other scenarios run without limits.
fn with_shipped_limits(shape: Shape) -> Result<Shape> {
    let shipped = Settings::defaults("").map_err(|error| Error::Other(format!("the shipped settings: {error}")))?;
    let limits = &shipped.limits;
    let shape = shape
        .with("limits.requests_per_minute_per_key", limits.requests_per_minute_per_key)
        .with("limits.requests_per_minute_per_account", limits.requests_per_minute_per_account)
        .with("limits.requests_per_minute_per_address", limits.requests_per_minute_per_address)
        .with("limits.streams_per_account", limits.streams_per_account)
        .with("limits.streams_per_node", limits.streams_per_node);
    Ok(Shape { plans: Some(PLANS.to_owned()), ..shape })
}

/// The driver of clients of the Python SDK.
fn python() -> Result<Command> {
    let mut command = Command::new(tool("comfy-sdk/bin/python", "the Python SDK")?);
    command.arg(workspace().join("http/tests/sdk/crowd.py"));
    Ok(command)
}

/// The driver of clients of the JavaScript SDK.
fn javascript() -> Result<Command> {
    let sdk = tool("comfy-sdk-js/node_modules/@comfyorg/sdk/dist/index.js", "the JavaScript SDK")?;
    let mut command = Command::new("node");
    command.arg(workspace().join("http/tests/sdk/crowd.mjs")).arg(sdk);
    Ok(command)
}

fn tool(path: &str, what: &str) -> Result<PathBuf> {
    let place = workspace().join(".tools").join(path);
    let missing = || Error::Other(format!("{what} is missing: make sdk-crowd installs it"));
    place.is_file().then_some(place).ok_or_else(missing)
}

/// Runs clients, in a process of their own.
async fn drive(site: &Site, mut command: Command, (clients, jobs): (usize, usize)) -> Result<Vec<Phase>> {
    let platform = site.own()?;
    let (keys, told) = (platform.folder().join("keys.txt"), platform.folder().join("crowd.json"));
    let mut lines = String::new();
    for proof in &site.keys {
        if let Proof::Key(key) = proof {
            let _infallible = writeln!(lines, "{key}");
        }
    }
    std::fs::write(&keys, lines)?;
    command
        .env("COMFY_BASE_URL", platform.server.url())
        .env("NO_PROXY", "127.0.0.1,localhost")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("CROWD_KEYS", &keys)
        .env("CROWD_CLIENTS", clients.to_string())
        .env("CROWD_JOBS", jobs.to_string())
        .env("CROWD_RESULT", &told)
        .stdin(Stdio::null());
    let mut driver = platform.spawn(&mut command)?;
    let late = |_| Error::Other(format!("the clients have not ended after {ENDED_WITHIN:?}"));
    let status = tokio::time::timeout(ENDED_WITHIN, driver.end()).await.map_err(late)?;
    if !status.success() {
        return Err(Error::Other(format!("the driver of the clients ended with {status}")));
    }
    let told = std::fs::read(&told)?;
    serde_json::from_slice(&told).map_err(|error| Error::Other(format!("what the driver tells: {error}")))
}

fn judge(report: &mut Report, phases: &[Phase]) -> Result<()> {
    let mut table = Table::new(&["clients", "number", "jobs", "lost", "429 or 5xx", "requests per job", "seconds"]);
    for phase in phases {
        table.row([
            phase.name.clone(),
            phase.clients.to_string(),
            phase.wanted.to_string(),
            phase.lost.to_string(),
            phase.refusals().to_string(),
            short(phase.requests_per_job()),
            short(phase.seconds),
        ]);
        for (what, counts) in [
            ("requests", &phase.requests),
            ("answers", &phase.answers),
            ("jobs ended", &phase.ended),
            ("errors met by clients", &phase.errors),
        ] {
            if !counts.is_empty() {
                report.notes.push(format!("{}: {what}: {}", phase.name, listed(counts)));
            }
        }
    }
    report.tables.push(table);
    let [alone, crowd, javascript] = phases else {
        return Err(Error::Other(format!("the drivers tell of {} phases instead of 3", phases.len())));
    };
    for phase in phases {
        report.bars.push(Bar::equal(format!("jobs lost, {}", phase.name), phase.lost, 0));
    }
    for phase in [crowd, javascript] {
        let ratio = phase.requests_per_job() / alone.requests_per_job().max(f64::MIN_POSITIVE);
        report.bars.push(Bar {
            what: format!("requests per job, {}, against one client alone", phase.name),
            demanded: format!("≤ {}×", short(MOST)),
            measured: format!("{}×", short(ratio)),
            met: ratio <= MOST && alone.requests_per_job() > 0.0,
        });
    }
    Ok(())
}

fn listed(counts: &BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} × {name}")).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(requests: u64, lost: u64) -> Phase {
        Phase {
            name: "some".to_owned(),
            clients: 1,
            wanted: 10,
            listed: 10 - lost,
            lost,
            seconds: 1.0,
            requests: BTreeMap::from([("GET /api/v2/jobs/{id}".to_owned(), requests)]),
            answers: BTreeMap::from([("200".to_owned(), requests), ("429".to_owned(), 1), ("503".to_owned(), 2)]),
            ended: BTreeMap::new(),
            errors: BTreeMap::new(),
        }
    }

    #[test]
    fn lost_job_and_storm_of_requests_miss_their_bars() {
        assert_eq!(phase(30, 0).refusals(), 3);
        for (crowd, met) in [(phase(45, 0), [true, true]), (phase(46, 0), [true, false]), (phase(30, 1), [false, true])]
        {
            let mut report = Report::default();
            judge(&mut report, &[phase(30, 0), phase(30, 0), crowd]).expect("three phases");
            let bars: Vec<bool> = report.bars.iter().map(|bar| bar.met).collect();
            assert_eq!(bars, [true, true, met[0], true, met[1]]);
        }
        assert!(judge(&mut Report::default(), &[]).is_err());
    }
}
