//! Flex jobs with deadlines, beside a queue that never runs empty.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use crate::accounts::Proof;
use crate::error::Result;
use crate::load::Connection;
use crate::scenarios::site::Site;

const MET: &str = "SELECT count(*) FROM all_jobs WHERE status = 4 AND ended_at <= deadline";
const OPEN: &str = "SELECT count(*) FROM all_jobs WHERE deadline IS NOT NULL AND ended_at IS NULL";
const PROMOTED: &str = "SELECT count(*) FROM all_jobs WHERE deadline IS NOT NULL AND promoted_at IS NOT NULL";
const LATEST: &str = "SELECT coalesce(min(extract(epoch FROM deadline - ended_at) * 1000), 0)::bigint FROM all_jobs
                      WHERE ended_at <= deadline";
/// How long after the last deadline jobs may still run; they have missed it.
const LATE: TimeDelta = TimeDelta::seconds(30);
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How many deadlines there are, and when.
#[derive(Debug, Clone, Copy)]
pub struct DeadlineLoad {
    pub count: u32,
    first: Duration,
    /// Between two deadlines.
    step: Duration,
}

/// What became of the jobs.
#[derive(Debug)]
pub struct Deadlines {
    pub refused: u64,
    pub met: i64,
    pub promoted: i64,
    /// Between the end of a job and its deadline, at least.
    pub latest_ms: i64,
}

impl DeadlineLoad {
    /// Needs a quarter of four workers that take 200 ms a job.
    pub fn whole() -> Self {
        Self { count: 1000, first: Duration::from_secs(15), step: Duration::from_millis(200) }
    }

    pub fn quick() -> Self {
        Self { count: 100, first: Duration::from_secs(10), step: Duration::from_millis(200) }
    }

    /// The last deadline.
    pub fn last(self) -> Duration {
        self.first + self.step * self.count
    }
}

/// Submits the jobs in turns of the accounts, and waits until all of them have ended.
pub async fn run(site: &Site, accounts: &[&Proof], load: DeadlineLoad) -> Result<Deadlines> {
    let begin = Utc::now();
    let mut connection = Connection::open(site.address).await?;
    let mut refused = 0;
    for (number, account) in (1..=load.count).zip(accounts.iter().cycle()) {
        let deadline = written(begin + load.first + load.step * number);
        let app = site.app.with_terms(&format!("priceClass=flex&deadline={deadline}"));
        let answer = connection.exchange(&app.submit_request(site.seeds.next(), account)).await?;
        if answer.status == 201 {
            site.accepted.set(site.accepted.get() + 1);
        } else {
            println!("a deadline was answered {}: {}", answer.status, String::from_utf8_lossy(answer.body));
            refused += 1;
        }
    }
    let database = &site.own()?.database;
    while database.count(OPEN).await? > 0 && Utc::now() < begin + load.last() + LATE {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(Deadlines {
        refused,
        met: database.count(MET).await?,
        promoted: database.count(PROMOTED).await?,
        latest_ms: database.count(LATEST).await?,
    })
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}
