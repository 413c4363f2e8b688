//! SQL of claims: one statement for all workers of a pool that are free at the moment.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgPool, Row};

use super::flight::{Claimed, ClaimedRow};
use crate::ids::{NodeId, WorkerId};
use crate::jobs::status::Lane;

/// How many jobs of a lane are wanted for workers that can run the same.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    /// Workers that can run the same are a group.
    pub group: i32,
    pub lane: Lane,
    /// The hashes of what they can run.
    pub needs: Arc<[String]>,
    pub quota: i64,
    /// How many of the first jobs are looked at: other nodes may be taking some of them.
    pub look: i64,
}

/// A free worker.
#[derive(Debug, Clone)]
pub(crate) struct Hand {
    pub group: i32,
    pub worker: WorkerId,
    /// The needs whose models it has loaded.
    pub warm: Option<String>,
}

/// What to claim. There are as many hands of a group as its quotas make together, or more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim<'a> {
    pub node: NodeId,
    pub pool: &'a str,
    pub asks: &'a [Ask],
    pub hands: &'a [Hand],
    /// A job that fits a warm worker may go before jobs that have waited less than this.
    pub warm_window_seconds: f64,
    pub now: DateTime<Utc>,
}

/// What is left of a lane for a group that was given less than it wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest {
    pub group: i32,
    pub lane: Lane,
    /// How many jobs wait, counted a little further than was looked; also those that are not to be tried yet.
    pub waiting: i64,
    /// When the first of them may be tried, where each is to be tried later.
    pub paused_until: Option<DateTime<Utc>>,
}

/// Claims the next jobs for free workers, each for one of them: a worker gets a job whose models it has loaded where one
/// was taken, and a job that was lost with a worker goes to another one, where another takes it within five seconds.
/// Only the rows that are taken are locked.
pub(crate) async fn claim(db: &PgPool, claim: &Claim<'_>) -> sqlx::Result<Vec<(Claimed, WorkerId)>> {
    let hands = claim.hands;
    let rows = sqlx::query(
        "WITH asked AS (
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
                 SELECT q.id, q.needs, q.vstart FROM jobs q
                 WHERE q.status = 0 AND q.pool = $1 AND q.lane = a.lane
                   AND q.needs = ANY(string_to_array(a.needs, ' '))
                   AND (q.not_before IS NULL OR q.not_before <= $10 - interval '5 seconds'
                        OR (q.not_before <= $10 AND EXISTS (
                          SELECT FROM hands h WHERE h.party = a.party AND h.worker IS DISTINCT FROM q.worker_id)))
                 ORDER BY q.vstart, q.id LIMIT a.look
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
                   j.node_errors, j.rate, j.max_run_ms, j.cancel_requested, j.status, j.started_at, j.withdrawn, j.worker_id",
    )
    .bind(claim.pool)
    .bind(column(claim.asks, |ask| ask.group))
    .bind(column(claim.asks, |ask| ask.lane as i16))
    .bind(column(claim.asks, |ask| ask.needs.join(" ")))
    .bind(column(claim.asks, |ask| ask.quota))
    .bind(column(claim.asks, |ask| ask.look))
    .bind(column(hands, |hand| hand.group))
    .bind(column(hands, |hand| hand.worker.0))
    .bind(column(hands, |hand| hand.warm.clone()))
    .bind(claim.now)
    .bind(claim.warm_window_seconds)
    .bind(claim.node.0)
    .fetch_all(db)
    .await?;
    rows.iter().map(|row| Ok((ClaimedRow::from_row(row)?.into(), WorkerId(row.try_get("worker_id")?)))).collect()
}

/// What is left where less was given than was wanted.
pub(crate) async fn rest(db: &PgPool, pool: &str, asks: &[Ask], now: DateTime<Utc>) -> sqlx::Result<Vec<Rest>> {
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
    .bind(column(asks, |ask| ask.group))
    .bind(column(asks, |ask| ask.lane as i16))
    .bind(column(asks, |ask| ask.needs.join(" ")))
    .bind(column(asks, |ask| ask.look))
    .fetch_all(db)
    .await?;
    let left = |row: &sqlx::postgres::PgRow| {
        let first: Option<DateTime<Utc>> = row.try_get("first")?;
        Ok(Rest {
            group: row.try_get("party")?,
            lane: Lane::from_number(row.try_get("lane")?),
            waiting: row.try_get("waiting")?,
            paused_until: first.filter(|first| *first > now),
        })
    };
    rows.iter().map(left).collect()
}

fn column<T, V>(rows: &[T], value: impl Fn(&T) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}
