//! The speed of deliveries: a backlog, compared with a plain client that posts the same bodies to the same kind of
//! receiver; and the time from an event to its first attempt, alone and beside receivers that never answer.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_web::web::Bytes;
use chrono::DateTime;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::receiver::{Receiver, RefusalPolicy};
use super::{subscribe, subscription};
use crate::accounts::Proof;
use crate::app::Recipe;
use crate::error::{Error, Result};
use crate::load::{Histogram, Loop, Outcome};
use crate::platform::Platform;
use crate::report::{Bar, Report, Table, short};
use crate::scenarios::Common;
use crate::scenarios::follow::now_us;
use crate::scenarios::site::{People, Site};

/// Concurrent attempts of a node at one address, and of the plain client.
const BESIDE: usize = 32;
/// Minimum share of the plain client's rate.
const LEAST_SHARE: f64 = 0.3;
/// Allowed increase of p95 beside unresponsive receivers: a fifth, plus noise between runs.
const MORE: f64 = 1.2;
const NOISE_MS: f64 = 20.0;
/// A delivery to a healthy receiver that took longer than this waited for an unhealthy one.
const LATE: Duration = Duration::from_secs(8);
const POLL_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_mins(3);

/// Options of this part.
#[derive(Debug, Clone, Copy)]
pub struct Speed {
    pub jobs: u64,
    pub dead: usize,
    /// Jobs per second, and for how long.
    pub pace: f64,
    pub length: Duration,
}

impl Speed {
    pub const FULL: Self = Self { jobs: 3000, dead: 999, pace: 40.0, length: Duration::from_secs(20) };
    pub const QUICK: Self = Self { jobs: 30, dead: 99, pace: 5.0, length: Duration::from_secs(2) };
}

/// Runs this part and adds its results to the report.
pub async fn run(common: &Common, size: &Speed, report: &mut Report) -> Result<()> {
    let shape = super::allowing_loopback(common.shape(4)?);
    let site = Site::start(&shape, People { keys: 2, sessions: 0 }, &Recipe::text_to_image()).await?;
    let [living, dying] = site.keys.as_slice() else { return Err(Error::Other("two accounts are needed".to_owned())) };
    let receiver = Receiver::start(RefusalPolicy::NONE)?;
    let http = reqwest::Client::builder().no_proxy().build()?;
    let url = format!("http://{}/api/general/webhook-config", site.address);
    let post = |proof: &Proof| match proof {
        Proof::Key(key) | Proof::Session(key) => http.post(&url).header("api-key", key),
    };
    subscribe(post(living), &receiver).await?;

    let rate = backlog(&site, size, &receiver).await?;
    let bodies = receiver.received().events.iter().map(|(id, event)| (*id, event.body.clone())).collect();
    let plain = post_all(bodies).await?;
    let alone = paced(&site, size, &receiver, living).await?;

    let dead = SilentReceivers::start().await?;
    let answer = post(dying).json(&subscription(&dead.url, &["job.done"])).send().await?;
    answer.error_for_status()?;
    let beside = beside_dead(&site, size, &receiver, &dead).await?;

    let mut table = Table::new(&["from an event to its first attempt", "events", "p50 ms", "p95 ms", "max ms"]);
    for (what, seen) in [("alone".to_owned(), &alone), (format!("beside {} dead", size.dead), &beside)] {
        let at = |share| short(seen.quantile_ms(share));
        table.row([what, seen.count().to_string(), at(0.5), at(0.95), short(seen.max_ms())]);
    }
    report.tables.push(table);
    report.notes.push(format!(
        "speed: {} deliveries a second of a backlog of {} jobs' events; a plain client that posts the same bodies, {BESIDE} at \
         a time, makes {}",
        short(rate),
        size.jobs,
        short(plain)
    ));
    let limit = alone.quantile_ms(0.95).mul_add(MORE, NOISE_MS);
    let bars = [
        Bar::at_least("deliveries a second, of those of a plain client", rate / plain.max(0.001), LEAST_SHARE, "×"),
        Bar::below(
            format!(
                "p95 from an event to its first attempt beside {} dead receivers, of 1.2 times p95 alone and {NOISE_MS:.0} ms \
                 of noise",
                size.dead
            ),
            beside.quantile_ms(0.95),
            limit,
            " ms",
        ),
        Bar::below(
            "longest time from an event to its first attempt beside the dead",
            beside.max_ms() / 1000.0,
            LATE.as_secs_f64(),
            " s",
        ),
    ];
    report.judge_speed(common.measures_speed(), bars);
    #[expect(clippy::cast_precision_loss, reason = "thousands of events")]
    let (least, seen) = (size.pace * size.length.as_secs_f64() * 3.0 * 0.7, alone.count().min(beside.count()) as f64);
    let least = if common.measures_speed() { least } else { 1.0 };
    report.bars.push(Bar::at_least("events to judge by", seen, least, ""));
    report.bars.push(Bar::equal("requests without a valid signature (speed)", receiver.received().unsigned as u64, 0));
    site.finish(report).await?;
    Ok(())
}

/// Runs jobs while the receiver is paused, then releases the backlog. Returns deliveries per second.
async fn backlog(site: &Site, size: &Speed, receiver: &Receiver) -> Result<f64> {
    let platform = site.own()?;
    execute(platform, "UPDATE webhook_configs SET paused_until = now() + interval '1 hour'").await?;
    while site.accepted.get() < size.jobs {
        site.load(&Loop { warm_up: Duration::ZERO, ..site.plan(8, Duration::from_millis(500)) }, 1).await?;
    }
    let accepted = site.accepted.get();
    let all = i64::try_from(accepted).unwrap_or(i64::MAX) * 3;
    until("the events of all jobs are on their way", async || {
        let open = platform.database.count("SELECT count(*) FROM all_jobs WHERE status <= 3").await?;
        Ok(open == 0 && platform.database.count("SELECT count(*) FROM webhook_deliveries").await? >= all)
    })
    .await?;
    let all = usize::try_from(platform.database.count("SELECT count(*) FROM webhook_deliveries").await?).unwrap_or(0);
    execute(platform, "UPDATE webhook_configs SET paused_until = NULL, due_at = now()").await?;
    until("the backlog has arrived", async || Ok(receiver.received().events.len() >= all)).await?;
    Ok(receiver.per_second())
}

/// Posts these bodies as a plain client, with a node's concurrency. Returns requests per second.
async fn post_all(mut bodies: Vec<(Uuid, Bytes)>) -> Result<f64> {
    let receiver = Receiver::start(RefusalPolicy::NONE)?;
    let http = reqwest::Client::builder().no_proxy().build()?;
    let mut clients = JoinSet::new();
    let share = bodies.len().div_ceil(BESIDE).max(1);
    while !bodies.is_empty() {
        let own = bodies.split_off(bodies.len().saturating_sub(share));
        let (http, url) = (http.clone(), receiver.url.clone());
        clients.spawn(async move {
            for (id, body) in own {
                // With headers as long as those of a node.
                let request = http.post(&url).header("content-type", "application/json").body(body);
                let request = request.header("webhook-id", id.to_string()).header("webhook-timestamp", "1700000000");
                let signature = "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
                request.header("webhook-signature", signature).send().await?.error_for_status()?.bytes().await?;
            }
            Ok::<_, reqwest::Error>(())
        });
    }
    while let Some(done) = clients.join_next().await {
        done.map_err(|error| Error::Other(format!("a plain client ended: {error}")))??;
    }
    Ok(receiver.per_second())
}

/// Submits at a constant rate. Returns the times from each event to its first attempt.
async fn paced(site: &Site, size: &Speed, receiver: &Receiver, owner: &Proof) -> Result<Histogram> {
    let began_us = now_us();
    submit(site, owner, Some(size.pace), size.length).await?;
    let platform = site.own()?;
    until("all jobs have ended", async || {
        Ok(platform.database.count("SELECT count(*) FROM all_jobs WHERE status <= 3").await? == 0)
    })
    .await?;
    until("the living receiver has everything", async || {
        let open = "SELECT count(*) FROM webhook_deliveries d JOIN webhook_configs c ON c.id = d.config_id
                    WHERE d.state = 0 AND cardinality(c.kinds) > 1";
        let behind = "SELECT (SELECT count(*) FROM events_outbox)
                      + (SELECT count(*) FROM webhook_head, events_head WHERE position < last)";
        Ok(platform.database.count(behind).await? == 0 && platform.database.count(open).await? == 0)
    })
    .await?;
    let mut seen = Histogram::default();
    for event in receiver.received().events.values() {
        let body: Value = serde_json::from_slice(&event.body).unwrap_or_default();
        let at = body.get("timestamp").and_then(Value::as_str).and_then(|at| DateTime::parse_from_rfc3339(at).ok());
        let at_us = at.ok_or_else(|| Error::Other(format!("an event without its time: {body}")))?.timestamp_micros();
        if at_us >= began_us {
            seen.record(Duration::from_micros(u64::try_from(event.first_at_us - at_us).unwrap_or(0)));
        }
    }
    Ok(seen)
}

/// The same while many addresses of another account never answer and always have deliveries due.
async fn beside_dead(site: &Site, size: &Speed, receiver: &Receiver, dead: &SilentReceivers) -> Result<Histogram> {
    let [living, dying] = site.keys.as_slice() else { return Err(Error::Other("two accounts are needed".to_owned())) };
    let more = size.dead.saturating_sub(1);
    execute(
        site.own()?,
        &format!(
            "INSERT INTO webhook_configs (id, user_id, name, url, kinds, secret, created_at, updated_at, since)
             SELECT gen_random_uuid(), user_id, name, url, kinds, secret, now(), now(), since
             FROM webhook_configs, generate_series(1, {more}) WHERE cardinality(kinds) = 1"
        ),
    )
    .await?;
    // Two events each: as many as are attempted concurrently at an unknown address.
    submit(site, dying, Some(2.0), Duration::from_secs(1)).await?;
    let held = size.dead.min(100);
    until("the dead receivers hold what they got", async || Ok(dead.held.get() >= held)).await?;
    paced(site, size, receiver, living).await
}

async fn submit(site: &Site, owner: &Proof, pace: Option<f64>, length: Duration) -> Result<Outcome> {
    let submits = site.app.submits(std::slice::from_ref(owner), &site.seeds);
    let plan = Loop { address: site.address, connections: 2, warm_up: Duration::ZERO, length, pace };
    let outcome = plan.run(|_| submits.clone(), || ()).await?;
    site.accepted.set(site.accepted.get() + outcome.accepted);
    site.unknown.set(site.unknown.get() + outcome.broken);
    Ok(outcome)
}

/// A receiver that accepts connections and never answers.
struct SilentReceivers {
    url: String,
    held: Rc<Cell<usize>>,
}

impl SilentReceivers {
    async fn start() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}/events", listener.local_addr()?);
        let held = Rc::new(Cell::new(0));
        let counted = Rc::clone(&held);
        actix_rt::spawn(async move {
            let mut all = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                counted.set(counted.get() + 1);
                all.push(stream);
            }
        });
        Ok(Self { url, held })
    }
}

async fn execute(platform: &Platform, sql: &str) -> Result<()> {
    sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&platform.database.pool).await?;
    Ok(())
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> Result<bool>) -> Result<()> {
    let end = Instant::now() + PATIENCE;
    while !holds().await? {
        if Instant::now() > end {
            return Err(Error::Other(format!("timed out after {PATIENCE:?} waiting until {what}")));
        }
        tokio::time::sleep(POLL_EVERY).await;
    }
    Ok(())
}
