//! Counts that must match after any load: accepted jobs, jobs in the table, holds, and the ledger.

use sqlx::PgPool;

use crate::error::Result;
use crate::platform::Platform;
use crate::report::{Bar, Report};

/// Rows after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    pub jobs: i64,
    pub waiting: i64,
    pub in_flight: i64,
    pub done: i64,
    pub failed: i64,
    pub holds_open: i64,
    pub holds_settled: i64,
    /// Jobs without a hold, holds without a job, ended jobs with an open hold, unended jobs with a settled hold.
    pub unmatched: i64,
}

impl Counts {
    /// Counts in one snapshot.
    pub async fn read(db: &PgPool) -> Result<Self> {
        let counts = sqlx::query_as(
            "SELECT count(j.id) AS jobs,
                    count(*) FILTER (WHERE j.status = 0) AS waiting,
                    count(*) FILTER (WHERE j.status IN (1, 2, 3)) AS in_flight,
                    count(*) FILTER (WHERE j.status = 4) AS done,
                    count(*) FILTER (WHERE j.status > 4) AS failed,
                    count(*) FILTER (WHERE h.state = 0) AS holds_open,
                    count(*) FILTER (WHERE h.state = 1) AS holds_settled,
                    count(*) FILTER (WHERE j.id IS NULL OR h.job_id IS NULL OR (j.status > 3) <> (h.state = 1))
                      AS unmatched
             FROM all_jobs j FULL JOIN credit_holds h ON h.job_id = j.id",
        )
        .fetch_one(db)
        .await?;
        Ok(counts)
    }
}

/// Reports whether every accepted job exists once with its hold, and the ledger balances. `unknown` are submits without
/// an answer: they may have been accepted.
pub async fn check(platform: &Platform, accepted: u64, unknown: u64, report: &mut Report) -> Result<Counts> {
    let counts = Counts::read(&platform.database.pool).await?;
    let jobs = u64::try_from(counts.jobs).unwrap_or(0);
    report.bars.push(Bar::holds(
        "jobs accepted = rows of jobs",
        format!("{accepted} accepted, {unknown} unanswered, {jobs} rows"),
        (accepted..=accepted + unknown).contains(&jobs),
    ));
    report.bars.push(Bar::holds(
        "each job has one hold, open until it ends",
        format!(
            "{} open, {} settled, {} without their match",
            counts.holds_open, counts.holds_settled, counts.unmatched
        ),
        counts.unmatched == 0 && counts.holds_open + counts.holds_settled == counts.jobs,
    ));
    let (clean, said) = platform.audit().await?;
    let last = said.lines().last().unwrap_or_default().to_owned();
    report.bars.push(Bar::holds("verdigraph audit", if clean { "no difference".to_owned() } else { last }, clean));
    Ok(counts)
}
