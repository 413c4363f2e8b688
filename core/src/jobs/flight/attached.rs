//! SQL of the rows that are committed together with credits: see [`crate::ledger::AttachedRow`].
//!
//! Every write to a job in flight carries its lease (node and attempt). The write of a stale node, or of an earlier
//! attempt, finds another lease in the row and is refused.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::events::{self, NewEvent};
use crate::gallery::{self, NewOutputAsset};
use crate::ids::JobId;
use crate::jobs::batches::store as batches;
use crate::jobs::flight::job_events;
use crate::jobs::flight::rows::{
    AcceptedRow, EndedRow, KeyTaken, LeaseLost, NewOutput, NewPiece, TransitionRow, UnclaimedRow,
};
use crate::ledger::{AttachedOutcome, AttachedRow, AttachedRows, AttachedWriter, outcomes, typed_rows};

impl AcceptedRow {
    pub fn attached(self) -> AttachedRow {
        AttachedRow { writer: &AcceptedWriter, row: Arc::new(self) }
    }
}

impl TransitionRow {
    pub fn attached(self) -> AttachedRow {
        AttachedRow { writer: &TransitionWriter, row: Arc::new(self) }
    }
}

impl EndedRow {
    pub fn attached(self) -> AttachedRow {
        AttachedRow { writer: &EndedWriter, row: Arc::new(self) }
    }
}

impl UnclaimedRow {
    pub fn attached(self) -> AttachedRow {
        AttachedRow { writer: &UnclaimedWriter, row: Arc::new(self) }
    }
}

struct AcceptedWriter;
struct TransitionWriter;
struct EndedWriter;
struct UnclaimedWriter;

impl AttachedWriter for AcceptedWriter {
    fn order(&self) -> u8 {
        1
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        Box::pin(async move {
            let rows = typed_rows::<AcceptedRow>(rows)?;
            let keyed = rows.iter().any(|row| row.key.is_some());
            let taken = if keyed { taken_keys(connection, &rows).await? } else { HashSet::new() };
            let rows_left: Vec<&AcceptedRow> = rows.iter().copied().filter(|row| !taken.contains(&row.id.0)).collect();
            insert(connection, &rows_left).await?;
            let mut batches: Vec<Uuid> = rows_left.iter().filter_map(|row| row.batch.map(|id| id.0)).collect();
            batches.sort_unstable();
            batches.dedup();
            if !batches.is_empty() {
                batches::open(connection, &batches).await?;
            }
            let created: Vec<NewEvent> = rows_left.iter().map(|row| job_events::created(row)).collect();
            events::write(connection, &created).await?;
            Ok(outcomes(&rows, |row| if taken.contains(&row.id.0) { Some(KeyTaken) } else { None }))
        })
    }
}

/// Inserts the idempotency keys; returns the jobs whose key is taken, by an earlier request or by a row of this batch.
async fn taken_keys(connection: &mut PgConnection, rows: &[&AcceptedRow]) -> sqlx::Result<HashSet<Uuid>> {
    let keyed: Vec<(&AcceptedRow, &(String, String))> =
        rows.iter().filter_map(|row| row.key.as_ref().map(|key| (*row, key))).collect();
    let ours: Vec<(Uuid,)> = sqlx::query_as(
        "INSERT INTO job_keys (user_id, key, request_hash, job_id, created_at)
         SELECT * FROM UNNEST($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::timestamptz[])
         ON CONFLICT (user_id, key) DO NOTHING RETURNING job_id",
    )
    .bind(keyed.iter().map(|(row, _)| row.user.0).collect::<Vec<_>>())
    .bind(keyed.iter().map(|(_, (key, _))| key.clone()).collect::<Vec<_>>())
    .bind(keyed.iter().map(|(_, (_, hash))| hash.clone()).collect::<Vec<_>>())
    .bind(keyed.iter().map(|(row, _)| row.id.0).collect::<Vec<_>>())
    .bind(keyed.iter().map(|(row, _)| row.created_at).collect::<Vec<_>>())
    .fetch_all(connection)
    .await?;
    let ours: HashSet<Uuid> = ours.into_iter().map(|(id,)| id).collect();
    Ok(keyed.iter().map(|(row, _)| row.id.0).filter(|id| !ours.contains(id)).collect())
}

async fn insert(connection: &mut PgConnection, rows: &[&AcceptedRow]) -> sqlx::Result<()> {
    fn column<'a, T>(rows: &[&'a AcceptedRow], value: impl Fn(&'a AcceptedRow) -> T) -> Vec<T> {
        rows.iter().map(|row| value(row)).collect()
    }
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, version_id, prompt_hash, form, form_written, seeds,
                           seeds_written, files, extra_text, rate, max_run_ms, estimate_ms, created_at, batch_id,
                           node_errors, strict, max_credits, percent, deadline, promote_to, promote_at, labels)
         SELECT id, user_id, 0, lane, pool, needs, vstart, version_id, prompt_hash, form::jsonb, form::json,
                seeds::jsonb, seeds::json, files::jsonb, extra_data, rate, max_run_ms, estimate_ms, created_at, batch_id,
                node_errors, strict, max_credits, percent, deadline, promote_to, promote_at, labels
         FROM UNNEST($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::bigint[], $7::uuid[], $8::text[],
                     $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[],
                     $16::timestamptz[], $17::uuid[], $18::jsonb[], $19::bool[], $20::bigint[],
                     $21::smallint[], $22::timestamptz[], $23::smallint[], $24::timestamptz[], $25::jsonb[])
           AS v(id, user_id, lane, pool, needs, vstart, version_id, prompt_hash, form, seeds, files, extra_data, rate,
                max_run_ms, estimate_ms, created_at, batch_id, node_errors, strict, max_credits, percent, deadline,
                promote_to, promote_at, labels)",
    )
    .bind(column(rows, |row| row.id.0))
    .bind(column(rows, |row| row.user.0))
    .bind(column(rows, |row| row.lane as i16))
    .bind(column(rows, |row| row.pool.as_str()))
    .bind(column(rows, |row| row.needs.as_str()))
    .bind(column(rows, |row| row.vstart))
    .bind(column(rows, |row| row.version.map(|id| id.0)))
    .bind(column(rows, |row| row.prompt_hash.as_deref()))
    .bind(column(rows, |row| row.form.as_deref()))
    .bind(column(rows, |row| row.seeds.as_deref()))
    .bind(column(rows, |row| row.files.as_deref()))
    .bind(column(rows, |row| row.extra_data.as_deref()))
    .bind(column(rows, |row| row.rate))
    .bind(column(rows, |row| row.max_run_ms))
    .bind(column(rows, |row| row.estimate_ms))
    .bind(column(rows, |row| row.created_at))
    .bind(column(rows, |row| row.batch.map(|id| id.0)))
    .bind(column(rows, |row| row.node_errors.clone()))
    .bind(column(rows, |row| row.strict))
    .bind(column(rows, |row| row.max_credits))
    .bind(column(rows, |row| row.percent))
    .bind(column(rows, |row| row.deadline))
    .bind(column(rows, |row| row.promotion.map(|promotion| promotion.to as i16)))
    .bind(column(rows, |row| row.promotion.map(|promotion| promotion.at)))
    .bind(column(rows, |row| row.labels.clone()))
    .execute(connection)
    .await?;
    Ok(())
}

impl AttachedWriter for TransitionWriter {
    fn order(&self) -> u8 {
        2
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        Box::pin(async move {
            let all = typed_rows::<TransitionRow>(rows)?;
            let rows: Vec<&TransitionRow> = all.iter().copied().filter(|row| row.ticket.begin()).collect();
            let written: Vec<job_events::StartedJob> = sqlx::query_as(
                "UPDATE jobs j
                 SET status = v.status,
                     started_at = CASE WHEN v.status = 0 THEN NULL ELSE coalesce(v.started_at, j.started_at) END,
                     not_before = v.not_before,
                     lease_node = CASE WHEN v.status = 0 THEN NULL ELSE j.lease_node END,
                     needs = coalesce(v.needs, j.needs), withdrawn = j.withdrawn + v.withdrawn
                 FROM UNNEST($1::uuid[], $2::uuid[], $3::smallint[], $4::smallint[], $5::timestamptz[], $6::timestamptz[],
                             $7::text[], $8::smallint[])
                   AS v(id, node, attempt, status, started_at, not_before, needs, withdrawn)
                 WHERE j.id = v.id AND j.lease_node = v.node AND j.attempt = v.attempt AND j.status IN (1, 2, 3)
                 RETURNING j.id, j.user_id, j.batch_id, j.version_id, j.attempt, j.created_at, v.started_at",
            )
            .bind(rows.iter().map(|row| row.lease.job.0).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.lease.node.0).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.lease.attempt).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.status as i16).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.started_at).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.not_before).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.needs.clone()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| i16::from(row.withdrawn)).collect::<Vec<_>>())
            .fetch_all(&mut *connection)
            .await?;
            let started: Vec<NewEvent> = written.iter().filter_map(job_events::started).collect();
            events::write(connection, &started).await?;
            let written: HashSet<Uuid> = written.into_iter().map(|row| row.id).collect();
            let begun: HashSet<Uuid> = rows.iter().map(|row| row.lease.job.0).collect();
            Ok(outcomes(&all, |row| {
                let id = row.lease.job.0;
                (begun.contains(&id) && !written.contains(&id)).then_some(LeaseLost)
            }))
        })
    }
}

impl AttachedWriter for EndedWriter {
    fn order(&self) -> u8 {
        3
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        Box::pin(async move {
            let rows = typed_rows::<EndedRow>(rows)?;
            let written: Vec<job_events::EndedJob> = sqlx::query_as(
                "WITH ended AS (
                     DELETE FROM jobs j
                     USING UNNEST($1::uuid[], $2::uuid[], $3::smallint[], $4::smallint[], $5::timestamptz[],
                                  $6::bigint[], $7::bigint[], $8::jsonb[], $9::jsonb[], $10::jsonb[], $11::timestamptz[])
                       AS v(id, node, attempt, status, at, ran_ms, credits_used, execute, validate, node_errors,
                            started_at)
                     WHERE j.id = v.id AND j.lease_node = v.node AND j.attempt = v.attempt AND j.status IN (1, 2, 3)
                     RETURNING j.*, v.status AS end_status, v.at, v.ran_ms, v.credits_used, v.execute, v.validate,
                               coalesce(v.node_errors, j.node_errors) AS left_out,
                               coalesce(v.started_at, j.started_at) AS began_at,
                               j.started_at IS NULL AND v.started_at IS NOT NULL AS began_unseen
                 ), kept AS (
                 INSERT INTO ended_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id,
                                         version_id, prompt_hash, form, seeds, files, extra_data, strict,
                                         execute_exception, validate_exception, node_errors, estimate_ms, created_at,
                                         started_at, ended_at, ran_ms, credits_used, max_credits, percent, deadline,
                                         promoted_at, labels)
                 SELECT id, user_id, end_status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id,
                        prompt_hash, coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
                        coalesce(extra_text, extra_data::text), strict, execute, validate, left_out, estimate_ms,
                        created_at, began_at, at, ran_ms, credits_used, max_credits, percent, deadline, promoted_at,
                        labels
                 FROM ended
                 )
                 SELECT id, user_id, batch_id, version_id, end_status AS status, attempt, created_at,
                        began_at AS started_at, began_unseen, at AS ended_at, ran_ms, credits_used FROM ended",
            )
            .bind(rows.iter().map(|row| row.lease.job.0).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.lease.node.0).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.lease.attempt).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.status as i16).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.at).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.ran_ms).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.credits_used).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.execute.clone()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.validate.clone()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.node_errors.clone()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.started_at).collect::<Vec<_>>())
            .fetch_all(&mut *connection)
            .await?;
            let by_id: HashMap<Uuid, &EndedRow> = rows.iter().map(|row| (row.lease.job.0, *row)).collect();
            let entries: Vec<NewEvent> =
                written.iter().flat_map(|job| job_events::ended(job, by_id.get(&job.id).copied())).collect();
            events::write(connection, &entries).await?;
            let written: HashSet<Uuid> = written.into_iter().map(|job| job.id).collect();
            let outputs: Vec<(JobId, &NewOutput)> = rows
                .iter()
                .filter(|row| written.contains(&row.lease.job.0))
                .flat_map(|row| row.outputs.iter().map(|output| (row.lease.job, output)))
                .collect();
            if !outputs.is_empty() {
                insert_outputs(connection, &outputs).await?;
            }
            Ok(outcomes(&rows, |row| (!written.contains(&row.lease.job.0)).then_some(LeaseLost)))
        })
    }
}

/// Inserts outputs of jobs, and their files into the gallery.
async fn insert_outputs(connection: &mut PgConnection, outputs: &[(JobId, &NewOutput)]) -> sqlx::Result<()> {
    let files: Vec<NewOutputAsset> = outputs
        .iter()
        .filter_map(|(_, output)| match &output.piece {
            NewPiece::File(file) => Some((**file).clone()),
            NewPiece::Text(_) | NewPiece::Undelivered(_) => None,
        })
        .collect();
    if !files.is_empty() {
        gallery::insert_batch(connection, &files).await?;
    }
    let text = |output: &NewOutput| match &output.piece {
        NewPiece::Text(text) => Some(text.clone()),
        NewPiece::File(_) | NewPiece::Undelivered(_) => None,
    };
    let file = |output: &NewOutput| match &output.piece {
        NewPiece::File(file) => Some(file.id.0),
        NewPiece::Text(_) | NewPiece::Undelivered(_) => None,
    };
    let note = |output: &NewOutput| match &output.piece {
        NewPiece::Undelivered(note) => Some(json!(note)),
        NewPiece::Text(_) | NewPiece::File(_) => None,
    };
    sqlx::query(
        "INSERT INTO job_outputs (job_id, position, node_id, kind, text, output_asset_id, undelivered)
         SELECT * FROM UNNEST($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::jsonb[])",
    )
    .bind(outputs.iter().map(|(job, _)| job.0).collect::<Vec<_>>())
    .bind(outputs.iter().map(|(_, output)| output.position).collect::<Vec<_>>())
    .bind(outputs.iter().map(|(_, output)| output.node_id.clone()).collect::<Vec<_>>())
    .bind(outputs.iter().map(|(_, output)| output.kind.clone()).collect::<Vec<_>>())
    .bind(outputs.iter().map(|(_, output)| text(output)).collect::<Vec<_>>())
    .bind(outputs.iter().map(|(_, output)| file(output)).collect::<Vec<_>>())
    .bind(outputs.iter().map(|(_, output)| note(output)).collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}

impl AttachedWriter for UnclaimedWriter {
    fn order(&self) -> u8 {
        4
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        Box::pin(async move {
            let rows = typed_rows::<UnclaimedRow>(rows)?;
            let written: Vec<job_events::EndedJob> = sqlx::query_as(
                "WITH ended AS (
                     DELETE FROM jobs j
                     USING UNNEST($1::uuid[], $2::smallint[], $3::timestamptz[], $4::jsonb[])
                       AS v(id, status, at, validate)
                     WHERE j.id = v.id AND j.status = 0
                     RETURNING j.*, v.status AS end_status, v.at, v.validate
                 ), kept AS (
                 INSERT INTO ended_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id,
                                         version_id, prompt_hash, form, seeds, files, extra_data, strict,
                                         validate_exception, node_errors, estimate_ms, created_at, started_at,
                                         ended_at, ran_ms, credits_used, max_credits, percent, deadline, promoted_at,
                                         labels)
                 SELECT id, user_id, end_status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id,
                        prompt_hash, coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
                        coalesce(extra_text, extra_data::text), strict, validate, node_errors, estimate_ms, created_at,
                        started_at, at, 0, 0, max_credits, percent, deadline, promoted_at, labels
                 FROM ended
                 )
                 SELECT id, user_id, batch_id, version_id, end_status AS status, attempt, created_at, started_at,
                        false AS began_unseen, at AS ended_at, 0::bigint AS ran_ms, 0::bigint AS credits_used
                 FROM ended",
            )
            .bind(rows.iter().map(|row| row.job.0).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.status as i16).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.ended_at).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.validate.clone()).collect::<Vec<_>>())
            .fetch_all(&mut *connection)
            .await?;
            let why: HashMap<Uuid, &UnclaimedRow> = rows.iter().map(|row| (row.job.0, *row)).collect();
            let entries: Vec<NewEvent> =
                written.iter().map(|job| job_events::ended_unclaimed(job, why.get(&job.id).copied())).collect();
            events::write(connection, &entries).await?;
            let written: HashSet<Uuid> = written.into_iter().map(|job| job.id).collect();
            Ok(outcomes(&rows, |row| (!written.contains(&row.job.0)).then_some(LeaseLost)))
        })
    }
}

#[cfg(test)]
mod tests;
