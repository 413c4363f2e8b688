//! Checks after a drill: the tables, the API, and the audit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use sqlx::PgPool;
use uuid::Uuid;
use verdigraph_core::jobs::Status;

use super::clients::{ClientNotes, People, Progress, key};
use super::plan::Plan;
use crate::error::Result;
use crate::platform::{Database, Platform};
use crate::report::Bar;

/// The first observed end of each job.
#[derive(Debug, Default)]
pub struct JobEnds {
    seen: HashMap<Uuid, (i16, String)>,
    /// Jobs whose end changed after it was observed.
    pub changed: Vec<String>,
}

impl JobEnds {
    /// Reads all ended jobs and compares them with earlier observations.
    pub async fn update(&mut self, pool: &PgPool, progress: &Progress) -> Result<()> {
        let rows: Vec<(Uuid, i16, String)> =
            sqlx::query_as("SELECT id, status, ended_at::text FROM all_jobs WHERE status > 3").fetch_all(pool).await?;
        let now: HashMap<Uuid, (i16, String)> =
            rows.into_iter().map(|(id, status, ended_at)| (id, (status, ended_at))).collect();
        for (id, before) in &self.seen {
            match now.get(id) {
                Some(after) if after == before => {}
                after => self.changed.push(format!("job {id} had ended as {before:?} and then was {after:?}")),
            }
        }
        progress.ended.store(now.len(), std::sync::atomic::Ordering::Relaxed);
        self.seen = now;
        Ok(())
    }
}

/// The number of jobs per final status.
pub async fn distribution(database: &Database) -> Result<BTreeMap<&'static str, usize>> {
    let rows: Vec<(i16, i64)> =
        sqlx::query_as("SELECT status, count(*) FROM all_jobs GROUP BY status").fetch_all(&database.pool).await?;
    let named = |(status, count): (i16, i64)| (Status::from_number(status).name(), usize::try_from(count).unwrap_or(0));
    Ok(rows.into_iter().map(named).collect())
}

/// Statements that must count zero.
const VIOLATIONS: [(&str, &str); 11] = [
    ("jobs that have not ended", "SELECT count(*) FROM all_jobs WHERE status <= 3"),
    ("holds that are still open", "SELECT count(*) FROM credit_holds WHERE state = 0"),
    ("credits that are still held", "SELECT COALESCE(sum(held), 0)::bigint FROM credit_grants"),
    (
        "jobs without exactly one hold",
        "SELECT count(*) FROM all_jobs j WHERE (SELECT count(*) FROM credit_holds h WHERE h.job_id = j.id) <> 1",
    ),
    (
        "holds without a job",
        "SELECT count(*) FROM credit_holds h WHERE NOT EXISTS (SELECT FROM all_jobs j WHERE j.id = h.job_id)",
    ),
    (
        "jobs charged otherwise than their hold says",
        "SELECT count(*) FROM all_jobs j JOIN credit_holds h ON h.job_id = j.id WHERE j.credits_used IS DISTINCT FROM h.captured",
    ),
    (
        "jobs charged although their status costs nothing",
        // Only Done, ExecuteError, ExecutionTimeout and Canceled are charged.
        "SELECT count(*) FROM all_jobs WHERE credits_used > 0 AND status NOT IN (4, 6, 10, 11)",
    ),
    (
        "jobs done without exactly one output",
        "SELECT count(*) FROM all_jobs j WHERE status = 4 AND (SELECT count(*) FROM job_outputs o WHERE o.job_id = j.id) <> 1",
    ),
    (
        "outputs of jobs whose status keeps none",
        // A job that raised or was stopped keeps what its worker had made until then.
        "SELECT count(*) FROM job_outputs o JOIN all_jobs j ON j.id = o.job_id WHERE j.status NOT IN (4, 6, 10, 11)",
    ),
    (
        "pictures of the gallery that are no output of their job",
        "SELECT count(*) FROM output_assets a WHERE NOT EXISTS (SELECT FROM job_outputs o
           WHERE o.job_id = a.job_id AND o.position = a.position AND o.output_asset_id = a.id)",
    ),
    (
        "outputs without their picture",
        "SELECT count(*) FROM job_outputs o WHERE o.output_asset_id IS NOT NULL
           AND NOT EXISTS (SELECT FROM output_assets a WHERE a.id = o.output_asset_id)",
    ),
];

/// The result of the checks.
#[derive(Debug, Default)]
pub struct CheckResult {
    pub bars: Vec<Bar>,
    /// What is wrong, by job.
    pub oddities: Vec<String>,
}

/// Checks tables, answers and API, and runs the audit.
pub async fn check(
    platform: &Platform,
    plan: &Arc<Plan>,
    people: &Arc<People>,
    notes: &ClientNotes,
) -> Result<CheckResult> {
    let (mut bars, mut oddities) = (Vec::new(), Vec::new());
    let pool = &platform.database.pool;
    let rows: HashMap<Uuid, i16> =
        sqlx::query_as("SELECT id, status FROM all_jobs").fetch_all(pool).await?.into_iter().collect();
    let answered: BTreeSet<Uuid> = notes.ids.values().copied().collect();
    bars.push(count("jobs that were answered", notes.ids.len(), plan.jobs.len()));
    bars.push(count("different ids among the answers", answered.len(), plan.jobs.len()));
    bars.push(none("answered ids without a row", answered.iter().filter(|id| !rows.contains_key(id)).count()));
    bars.push(none("rows whose id no client got", rows.keys().filter(|id| !answered.contains(id)).count()));

    let keys: HashMap<String, Uuid> =
        sqlx::query_as("SELECT key, job_id FROM job_keys").fetch_all(pool).await?.into_iter().collect();
    let other = notes.ids.iter().filter(|(number, id)| keys.get(&key(**number)) != Some(*id)).count();
    bars.push(none("idempotency keys that name another job", other));
    for (what, sql) in VIOLATIONS {
        let found = platform.database.count(sql).await?;
        bars.push(none(what, usize::try_from(found).unwrap_or(usize::MAX)));
    }

    let (mut repeated_otherwise, mut told_otherwise, mut unreadable) = (0, 0, 0);
    for (number, id) in &notes.ids {
        let Some(job) = plan.jobs.get(*number) else { continue };
        let status = rows.get(id).map(|status| Status::from_number(*status));
        match people.again(*number, job).await {
            Ok(again) if again == *id => {}
            other => {
                repeated_otherwise += 1;
                oddities.push(format!("job {id}: its submit, repeated, was answered {other:?}"));
            }
        }
        match people.status(job.account, *id).await {
            Ok(told) if Some(told.as_str()) == status.map(Status::name) => {}
            other => {
                told_otherwise += 1;
                oddities.push(format!("job {id} is {status:?}, and the API says {other:?}"));
            }
        }
        if status == Some(Status::Done) {
            match people.pictures(job.account, *id).await {
                Ok(1) => {}
                other => {
                    unreadable += 1;
                    oddities.push(format!("job {id} has one picture, and the API gives {other:?}"));
                }
            }
        }
    }
    bars.push(none("submits that are answered otherwise when repeated", repeated_otherwise));
    bars.push(none("jobs whose status the API tells otherwise", told_otherwise));
    bars.push(none("jobs done whose one picture cannot be fetched", unreadable));
    bars.push(none("rows after all submits were repeated, beside the first", {
        let after = platform.database.count("SELECT count(*) FROM all_jobs").await?;
        usize::try_from(after).unwrap_or(0).abs_diff(rows.len())
    }));

    let (clean, said) = platform.audit().await?;
    bars.push(Bar::holds(
        "verdigraph audit",
        said.lines().last().unwrap_or_default(),
        clean && !said.contains("difference"),
    ));
    Ok(CheckResult { bars, oddities })
}

/// Counts that must be equal.
pub fn count(what: &str, measured: usize, expected: usize) -> Bar {
    Bar::equal(what, measured as u64, expected as u64)
}

/// A count that must be zero.
pub fn none(what: &str, measured: usize) -> Bar {
    count(what, measured, 0)
}
