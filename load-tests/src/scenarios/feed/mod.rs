//! `feed`: three nodes write events, some in transactions that commit late, while a consumer of the feed is killed again
//! and again. It must get each event once.

pub mod reader;

use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use sqlx::PgPool;
use tokio::task::JoinSet;
use uuid::Uuid;

use self::reader::{Reader, read_all};
use super::Common;
use super::drill::checks::{count, none};
use super::drill::plan::{Plan, Size};
use super::drill::{Drill, FaultInjector};
use crate::error::{Error, Result};
use crate::platform::{Platform, Server, Shape};
use crate::report::{Bar, Report};
use verdigraph_core::database;

/// Nodes besides the first one.
const OTHERS: usize = 2;
/// Events of every job: created, started, ended.
const EVENTS_OF_A_JOB: usize = 3;
/// Connections that write events and commit late.
const LATE_WRITERS: usize = 3;
const POLL_EVERY: Duration = Duration::from_millis(10);
/// Events that have no position yet.
const UNNUMBERED: &str = "SELECT count(*) FROM events_outbox";
/// Timeout for the last events.
const PATIENCE: Duration = Duration::from_mins(3);

#[derive(Debug, Clone, Copy)]
struct FeedSize {
    jobs: usize,
    kills: usize,
    workers: usize,
    /// Transactions of each late writer.
    late: usize,
}

const FULL: FeedSize = FeedSize { jobs: 6700, kills: 50, workers: 6, late: 60 };
const QUICK: FeedSize = FeedSize { jobs: 80, kills: 5, workers: 3, late: 3 };

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("it needs several nodes")?;
    let seed = common.seed.unwrap_or_else(|| rand::rng().random::<u32>().into());
    println!("seed {seed}: repeat this run's choices with --seed {seed}");
    let size = if common.quick { QUICK } else { FULL };
    let mut platform = Platform::start(&shape(common, &size)?).await?;
    let ran = drill(&mut platform, &size, seed).await;
    let stopped = platform.stop().await;
    let mut report = ran?;
    let said = stopped.as_ref().err().map_or_else(|| "they did".to_owned(), ToString::to_string);
    report.bars.push(Bar::holds("the nodes stop in order", said, stopped.is_ok()));
    report.finish(common.output())
}

fn shape(common: &Common, size: &FeedSize) -> Result<Shape> {
    let mut shape = common.shape(size.workers)?;
    shape.other_nodes = OTHERS;
    for worker in &mut shape.workers {
        worker.delay = Duration::from_millis(5);
    }
    Ok(shape)
}

async fn drill(platform: &mut Platform, size: &FeedSize, seed: u64) -> Result<Report> {
    let began = Instant::now();
    let drawn = Size {
        jobs: size.jobs,
        accounts: 1,
        workers: size.workers,
        server_kills: 0,
        worker_kills: 0,
        database_restarts: 0,
    };
    let plan = Arc::new(Plan::draw(seed, &drawn));
    let nodes = std::iter::once(&platform.server).chain(&platform.others).map(Server::url).collect();
    let mut drill = Drill::begin(&plan, nodes, 1).await?;
    let mut killer = ConsumerKiller::new(Reader::start(&drill.people), size, seed);
    let user: Uuid = sqlx::query_scalar("SELECT id FROM users WHERE email = 'drill-0@example.com'")
        .fetch_one(&platform.database.pool)
        .await?;
    let mut late = JoinSet::new();
    for writer in 0..LATE_WRITERS {
        let random = StdRng::seed_from_u64(seed ^ (7 + writer as u64));
        late.spawn(write_late(platform.database.pool.clone(), user, size.late, random));
    }
    drill.run_with(platform, &mut killer).await?;
    let mut committed = 0;
    while let Some(written) = late.join_next().await {
        committed += written.map_err(|error| Error::Other(format!("a late writer ended: {error}")))??;
    }
    killer.end(platform, &drill, size.kills).await?;

    let read = killer.reader.ids();
    let expected: Vec<Uuid> = read_all(&drill.people).await?.iter().map(|event| event.id).collect();
    let mut report = Report::new(
        "feed",
        format!(
            "{} jobs are submitted to {} nodes in turns, and {LATE_WRITERS} more connections write events that they commit up to \
             two seconds later, while a consumer of the feed, by long poll and by stream in turns, is killed {} times. Seed \
             {seed}, {:.0} s.",
            size.jobs,
            OTHERS + 1,
            size.kills,
            began.elapsed().as_secs_f64()
        ),
    );
    report.bars.push(count("kills of the consumer", killer.kills, size.kills));
    #[expect(clippy::cast_precision_loss, reason = "thousands of events")]
    let (events, least) = (expected.len() as f64, (size.jobs * EVENTS_OF_A_JOB) as f64 * 0.9);
    report.bars.push(Bar::at_least("events of the feed", events, least, ""));
    report
        .bars
        .push(none("events that the consumer got twice", read.len() - read.iter().collect::<HashSet<_>>().len()));
    report.bars.push(Bar::holds(
        "the consumer got each event, in the order of the feed",
        format!("{} of {} events", read.len(), expected.len()),
        read == expected,
    ));
    report.notes.push(format!("{committed} of the events were committed late"));
    for (what, sql) in [
        ("events without a position", UNNUMBERED),
        ("positions that no event has", "SELECT last - (SELECT count(*) FROM events) FROM events_head"),
    ] {
        let found = platform.database.count(sql).await?;
        report.bars.push(none(what, usize::try_from(found).unwrap_or(usize::MAX)));
    }
    let rows = platform.database.count("SELECT count(*) FROM events WHERE kind <= 4").await?;
    report.bars.push(count("rows of these kinds", usize::try_from(rows).unwrap_or(0), expected.len()));
    Ok(report)
}

/// Writes events in transactions that stay open for a while; some are rolled back. Returns the committed events.
async fn write_late(pool: PgPool, user: Uuid, transactions: usize, mut random: StdRng) -> Result<usize> {
    let mut committed = 0;
    for _ in 0..transactions {
        let mut tx = database::begin(&pool).await?;
        sqlx::query(
            "INSERT INTO events_outbox (created_at, id, user_id, job_id, kind, data)
             VALUES (now(), $1, $2, $3, 0, '{}')",
        )
        .bind(Uuid::now_v7())
        .bind(user)
        .bind(Uuid::now_v7())
        .execute(&mut *tx)
        .await?;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..2000))).await;
        if random.random_bool(0.2) {
            tx.rollback().await?;
        } else {
            tx.commit().await?;
            committed += 1;
        }
    }
    Ok(committed)
}

/// Kills the consumer as events arrive.
struct ConsumerKiller {
    reader: Reader,
    random: StdRng,
    /// Numbers of read events at which kills are due, in descending order.
    moments: Vec<usize>,
    kills: usize,
}

impl FaultInjector for ConsumerKiller {
    async fn step(&mut self, _: &mut Platform, _: usize) -> Result<()> {
        if self.moments.last().is_some_and(|moment| self.reader.count() >= *moment) {
            self.moments.pop();
            self.kill().await;
        }
        Ok(())
    }

    /// Jobs may end before the last kill.
    fn is_done(&mut self) -> bool {
        true
    }
}

impl ConsumerKiller {
    /// Distributes kills from the first events to the last tenth.
    fn new(reader: Reader, size: &FeedSize, seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed ^ 3);
        let events = size.jobs * EVENTS_OF_A_JOB;
        let mut moments: Vec<usize> =
            (0..size.kills).map(|_| random.random_range(events / 100..events * 9 / 10)).collect();
        moments.sort_unstable_by(|one, other| other.cmp(one));
        Self { reader, random, moments, kills: 0 }
    }

    async fn kill(&mut self) {
        // A random delay, to interrupt whatever is in progress.
        tokio::time::sleep(Duration::from_millis(self.random.random_range(0..20))).await;
        self.reader.restart();
        self.kills += 1;
    }

    /// Makes the remaining kills, and waits until the consumer has everything.
    async fn end(&mut self, platform: &Platform, drill: &Drill, kills: usize) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if self.kills < kills {
                self.kill().await;
            } else if platform.database.count(UNNUMBERED).await? == 0
                && self.reader.count() >= read_all(&drill.people).await?.len()
            {
                // All events had their positions before the feed was read.
                return Ok(());
            }
            tokio::time::sleep(POLL_EVERY).await;
        }
        println!("the consumer does not have everything after {PATIENCE:?}: what it has is checked");
        Ok(())
    }
}
