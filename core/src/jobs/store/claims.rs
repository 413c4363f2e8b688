//! SQL of claims: one statement for all free workers of a pool.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgPool, Row};

use super::flight::{Claimed, ClaimedRow};
use crate::ids::{NodeId, WorkerId};
use crate::jobs::status::Lane;

/// How many jobs of a lane to claim for a group of workers that meet the same needs.
#[derive(Debug, Clone)]
pub(crate) struct ClaimRequest {
    pub group: i32,
    pub lane: Lane,
    /// Hashes of the needs that the workers meet.
    pub needs: Arc<[String]>,
    pub quota: i64,
    /// How many of the first jobs the statement looks at, because other nodes may have locked some of them.
    pub window: i64,
}

/// A free worker.
#[derive(Debug, Clone)]
pub(crate) struct ClaimSlot {
    pub group: i32,
    pub worker: WorkerId,
    /// The needs whose models are loaded.
    pub warm: Option<String>,
}

/// A group has at least as many slots as the sum of its quotas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim<'a> {
    pub node: NodeId,
    pub pool: &'a str,
    pub requests: &'a [ClaimRequest],
    pub slots: &'a [ClaimSlot],
    /// A job that fits a warm worker may go before jobs that have waited less than this.
    pub warm_window_seconds: f64,
    pub now: DateTime<Utc>,
}

/// Waiting jobs of a lane for a group that got less than its quota.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remaining {
    pub group: i32,
    pub lane: Lane,
    /// Up to one more than the window; paused jobs count too.
    pub waiting: i64,
    /// The end of the first pause, where all of them are paused.
    pub paused_until: Option<DateTime<Utc>>,
}

/// Without a number, PostgreSQL expects a tenth of the queue below a limit, and would read all of it to join the rows. The
/// number is more than any window.
pub(in crate::jobs) const CLAIM: &str = "WITH asked AS (
       SELECT * FROM UNNEST($2::int[], $3::smallint[], $4::text[], $5::bigint[], $6::bigint[])
         AS v(party, lane, needs, quota, look)
     ), hands AS (
       SELECT v.*, row_number() OVER (PARTITION BY v.party, v.warm ORDER BY v.place) AS nth
       FROM UNNEST($7::int[], $8::uuid[], $9::text[]) WITH ORDINALITY AS v(party, worker, warm, place)
     ), picked AS (
       SELECT a.party, p.* FROM asked a CROSS JOIN LATERAL (
         SELECT c.id, c.needs, c.vstart, CASE WHEN c.not_before IS NOT NULL THEN c.worker_id END AS lost_with
         FROM jobs c JOIN (
           SELECT head.id, row_number() OVER (PARTITION BY head.needs ORDER BY head.vstart, head.id) AS nth
           FROM (
             SELECT first.* FROM (
               SELECT q.id, q.needs, q.vstart FROM jobs q
               WHERE q.status = 0 AND q.pool = $1 AND q.lane = a.lane
                 AND q.needs = ANY(string_to_array(a.needs, ' '))
                 AND (q.not_before IS NULL OR q.not_before <= $10 - interval '5 seconds'
                      OR (q.not_before <= $10 AND EXISTS (
                        SELECT FROM hands h WHERE h.party = a.party AND h.worker IS DISTINCT FROM q.worker_id)))
               ORDER BY q.vstart, q.id LIMIT 1000
             ) AS first ORDER BY first.vstart, first.id LIMIT a.look
           ) AS head
         ) AS candidate USING (id)
         WHERE c.status = 0
         ORDER BY (c.created_at > $10 - make_interval(secs => $11) AND candidate.nth <= (
                     SELECT count(*) FROM hands h WHERE h.party = a.party AND h.warm = c.needs)) DESC, c.vstart, c.id
         LIMIT a.quota FOR UPDATE OF c SKIP LOCKED
       ) AS p
     ), warm AS (
       SELECT p.id, p.party, h.worker
       FROM (SELECT *, row_number() OVER (PARTITION BY party, needs ORDER BY vstart, id) AS nth FROM picked) AS p
       JOIN hands h ON h.party = p.party AND h.warm = p.needs AND h.nth = p.nth
       WHERE p.lost_with IS DISTINCT FROM h.worker
     ), given AS (
       SELECT id, worker FROM warm
       UNION ALL
       SELECT p.id, h.worker
       FROM (
         SELECT id, party, row_number() OVER (PARTITION BY party ORDER BY lost_with IS NULL, vstart, id) AS nth
         FROM picked WHERE NOT EXISTS (SELECT FROM warm w WHERE w.id = picked.id AND w.party = picked.party)
       ) AS p
       JOIN (
         SELECT party, worker, row_number() OVER (
           PARTITION BY party
           ORDER BY EXISTS (SELECT FROM picked l WHERE l.lost_with = hands.worker), place) AS nth
         FROM hands WHERE NOT EXISTS (SELECT FROM warm w WHERE w.worker = hands.worker)
       ) AS h USING (party, nth)
     )
     UPDATE jobs j SET status = 1, lease_node = $12, worker_id = given.worker, attempt = attempt + 1
     FROM given WHERE j.id = given.id
     RETURNING j.id, j.user_id, j.lane, j.pool, j.needs, j.vstart, j.attempt, j.version_id, j.prompt_hash,
               coalesce(j.form_written, j.form::json) AS form, j.files, j.extra_data, j.extra_text, j.strict,
               j.node_errors, j.rate, j.max_run_ms, j.max_credits, j.percent, j.deadline, j.promoted_at,
               j.cancel_requested, j.status, j.started_at, j.withdrawn, j.worker_id";

/// Claims the next jobs and assigns each to a worker. A worker gets a job whose models it has loaded, where there is
/// one. A job that was lost with a worker goes to another one, where another is free within five seconds. Only claimed
/// rows are locked.
pub(crate) async fn claim(db: &PgPool, claim: &Claim<'_>) -> sqlx::Result<Vec<(Claimed, WorkerId)>> {
    let (requests, slots) = (claim.requests, claim.slots);
    let rows = sqlx::query(CLAIM)
        .bind(claim.pool)
        .bind(column(requests, |request| request.group))
        .bind(column(requests, |request| request.lane as i16))
        .bind(column(requests, |request| request.needs.join(" ")))
        .bind(column(requests, |request| request.quota))
        .bind(column(requests, |request| request.window))
        .bind(column(slots, |slot| slot.group))
        .bind(column(slots, |slot| slot.worker.0))
        .bind(column(slots, |slot| slot.warm.clone()))
        .bind(claim.now)
        .bind(claim.warm_window_seconds)
        .bind(claim.node.0)
        .fetch_all(db)
        .await?;
    rows.iter().map(|row| Ok((ClaimedRow::from_row(row)?.into(), WorkerId(row.try_get("worker_id")?)))).collect()
}

/// Counts what waits for groups that got less than their quota.
pub(crate) async fn remaining(
    db: &PgPool,
    pool: &str,
    requests: &[ClaimRequest],
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Remaining>> {
    let rows = sqlx::query(
        "SELECT a.party, a.lane, head.waiting, head.first
         FROM UNNEST($2::int[], $3::smallint[], $4::text[], $5::bigint[]) AS a(party, lane, needs, look)
         CROSS JOIN LATERAL (
           SELECT count(*) AS waiting, min(coalesce(q.not_before, to_timestamp(0))) AS first FROM (
             SELECT not_before FROM jobs WHERE status = 0 AND pool = $1 AND lane = a.lane
               AND needs = ANY(string_to_array(a.needs, ' ')) LIMIT a.look + 1
           ) AS q
         ) AS head",
    )
    .bind(pool)
    .bind(column(requests, |request| request.group))
    .bind(column(requests, |request| request.lane as i16))
    .bind(column(requests, |request| request.needs.join(" ")))
    .bind(column(requests, |request| request.window))
    .fetch_all(db)
    .await?;
    let remaining = |row: &sqlx::postgres::PgRow| {
        let first: Option<DateTime<Utc>> = row.try_get("first")?;
        Ok(Remaining {
            group: row.try_get("party")?,
            lane: Lane::from_number(row.try_get("lane")?),
            waiting: row.try_get("waiting")?,
            paused_until: first.filter(|first| *first > now),
        })
    };
    rows.iter().map(remaining).collect()
}

fn column<T, V>(rows: &[T], value: impl Fn(&T) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}
