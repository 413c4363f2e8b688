//! The sweep: repairs the effects of lost processes and messages from the rows.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fleet::WorkerOwner;
use crate::ids::{JobId, WorkerId};
use crate::jobs::flight::rows::{EndedRow, Lease, TransitionRow, UnclaimedRow};
use crate::jobs::flight::state::{AttemptEvent, AttemptState, StopReason, Write, next};
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::QueuedJob;
use crate::jobs::status::{Lane, Status};
use crate::jobs::store::flight::{self, UnrunnableJob, WaitingRow};
use crate::jobs::store::lost::{self, InFlight, Resumed};
use crate::jobs::{batches, metrics};
use crate::ledger::{LedgerPost, Movement};
use crate::{Core, Result, fleet};

/// Why a job in flight has no actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum LossCause {
    /// Its node is lost, or the reason is unknown.
    NodeLost,
    /// Its actor panicked.
    Panicked,
}

impl LossCause {
    /// The event for a job in this status. A job in preparation may be the cause of the lost node; a job that its worker
    /// had only accepted is not.
    fn event(self, status: Status) -> AttemptEvent {
        match (self, status) {
            (Self::NodeLost, Status::Connected) => AttemptEvent::LostBeforeStart,
            (Self::NodeLost, _) => AttemptEvent::Lost,
            (Self::Panicked, _) => AttemptEvent::Panicked,
        }
    }

    /// The error that the job's owner sees.
    fn message(self) -> &'static str {
        match self {
            Self::NodeLost => "the node that ran this job went away",
            Self::Panicked => "an error of ours ended this job; nothing was charged",
        }
    }
}

/// Jobs of lost nodes that one sweep handles.
const MAX_ORPHANS: i64 = 2000;

/// Work for the dispatcher.
#[derive(Debug, Default)]
pub(in crate::jobs) struct SweepResult {
    /// Jobs in flight on this node with a cancel request.
    pub to_stop: Vec<JobId>,
    /// Jobs of lost nodes that continue on this node, at the same workers.
    pub resumed: Vec<Resumed>,
}

/// Sweeps once. `here`: the jobs with an actor on this node.
pub(in crate::jobs) async fn sweep(core: &Core, here: HashSet<JobId>) -> SweepResult {
    let mut found = SweepResult::default();
    if let Err(error) = try_sweep(core, here, &mut found).await {
        tracing::warn!(%error, "a sweep failed");
        core.queue.orphans().restart_waits();
    }
    found
}

/// Writes into `found`, which the caller uses after an error too: no other node looks after the jobs taken over.
async fn try_sweep(core: &Core, here: HashSet<JobId>, found: &mut SweepResult) -> Result<()> {
    let now = core.clock.now();
    fleet::reconcile(core).await?;
    let living: Vec<Uuid> = fleet::living_nodes(core).await?.into_iter().map(|node| node.0).collect();
    // A node that has left, or has lost its name, leaves its jobs to the next owners of their workers. It still counts
    // the waiting jobs, because it may accept more.
    let is_member = living.contains(&core.node.0);
    if is_member {
        sweep_in_flight(core, &here, &living, found).await?;
    }

    batches::continue_canceling(core).await?;
    if core.queue.waiting().begin_recount() {
        let counted = flight::waiting(&core.db, || core.queue.waiting().changed()).await?;
        core.queue.waiting().recount(&counted);
        tags::learn(core, &counted);
        let waiting = counted.waiting;
        core.queue.set_lane_totals(waiting.iter().map(|row| (row.pool.as_str(), row.lane, row.count, row.finish)));
        if is_member {
            end_unrunnable(core, &waiting).await?;
        }
    }
    core.queue.events().sweep(now);
    core.queue.note_new_needs();
    core.queue.change_log().invalidate_all();
    Ok(())
}

/// Looks after the jobs in flight: takes over those that continue here, and requeues or ends the lost ones.
async fn sweep_in_flight(core: &Core, here: &HashSet<JobId>, living: &[Uuid], found: &mut SweepResult) -> Result<()> {
    let mut uncleared = fleet::uncleared(core);
    let mine = lost::of_node(&core.db, core.node).await?;
    found.to_stop =
        mine.iter().filter(|job| job.cancel_requested && here.contains(&job.id)).map(|job| job.id).collect();
    // A worker that came back from another owner may still run a job of that time. The next sweep looks again.
    let leaving: HashSet<WorkerId> =
        mine.iter().filter(|job| here.contains(&job.id)).filter_map(|job| job.worker).collect();
    uncleared.retain(|worker| !leaving.contains(worker));
    let orphans = lost::orphans(&core.db, living, &uncleared, MAX_ORPHANS).await?;
    // After an error the workers stay uncleared, so that the next sweep finds the jobs again.
    let (mut lost, contested) = resume(core, orphans, living, &mut found.resumed).await?;
    // The node that was first may have left since. The next sweep finds the job again.
    uncleared.retain(|worker| !contested.contains(worker));
    let mut at: HashMap<WorkerId, Vec<(JobId, i32)>> = HashMap::new();
    for Resumed { job, worker } in &found.resumed {
        at.entry(*worker).or_default().push((job.id, i32::from(job.attempt)));
    }
    fleet::clear(core, &uncleared, &at);
    let looked_after = here.iter().copied().chain(found.resumed.iter().map(|resumed| resumed.job.id)).collect();
    lost.extend(strays(core, &mine, &looked_after, living));
    // Concurrently, so that the ledger commits them in few transactions.
    for adopted in join_all(lost.iter().map(|orphan| lose(core, orphan, LossCause::NodeLost))).await {
        adopted?;
    }
    Ok(())
}

/// Takes over the jobs of lost nodes whose worker belongs to this node now; the prompt may still run there. Jobs whose
/// worker belongs to another node are left to it, and jobs whose worker has no owner yet wait. Returns the lost jobs,
/// whose worker is gone too, and the workers of this node at which another node was first to take over a job.
async fn resume(
    core: &Core,
    orphans: Vec<InFlight>,
    living: &[Uuid],
    resumed: &mut Vec<Resumed>,
) -> Result<(Vec<InFlight>, HashSet<WorkerId>)> {
    let (mut lost, mut contested) = (Vec::new(), HashSet::new());
    for orphan in orphans {
        match orphan.worker.map(|worker| (worker, core.fleet.roster().owner(worker))) {
            Some((worker, WorkerOwner::ThisNode)) => {
                let Some(job) = lost::take_over(&core.db, &orphan, worker, core.node).await? else {
                    contested.insert(worker);
                    continue;
                };
                tracing::info!(job.id = %job.job.id, worker.id = %worker, "job {} of a lost node continues", job.job.id);
                core.fleet.roster().assigned(worker, job.job.id, &job.job.needs);
                resumed.push(job);
            }
            Some((_, WorkerOwner::Node(node))) if living.contains(&node.0) => {}
            Some((_, owner @ (WorkerOwner::Node(_) | WorkerOwner::Unowned)))
                if core.queue.orphans().waits_for_owner(orphan.id, owner, Instant::now()) => {}
            _ => lost.push(orphan),
        }
    }
    Ok((lost, contested))
}

/// Jobs of this node, by the rows, that two sweeps in a row have found without an actor: their actor panicked or could
/// not write their end. One sweep is not enough, because the actor of a claimed job may not be started yet. A job whose
/// worker has another owner by now is left to that node. A job at a worker that came back and is not checked yet waits.
fn strays(core: &Core, mine: &[InFlight], here: &HashSet<JobId>, living: &[Uuid]) -> Vec<InFlight> {
    let without: Vec<&InFlight> = mine.iter().filter(|job| !here.contains(&job.id)).collect();
    if without.is_empty() {
        return Vec::new();
    }
    let known = core.queue.orphans().replace_strays(without.iter().map(|job| (job.id, job.attempt)).collect());
    let waits_for = |job: &InFlight, owner| core.queue.orphans().waits_for_owner(job.id, owner, Instant::now());
    let uncleared = fleet::uncleared(core);
    let may_continue = |job: &InFlight| match job.worker.map(|worker| (worker, core.fleet.roster().owner(worker))) {
        Some((_, owner @ WorkerOwner::Node(node))) => living.contains(&node.0) && waits_for(job, owner),
        Some((_, owner @ WorkerOwner::Unowned)) => waits_for(job, owner),
        Some((worker, WorkerOwner::ThisNode)) => uncleared.contains(&worker),
        Some((_, WorkerOwner::Unknown)) | None => false,
    };
    let strays = without.into_iter().filter(|job| known.contains(&(job.id, job.attempt)) && !may_continue(job));
    strays.cloned().collect()
}

/// Requeues a lost job, or ends it if no try is left. After an error the next sweep finds the job again.
pub(in crate::jobs) async fn lose(core: &Core, orphan: &InFlight, cause: LossCause) -> Result<()> {
    let Some(adopted) = lost::adopt(&core.db, orphan, core.node, cause == LossCause::Panicked).await? else {
        return Ok(());
    };
    metrics::lost();
    let now = core.clock.now();
    let retries = i16::try_from(core.settings.jobs.retries).unwrap_or(i16::MAX - 1);
    let stopping = adopted.cancel_requested.then_some(StopReason::Canceled);
    let run = AttemptState {
        prompt_done_ms: None,
        status: orphan.status,
        not_begun: adopted.withdrawn,
        attempt: orphan.attempt,
        panics: adopted.panics,
        attempts_allowed: retries.saturating_add(1).saturating_add(adopted.withdrawn),
        stopping,
        stopped_at_ms: None,
    };
    let lease = Lease { job: orphan.id, node: core.node, attempt: orphan.attempt };
    let Ok(outcome) = next(&run, cause.event(orphan.status)) else { return Ok(()) };
    let (movement, attached, status) = match outcome.write {
        Some(Write::End { status, .. }) => {
            let ended = EndedRow::uncharged(lease, status, now, Some(cause.message()));
            (Movement::Settle { job: orphan.id, used: 0 }, ended.attached(), status)
        }
        write => {
            let withdrawn = matches!(write, Some(Write::PutBack | Write::PutBackLater));
            let moved = TransitionRow { withdrawn, ..TransitionRow::new(lease, Status::Pending) };
            (Movement::None, moved.attached(), Status::Pending)
        }
    };
    tracing::warn!(job.id = %orphan.id, job.attempt = orphan.attempt, ?status, ?cause, "job {} was lost", orphan.id);
    match core.ledger.post(LedgerPost { account: orphan.user, movement, attached: Some(attached) }).await {
        Ok(_) => {
            if status == Status::Pending {
                core.queue.waiting().put_back(orphan.id, QueuedJob::new(orphan.user, &orphan.pool, orphan.lane));
                core.queue.change_log().invalidate(&orphan.pool, orphan.lane);
            }
            core.queue.publish_status(orphan.id, status, now);
        }
        Err(error) => tracing::warn!(job.id = %orphan.id, ?error, "lost job {} is left for the next sweep", orphan.id),
    }
    Ok(())
}

/// Ends jobs that have waited too long without a worker that can run them. Those of the lane flex have time until they are
/// promoted.
async fn end_unrunnable(core: &Core, waiting: &[WaitingRow]) -> Result<()> {
    let now = core.clock.now();
    let limit = Duration::seconds(i64::try_from(core.settings.jobs.no_worker_seconds).unwrap_or(i64::MAX / 2000));
    let before = now - limit;
    let overdue: BTreeSet<(&str, &str)> = waiting
        .iter()
        .filter(|row| row.oldest < before && row.lane != Lane::Flex)
        .map(|row| (row.pool.as_str(), row.needs.as_str()))
        .collect();
    for (pool, hash) in overdue {
        let Some(needs) = core.queue.needs(core, hash).await? else { continue };
        if core.fleet.roster().can_run(pool, &needs) {
            continue;
        }
        let lacking = core.fleet.roster().lacking(pool, &needs);
        let why = json!({ "message": format!("no worker that can run this graph was found in time ({lacking})") });
        let jobs = flight::waiting_since(&core.db, pool, hash, before).await?;
        join_all(jobs.into_iter().map(|job| end_waiting(core, job, &why))).await;
    }
    Ok(())
}

async fn end_waiting(core: &Core, UnrunnableJob { id: job, user, deadline }: UnrunnableJob, why: &Value) {
    let now = core.clock.now();
    let row = UnclaimedRow { job, status: Status::ConnectError, validate: Some(why.clone()), ended_at: now };
    let post =
        LedgerPost { account: user, movement: Movement::Settle { job, used: 0 }, attached: Some(row.attached()) };
    match core.ledger.post(post).await {
        Ok(_) => {
            metrics::ended(Status::ConnectError, now, deadline);
            core.queue.publish_status(job, Status::ConnectError, now);
        }
        Err(error) => {
            tracing::debug!(job.id = %job, ?error, "waiting job {job} was not ended; it was claimed or canceled")
        }
    }
}

#[cfg(test)]
mod tests;
