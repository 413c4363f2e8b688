//! The sweep: repeats from the rows what was lost with a process or a message.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fleet::Owner;
use crate::ids::{JobId, UserId, WorkerId};
use crate::jobs::flight::moves::Ticket;
use crate::jobs::flight::rows::{Ended, Lease, Moved, Unclaimed};
use crate::jobs::flight::state::{Event, Run, Stopping, Write, next};
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::Queued;
use crate::jobs::status::Status;
use crate::jobs::store::flight::{self, WaitingRow};
use crate::jobs::store::lost::{self, InFlight, Resumed};
use crate::jobs::{batches, metrics};
use crate::ledger::{Movement, Post};
use crate::{Core, Result, fleet};

/// Why a job in flight has nobody who looks after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum Cause {
    /// Its node went away, or nobody knows.
    NodeLost,
    /// Its actor panicked.
    Panicked,
}

impl Cause {
    /// What it means for a job that has come so far. A job whose node went away while it was prepared there may be what
    /// the node died of. One that its worker had only accepted is not to blame.
    fn event(self, status: Status) -> Event {
        match (self, status) {
            (Self::NodeLost, Status::Connected) => Event::LostBeforeStart,
            (Self::NodeLost, _) => Event::Lost,
            (Self::Panicked, _) => Event::Panicked,
        }
    }

    /// Said to the job's owner where it ends.
    fn says(self) -> &'static str {
        match self {
            Self::NodeLost => "the node that ran this job went away",
            Self::Panicked => "an error of ours ended this job; nothing was charged",
        }
    }
}

/// Jobs of lost nodes that are taken over in one go.
const ADOPTED_AT_ONCE: i64 = 2000;

/// What the dispatcher has to do.
#[derive(Debug, Default)]
pub(in crate::jobs) struct Found {
    /// Jobs in flight here that somebody asked to stop.
    pub to_stop: Vec<JobId>,
    /// Jobs of a lost node that go on here, at the workers that it had.
    pub resumed: Vec<Resumed>,
}

/// Sweeps once. `here` are the jobs that have an actor on this node.
pub(in crate::jobs) async fn sweep(core: &Core, here: HashSet<JobId>) -> Found {
    let mut found = Found::default();
    if let Err(error) = try_sweep(core, here, &mut found).await {
        tracing::warn!(%error, "a sweep was cut short");
        core.queue.note_blind();
    }
    found
}

/// What it has `found` counts also where the rest cannot be done: jobs that were taken over have nobody else.
async fn try_sweep(core: &Core, here: HashSet<JobId>, found: &mut Found) -> Result<()> {
    let now = core.clock.now();
    fleet::keep(core).await?;
    let mut uncleared = fleet::uncleared(core);
    let living: Vec<Uuid> = fleet::living_nodes(core).await?.into_iter().map(|node| node.0).collect();

    let mine = lost::of_node(&core.db, core.node).await?;
    found.to_stop =
        mine.iter().filter(|job| job.cancel_requested && here.contains(&job.id)).map(|job| job.id).collect();
    // Of a worker that was another's for a while, and whose job has not left it yet: the next sweep looks again.
    let leaving: HashSet<WorkerId> =
        mine.iter().filter(|job| here.contains(&job.id)).filter_map(|job| job.worker).collect();
    uncleared.retain(|worker| !leaving.contains(worker));
    let orphans = lost::orphans(&core.db, &living, &uncleared, ADOPTED_AT_ONCE).await?;
    // Where it is cut short, the workers stay uncleared, and what it had taken over by then is an orphan again.
    let (mut left, resumed) = go_on(core, orphans, &living).await?;
    found.resumed = resumed;
    let mut at: HashMap<WorkerId, Vec<(JobId, i32)>> = HashMap::new();
    for Resumed { job, worker } in &found.resumed {
        at.entry(*worker).or_default().push((job.id, i32::from(job.attempt)));
    }
    fleet::clear(core, &uncleared, &at);
    let looked_after = here.iter().copied().chain(found.resumed.iter().map(|resumed| resumed.job.id)).collect();
    left.extend(stray(core, &mine, &looked_after, &living));
    // Together, so that the ledger commits them in few transactions.
    for adopted in join_all(left.iter().map(|orphan| lose(core, orphan, Cause::NodeLost))).await {
        adopted?;
    }

    batches::cancel_on(core).await?;
    if core.queue.waiting().begin_recount() {
        let counted = flight::waiting(&core.db, || core.queue.waiting().moving()).await?;
        core.queue.waiting().recount(&counted);
        tags::learn(core, &counted);
        let waiting = counted.waiting;
        core.queue.note_swept(waiting.iter().map(|row| (row.pool.as_str(), row.lane, row.count, row.finish)));
        end_hopeless(core, &waiting).await?;
    }
    core.queue.events().sweep(now);
    core.queue.note_new_needs();
    core.queue.arrivals().perhaps_anywhere();
    Ok(())
}

/// Parts the jobs of lost nodes: those whose worker has come to this node go on there, where the prompt may still run or
/// have ended; those whose worker has come to another are that one's; whose worker nobody has taken yet wait for that;
/// and those whose worker is gone too are lost.
async fn go_on(core: &Core, orphans: Vec<InFlight>, living: &[Uuid]) -> Result<(Vec<InFlight>, Vec<Resumed>)> {
    let (mut left, mut resumed) = (Vec::new(), Vec::new());
    for orphan in orphans {
        match orphan.worker.map(|worker| (worker, core.fleet.roster().owner(worker))) {
            Some((worker, Owner::Here)) => {
                if let Some(job) = lost::take_over(&core.db, &orphan, worker, core.node).await? {
                    tracing::info!(job.id = %job.job.id, worker.id = %worker, "a job of a lost node goes on");
                    core.fleet.roster().assigned(worker, job.job.id, &job.job.needs);
                    resumed.push(job);
                }
            }
            Some((_, Owner::Node(node))) if living.contains(&node.0) => {}
            Some((_, owner @ (Owner::Node(_) | Owner::Soon))) if core.queue.waits_for_owner(orphan.id, owner) => {}
            _ => left.push(orphan),
        }
    }
    Ok((left, resumed))
}

/// Jobs that the rows say run here, and that have no actor: one that panicked, or could not write its end. Those that
/// were claimed a moment ago may have none yet, so a job counts only when it is still so. Where another node has its worker
/// by now, which this one lost while it was silent, the job is looked for there.
fn stray(core: &Core, mine: &[InFlight], here: &HashSet<JobId>, living: &[Uuid]) -> Vec<InFlight> {
    let without: Vec<&InFlight> = mine.iter().filter(|job| !here.contains(&job.id)).collect();
    if without.is_empty() {
        return Vec::new();
    }
    let known = core.queue.strays();
    core.queue.set_strays(without.iter().map(|job| (job.id, job.attempt)).collect());
    let is_elsewhere = |job: &InFlight| match job.worker.map(|worker| core.fleet.roster().owner(worker)) {
        Some(owner @ Owner::Node(node)) => living.contains(&node.0) && core.queue.waits_for_owner(job.id, owner),
        Some(owner @ Owner::Soon) => core.queue.waits_for_owner(job.id, owner),
        _ => false,
    };
    let strays = without.into_iter().filter(|job| known.contains(&(job.id, job.attempt)) && !is_elsewhere(job));
    strays.cloned().collect()
}

/// A job is lost: it is tried again, or ends where no try is left.
///
/// # Errors
/// Database errors; the next sweep finds it again.
pub(in crate::jobs) async fn lose(core: &Core, orphan: &InFlight, cause: Cause) -> Result<()> {
    let Some(adopted) = lost::adopt(&core.db, orphan, core.node, cause == Cause::Panicked).await? else {
        return Ok(());
    };
    metrics::lost();
    let now = core.clock.now();
    let retries = i16::try_from(core.settings.jobs.retries).unwrap_or(i16::MAX - 1);
    let stopping = adopted.cancel_requested.then_some(Stopping::Canceled);
    let run = Run {
        over_after_ms: None,
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
            let validate = Some(json!({ "message": cause.says() }));
            let ended = Ended {
                lease,
                status,
                at: now,
                started_at: None,
                ran_ms: 0,
                credits_used: 0,
                execute: None,
                validate,
                node_errors: None,
                outputs: Vec::new(),
            };
            (Movement::Settle { job: orphan.id, used: 0 }, ended.attached(), status)
        }
        write => {
            let moved = Moved {
                lease,
                status: Status::Pending,
                started_at: None,
                not_before: None,
                needs: None,
                withdrawn: matches!(write, Some(Write::PutBack | Write::PutBackLater)),
                ticket: Ticket::default(),
            };
            (Movement::None, moved.attached(), Status::Pending)
        }
    };
    tracing::warn!(job.id = %orphan.id, job.attempt = orphan.attempt, ?status, ?cause, "a job was lost");
    match core.ledger.post(Post { account: orphan.user, movement, attached: Some(attached) }).await {
        Ok(_) => {
            if status == Status::Pending {
                core.queue.waiting().wait_again(orphan.id, Queued::new(orphan.user, &orphan.pool, orphan.lane));
                core.queue.arrivals().perhaps(&orphan.pool, orphan.lane);
            }
            core.queue.tell(orphan.id, status, now);
        }
        Err(error) => tracing::warn!(job.id = %orphan.id, ?error, "a lost job is left for the next sweep"),
    }
    Ok(())
}

/// Ends jobs that have waited too long without any worker that could run them.
async fn end_hopeless(core: &Core, waiting: &[WaitingRow]) -> Result<()> {
    let now = core.clock.now();
    let limit = Duration::seconds(i64::try_from(core.settings.jobs.no_worker_seconds).unwrap_or(i64::MAX / 2000));
    let before = now - limit;
    let overdue: BTreeSet<(&str, &str)> =
        waiting.iter().filter(|row| row.oldest < before).map(|row| (row.pool.as_str(), row.needs.as_str())).collect();
    for (pool, hash) in overdue {
        let Some(needs) = core.queue.needs(core, hash).await? else { continue };
        if core.fleet.roster().can_run(pool, &needs) {
            continue;
        }
        let lacking = core.fleet.roster().lacking(pool, &needs);
        let why = json!({ "message": format!("no worker that can run this graph was found in time ({lacking})") });
        let jobs = flight::waiting_since(&core.db, pool, hash, before).await?;
        join_all(jobs.into_iter().map(|(job, user)| end_waiting(core, job, user, &why))).await;
    }
    Ok(())
}

async fn end_waiting(core: &Core, job: JobId, user: UserId, why: &Value) {
    let now = core.clock.now();
    let row = Unclaimed { job, status: Status::ConnectError, validate: Some(why.clone()), ended_at: now };
    let post = Post { account: user, movement: Movement::Settle { job, used: 0 }, attached: Some(row.attached()) };
    match core.ledger.post(post).await {
        Ok(_) => core.queue.tell(job, Status::ConnectError, now),
        Err(error) => tracing::debug!(job.id = %job, ?error, "a job that waits without hope moved on"),
    }
}
