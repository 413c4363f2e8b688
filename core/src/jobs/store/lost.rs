//! SQL of jobs in flight whose node or actor may be lost.

use sqlx::PgPool;
use uuid::Uuid;

use super::flight::{Claimed, ClaimedRow};
use crate::ids::{JobId, NodeId, UserId, WorkerId};
use crate::jobs::status::{Lane, Status};

impl Claimed {
    /// The job as a sweep of its `node` finds it.
    pub fn in_flight(&self, node: NodeId, worker: WorkerId) -> InFlight {
        let Self { id, user, lane, attempt, status, cancel_requested, .. } = *self;
        let (node, worker) = (Some(node), Some(worker));
        InFlight { id, user, pool: self.pool.clone(), lane, node, worker, attempt, status, cancel_requested }
    }
}

/// A job in flight, as far as the sweep needs it.
#[derive(Debug, Clone)]
pub(crate) struct InFlight {
    pub id: JobId,
    pub user: UserId,
    pub pool: String,
    pub lane: Lane,
    pub node: Option<NodeId>,
    pub worker: Option<WorkerId>,
    pub attempt: i16,
    pub status: Status,
    pub cancel_requested: bool,
}

struct FlightRow {
    id: Uuid,
    user_id: Uuid,
    pool: String,
    lane: i16,
    lease_node: Option<Uuid>,
    worker_id: Option<Uuid>,
    attempt: i16,
    status: i16,
    cancel_requested: bool,
}

impl From<FlightRow> for InFlight {
    fn from(row: FlightRow) -> Self {
        Self {
            id: JobId(row.id),
            user: UserId(row.user_id),
            pool: row.pool,
            lane: Lane::from_number(row.lane),
            node: row.lease_node.map(NodeId),
            worker: row.worker_id.map(WorkerId),
            attempt: row.attempt,
            status: Status::from_number(row.status),
            cancel_requested: row.cancel_requested,
        }
    }
}

/// Jobs in flight whose node does not live, or whose worker this node has `taken` from another node that was removed and
/// lives again. That may be this node, if it had lost the worker for a while.
pub(crate) async fn orphans(
    db: &PgPool,
    living: &[Uuid],
    taken: &[WorkerId],
    limit: i64,
) -> sqlx::Result<Vec<InFlight>> {
    let taken: Vec<Uuid> = taken.iter().map(|worker| worker.0).collect();
    let rows = sqlx::query_as!(
        FlightRow,
        "SELECT id, user_id, pool, lane, lease_node, worker_id, attempt, status, cancel_requested FROM jobs
         WHERE status IN (1, 2, 3) AND (lease_node IS NULL OR NOT lease_node = ANY($1)
                                        OR worker_id = ANY($2)) LIMIT $3",
        living,
        &taken,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The columns of an adopted orphan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Adopted {
    /// Attempts that ended by a panic of the job actor, this one included.
    pub panics: i16,
    /// Attempts that ended before the prompt began.
    pub withdrawn: i16,
    pub cancel_requested: bool,
}

/// Takes over the lease of an orphan in order to write its end, and counts the panic if there was one. `None`: another
/// node was first.
pub(crate) async fn adopt(
    db: &PgPool,
    orphan: &InFlight,
    node: NodeId,
    panicked: bool,
) -> sqlx::Result<Option<Adopted>> {
    sqlx::query_as!(
        Adopted,
        "UPDATE jobs SET lease_node = $2, panics = panics + $5
         WHERE id = $1 AND attempt = $3 AND lease_node IS NOT DISTINCT FROM $4 AND status IN (1, 2, 3)
         RETURNING panics, withdrawn, cancel_requested",
        orphan.id.0,
        node.0,
        orphan.attempt,
        orphan.node.map(|node| node.0),
        i16::from(panicked),
    )
    .fetch_optional(db)
    .await
}

/// A job in flight that continues under a new owner.
#[derive(Debug, Clone)]
pub(crate) struct Resumed {
    pub job: Claimed,
    pub worker: WorkerId,
}

/// Takes over a job in flight whose node is lost and whose worker belongs to this node now. `None`: another node was
/// first.
pub(crate) async fn take_over(
    db: &PgPool,
    orphan: &InFlight,
    worker: WorkerId,
    node: NodeId,
) -> sqlx::Result<Option<Resumed>> {
    let row = sqlx::query_as!(
        ClaimedRow,
        r#"UPDATE jobs j SET lease_node = $2
           WHERE id = $1 AND attempt = $3 AND lease_node IS NOT DISTINCT FROM $4 AND status IN (1, 2, 3)
           RETURNING j.id, j.user_id, j.lane, j.pool, j.needs, j.vstart, j.attempt, j.version_id, j.prompt_hash,
                     coalesce(j.form_written, j.form::json) AS form, j.files, j.extra_data, j.extra_text, j.strict,
                     j.node_errors, j.rate, j.max_run_ms, j.max_credits, j.percent, j.deadline, j.promoted_at,
                     j.cancel_requested, j.status, j.started_at, j.withdrawn"#,
        orphan.id.0,
        node.0,
        orphan.attempt,
        orphan.node.map(|node| node.0),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Resumed { job: row.into(), worker }))
}

/// Jobs that a node has in flight.
pub(crate) async fn of_node(db: &PgPool, node: NodeId) -> sqlx::Result<Vec<InFlight>> {
    let rows = sqlx::query_as!(
        FlightRow,
        "SELECT id, user_id, pool, lane, lease_node, worker_id, attempt, status, cancel_requested FROM jobs
         WHERE status IN (1, 2, 3) AND lease_node = $1",
        node.0
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}
