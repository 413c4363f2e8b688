//! Kills the server while it delivers events to a receiver that refuses many, and reads the feed at the same time.
//! Every event must arrive, signed, with the same body each time, in order per job, and be read exactly once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use reqwest::Method;
use serde_json::Value;
use uuid::Uuid;

use super::receiver::{ReceivedEvents, Receiver, RefusalPolicy};
use super::subscribe;
use crate::error::Result;
use crate::platform::{Platform, Shape};
use crate::report::{Bar, Report, Table};
use crate::scenarios::Common;
use crate::scenarios::drill::checks::{count, none};
use crate::scenarios::drill::clients::People;
use crate::scenarios::drill::plan::{Plan, Size};
use crate::scenarios::drill::{Drill, FaultInjector};
use crate::scenarios::feed::reader::{FeedEvent, Reader, read_all};

const POLL_EVERY: Duration = Duration::from_millis(20);
/// Interval between comparisons of receiver and feed once all jobs have ended.
const COMPARE_EVERY: Duration = Duration::from_millis(250);
/// Events of every job: created, started, ended.
const EVENTS_OF_A_JOB: usize = 3;
/// Attempts for one event.
const MAX_ATTEMPTS: usize = 10;

/// Options of this part.
#[derive(Debug, Clone, Copy)]
pub struct Kills {
    pub jobs: usize,
    pub kills: usize,
    pub run: Duration,
    most_in_a_row: usize,
    /// Timeout for the last events.
    patience: Duration,
}

impl Kills {
    pub const FULL: Self = Self {
        jobs: 1700,
        kills: 20,
        run: Duration::from_millis(80),
        most_in_a_row: usize::MAX,
        patience: Duration::from_mins(15),
    };
    pub const QUICK: Self = Self {
        jobs: 60,
        kills: 2,
        run: Duration::from_millis(100),
        most_in_a_row: 2,
        patience: Duration::from_mins(2),
    };

    /// Good workers, short leases, and retries after a second.
    fn shape(&self, common: &Common) -> Result<Shape> {
        let mut shape = common.shape(2)?;
        for worker in &mut shape.workers {
            worker.delay = self.run;
        }
        Ok(super::allowing_loopback(shape)
            .with("jobs.lease_seconds", 4)
            .with("jobs.heartbeat_seconds", 1)
            .with("jobs.sweep_seconds", 1)
            .with("jobs.accept_seconds", 5)
            .with("jobs.retries", 6))
    }
}

/// Runs this part and adds its results to the report.
pub async fn run(common: &Common, size: &Kills, seed: u64, report: &mut Report) -> Result<()> {
    let drawn =
        Size { jobs: size.jobs, server_kills: 0, worker_kills: 0, database_restarts: 0, accounts: 1, workers: 2 };
    let plan = Arc::new(Plan::draw(seed, &drawn));
    let mut platform = Platform::start(&size.shape(common)?).await?;
    let ran = drill(&mut platform, size, seed, &plan, report).await;
    let log = std::fs::read_to_string(platform.server.log()).unwrap_or_default();
    let stopped = platform.stop().await;
    ran?;
    report.bars.push(none("panics in the server's log", log.matches("panicked at").count()));
    let said = stopped.as_ref().err().map_or_else(|| "it did".to_owned(), ToString::to_string);
    report.bars.push(Bar::holds("the server stops in order", said, stopped.is_ok()));
    Ok(())
}

async fn drill(platform: &mut Platform, size: &Kills, seed: u64, plan: &Arc<Plan>, report: &mut Report) -> Result<()> {
    let began = Instant::now();
    let policy = RefusalPolicy { refuses: 0.3, most_of_one: 6, most_in_a_row: size.most_in_a_row, seed };
    let receiver = Receiver::start(policy)?;
    let mut drill = Drill::begin(plan, vec![platform.server.url()], 1).await?;
    subscribe(drill.people.request(Method::POST, "general/webhook-config", 0), &receiver).await?;
    let mut killer = ServerKiller::new(size, seed, &receiver, Reader::start(&drill.people));
    drill.run_with(platform, &mut killer).await?;
    let feed = killer.end(platform, &drill.people, size.patience).await?;
    let wrong = drill.progress.notes().wrong.clone();

    let ServerKiller { reader, kills, failed_starts, .. } = killer;
    let (arrivals, refusals) = {
        let received = receiver.received();
        (received.arrivals, received.refusals)
    };
    report.notes.push(format!(
        "kills: {} events, {arrivals} arrivals of which {refusals} were refused, {:.0} s; {failed_starts} starts of the server failed by \
         themselves and were repeated",
        feed.len(),
        began.elapsed().as_secs_f64()
    ));
    report.bars.push(count("kills of the server", kills, size.kills));
    report.bars.push(none("answers that no client should get", wrong.len()));
    report.notes.extend(wrong.into_iter().take(5));
    let read = reader.ids();
    let expected: Vec<Uuid> = feed.iter().map(|event| event.id).collect();
    report.bars.push(Bar::holds(
        "a reader of the feed that is killed as well gets each event once, in order",
        format!("{} of {} events", read.len(), expected.len()),
        read == expected,
    ));
    judge(&receiver.received(), &feed, size, report);
    compare_rows(platform, &receiver, report).await
}

/// Kills the server, and the feed's reader with it, as events arrive.
struct ServerKiller<'a> {
    receiver: &'a Receiver,
    reader: Reader,
    random: StdRng,
    /// Numbers of received events at which kills are due, in descending order.
    moments: Vec<usize>,
    up_at: Option<Instant>,
    kills: usize,
    failed_starts: usize,
}

impl FaultInjector for ServerKiller<'_> {
    async fn step(&mut self, platform: &mut Platform, _: usize) -> Result<()> {
        if let Some(at) = self.up_at {
            if at <= Instant::now() {
                self.up_at = None;
                platform.server.launch()?;
            }
            return Ok(());
        }
        if platform.server.has_ended() {
            self.failed_starts += 1;
            self.up_at = Some(Instant::now() + Duration::from_millis(200));
        } else if self.moments.last().is_some_and(|moment| self.receiver.received().events.len() >= *moment) {
            self.moments.pop();
            // A random delay, to interrupt whatever is in progress.
            tokio::time::sleep(self.drawn(30)).await;
            platform.server.kill();
            self.reader.restart();
            self.kills += 1;
            self.up_at = Some(Instant::now() + self.drawn(500));
        }
        Ok(())
    }

    /// Jobs may end before the last kill. The remaining kills happen during the remaining deliveries.
    fn is_done(&mut self) -> bool {
        self.up_at.is_none()
    }
}

impl<'a> ServerKiller<'a> {
    /// Distributes kills from the first events to the last fifth.
    fn new(size: &Kills, seed: u64, receiver: &'a Receiver, reader: Reader) -> Self {
        let mut random = StdRng::seed_from_u64(seed ^ 1);
        let events = size.jobs * EVENTS_OF_A_JOB;
        let mut moments: Vec<usize> =
            (0..size.kills).map(|_| random.random_range(events / 50..events * 4 / 5)).collect();
        moments.sort_unstable_by(|one, other| other.cmp(one));
        Self { receiver, reader, random, moments, up_at: None, kills: 0, failed_starts: 0 }
    }

    fn drawn(&mut self, most_ms: u64) -> Duration {
        Duration::from_millis(self.random.random_range(0..most_ms))
    }

    /// Continues until the last kill is done and everything has arrived, or time is up. Returns the feed.
    async fn end(&mut self, platform: &mut Platform, people: &People, patience: Duration) -> Result<Vec<FeedEvent>> {
        let (until, mut compared) = (Instant::now() + patience, Instant::now());
        loop {
            self.step(platform, 0).await?;
            if compared.elapsed() >= COMPARE_EVERY && self.moments.is_empty() && self.up_at.is_none() {
                compared = Instant::now();
                if let Ok(feed) = read_all(people).await {
                    let is_over = feed.len() == self.reader.ids().len() && {
                        let received = self.receiver.received();
                        feed.iter()
                            .all(|event| received.events.get(&event.id).is_some_and(|event| event.taken.is_some()))
                    };
                    if is_over {
                        return Ok(feed);
                    }
                }
            }
            if Instant::now() > until {
                println!("not everything has arrived after {patience:?}: what is there is checked");
                platform.server.ready().await?;
                return read_all(people).await;
            }
            tokio::time::sleep(POLL_EVERY).await;
        }
    }
}

fn judge(received: &ReceivedEvents, feed: &[FeedEvent], size: &Kills, report: &mut Report) {
    #[expect(clippy::cast_precision_loss, reason = "thousands of requests")]
    let (events, refused) = (feed.len() as f64, received.refusals as f64 / received.arrivals.max(1) as f64);
    #[expect(clippy::cast_precision_loss, reason = "thousands of jobs")]
    let least = (size.jobs * EVENTS_OF_A_JOB) as f64 * 0.9;
    report.bars.push(Bar::at_least("events of the feed", events, least, ""));
    report.bars.push(Bar::at_least("share of requests that the receiver refused", refused, 0.15, ""));
    let known: HashMap<Uuid, &FeedEvent> = feed.iter().map(|event| (event.id, event)).collect();
    let taken = |id: &Uuid| received.events.get(id).and_then(|event| event.taken);
    report.bars.push(none("events that did not arrive", known.keys().filter(|id| taken(id).is_none()).count()));
    report.bars.push(none(
        "events that arrived and are not in the feed",
        received.events.keys().filter(|id| !known.contains_key(id)).count() + received.unreadable,
    ));
    report.bars.push(none("requests without a valid signature", received.unsigned));
    report
        .bars
        .push(none("arrivals with another body than before", received.events.values().map(|event| event.others).sum()));
    let is_as_read = |event: &&FeedEvent| {
        let body =
            received.events.get(&event.id).and_then(|received| serde_json::from_slice::<Value>(&received.body).ok());
        body.as_ref() == Some(&event.whole)
    };
    report.bars.push(none(
        "events that arrived otherwise than the feed tells them",
        feed.iter().filter(|event| !is_as_read(event)).count(),
    ));
    report.bars.push(none("events that came before the one before them of their job was taken", early(received, feed)));
    let most = received.events.values().map(|event| event.arrivals).max().unwrap_or(0);
    report.bars.push(Bar::holds(
        format!("attempts at one event, of {MAX_ATTEMPTS} that there may be"),
        most.to_string(),
        most <= MAX_ATTEMPTS,
    ));
    let mut table = Table::new(&["attempts until taken", "events"]);
    for attempts in 1..=most {
        let events = received.events.values().filter(|event| event.arrivals == attempts).count();
        table.row([attempts.to_string(), events.to_string()]);
    }
    report.tables.push(table);
}

/// Events that arrived before the previous event of their job was accepted.
fn early(received: &ReceivedEvents, feed: &[FeedEvent]) -> usize {
    let mut before: HashMap<&str, usize> = HashMap::new();
    let mut early = HashSet::new();
    for event in feed {
        let Some(arrived) = received.events.get(&event.id) else { continue };
        let taken = arrived.taken.unwrap_or(usize::MAX);
        if before.insert(&event.job, taken).is_some_and(|taken| taken > arrived.first) {
            early.insert(event.id);
        }
    }
    early.len()
}

/// Checks the rows: every event was delivered, and every attempt was counted.
async fn compare_rows(platform: &Platform, receiver: &Receiver, report: &mut Report) -> Result<()> {
    // The last attempts may not be recorded yet: a killed server had the lease of their address, and it starts first.
    let open = "SELECT count(*) FROM webhook_deliveries WHERE state = 0";
    let until = Instant::now() + Duration::from_mins(1);
    while platform.database.count(open).await? > 0 && Instant::now() < until {
        tokio::time::sleep(POLL_EVERY).await;
    }
    let rows: Vec<(Uuid, i16, i16)> = sqlx::query_as("SELECT event_id, state, attempts FROM webhook_deliveries")
        .fetch_all(&platform.database.pool)
        .await?;
    let received = receiver.received();
    let arrivals = |id: &Uuid| received.events.get(id).map_or(0, |event| event.arrivals);
    let uncounted = rows.iter().filter(|(id, _, made)| usize::try_from(*made).unwrap_or(0) < arrivals(id)).count();
    let most = rows.iter().map(|(_, _, attempts)| *attempts).max().unwrap_or(0);
    report.bars.push(none("deliveries that were not taken", rows.iter().filter(|(_, state, _)| *state != 1).count()));
    report.bars.push(none("events that arrived more often than attempts were counted", uncounted));
    report.bars.push(Bar::holds(
        format!("attempts that a row counts, of {MAX_ATTEMPTS}"),
        most.to_string(),
        usize::try_from(most).is_ok_and(|most| most <= MAX_ATTEMPTS),
    ));
    Ok(())
}
