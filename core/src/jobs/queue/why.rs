//! Why a job waits, in one sentence, and what has to happen before it goes on.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::entry::QueueEntry;
use super::snapshot::{self, PoolSnapshot};
use crate::fleet::PoolAvailability;
use crate::ids::{JobId, WorkerId};
use crate::jobs::job::Job;
use crate::jobs::lists::find;
use crate::jobs::price::Price;
use crate::jobs::status::{Lane, Status};
use crate::jobs::store::flight::{self, WaitState};
use crate::{Caller, Core, Result, ledger};

/// The reason for a job's status. Clients switch on the code and translate it; texts may change.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusReason {
    pub code: StatusReasonCode,
    /// One sentence.
    pub message: String,
    /// The numbers and names in the sentence.
    pub details: Value,
    /// What has to happen before it goes on, as a clause: "one of them ends".
    pub released_by: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusReasonCode {
    /// It has ended.
    Ended,
    /// It runs.
    Running,
    /// It runs, and its account has too few credits to extend the hold.
    RunningOnLastCredits,
    /// Its worker does not answer.
    WorkerSilent,
    /// A worker was chosen and gets the inputs.
    Starting,
    /// Its worker has it and runs another prompt first, which was sent to the worker directly.
    QueuedAtWorker,
    /// It is being canceled.
    Stopping,
    /// The file storage is unavailable: no job begins, and finished outputs wait at their workers.
    StorageAway,
    /// It was lost with a worker and pauses before the next try.
    RetryPause,
    /// No worker of its pool is connected.
    NoWorker,
    /// All workers that could run it are paused or draining.
    WorkersKeptOut,
    /// All workers that could run it are disconnected.
    WorkersAway,
    /// No connected worker has all of its node classes and models.
    MissingCapability,
    /// It costs less, and waits until workers have nothing else to do or it is promoted.
    WaitsForIdle,
    /// Most jobs ahead are of its own account.
    OwnJobsAhead,
    /// Most jobs ahead are of other accounts.
    OtherJobsAhead,
    /// It is next, and every worker that can run it is busy.
    WorkersBusy,
    /// It is next, and a worker is free.
    Next,
}

impl StatusReasonCode {
    /// The name that clients switch on.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ended => "ENDED",
            Self::Running => "RUNNING",
            Self::RunningOnLastCredits => "RUNNING_ON_LAST_CREDITS",
            Self::WorkerSilent => "WORKER_SILENT",
            Self::Starting => "STARTING",
            Self::QueuedAtWorker => "QUEUED_AT_WORKER",
            Self::Stopping => "STOPPING",
            Self::StorageAway => "STORAGE_AWAY",
            Self::RetryPause => "RETRY_PAUSE",
            Self::NoWorker => "NO_WORKER",
            Self::WorkersKeptOut => "WORKERS_KEPT_OUT",
            Self::WorkersAway => "WORKERS_AWAY",
            Self::MissingCapability => "MISSING_CAPABILITY",
            Self::WaitsForIdle => "WAITS_FOR_IDLE",
            Self::OwnJobsAhead => "OWN_JOBS_AHEAD",
            Self::OtherJobsAhead => "OTHER_JOBS_AHEAD",
            Self::WorkersBusy => "WORKERS_BUSY",
            Self::Next => "NEXT",
        }
    }
}

/// The reason for the status of a job that the caller owns; admins may ask about any job. A waiting job never waits for
/// credits, because they are held when it is accepted.
///
/// # Errors
/// [`crate::Error::NotFound`] where the job does not exist or belongs to another account.
pub async fn why(core: &Core, caller: &Caller, id: JobId) -> Result<StatusReason> {
    let job = find(core, caller, id).await?;
    if job.status.is_terminal() {
        let message = format!("the job has ended as {}", job.status.name());
        return Ok(reason(
            StatusReasonCode::Ended,
            message,
            json!({ "status": job.status.name() }),
            "nothing: it does not wait any more",
        ));
    }
    let Some(wait_state) = flight::wait_state(&core.db, id).await? else { return Err(crate::jobs::job::not_found()) };
    if wait_state.cancel_requested {
        let message = "the job is being canceled".to_owned();
        return Ok(reason(StatusReasonCode::Stopping, message, json!({}), "its worker has stopped"));
    }
    if core.files.storage.health().away_for().is_some() {
        let message = match job.status {
            Status::Pending => "files cannot be stored at the moment, so no job begins",
            _ => "files cannot be stored or read at the moment: the job and its outputs wait at its worker",
        };
        return Ok(reason(StatusReasonCode::StorageAway, message.to_owned(), json!({}), "files can be stored again"));
    }
    if job.status != Status::Pending
        && let Some(why) = silent(core, &wait_state)
    {
        return Ok(why);
    }
    match job.status {
        Status::Running => running(core, &job).await,
        Status::Pending => waiting(core, &job, &wait_state).await,
        Status::Connected => {
            // A worker that has accepted a prompt and not begun it is busy with its own queue.
            let message = "the worker has the job, and finishes earlier prompts in its own queue first".to_owned();
            Ok(reason(StatusReasonCode::QueuedAtWorker, message, json!({}), "the worker has finished that"))
        }
        _ => {
            let message = "a worker was chosen and is being given the job".to_owned();
            Ok(reason(StatusReasonCode::Starting, message, json!({}), "the worker has its inputs and begins"))
        }
    }
}

/// The reason for a job whose worker does not answer.
fn silent(core: &Core, wait_state: &WaitState) -> Option<StatusReason> {
    let since = core.fleet.roster().unanswered_since(wait_state.worker?)?;
    let patience = core.settings.jobs.silent_seconds;
    let message = format!("the worker of the job has not answered since {}", since.format("%Y-%m-%d %H:%M:%S UTC"));
    let details = json!({ "since": since, "patienceSeconds": patience });
    let released_by = format!("it answers again, or the job is tried at another one, {patience} seconds after that");
    Some(reason(StatusReasonCode::WorkerSilent, message, details, released_by))
}

async fn running(core: &Core, job: &Job) -> Result<StatusReason> {
    let rate = core.settings.pool(&job.pool).map_or(0, |pool| pool.credits_per_second);
    let price = Price { rate, percent: job.percent };
    let step_seconds = i64::try_from(core.settings.jobs.hold_seconds).unwrap_or(60);
    let step = price.credits(step_seconds.saturating_mul(1000));
    if !price.is_free()
        && let Some(held) = ledger::held(core, job.id).await?
    {
        let available = ledger::available(core, job.user).await?;
        if available < step {
            let seconds = price.longest_ms(held) / 1000;
            let details = json!({ "creditsHeld": held, "creditsAvailable": available, "lastsSeconds": seconds });
            let message = format!("the job runs on its last credits: they last for {seconds} seconds in all");
            return Ok(reason(
                StatusReasonCode::RunningOnLastCredits,
                message,
                details,
                "credits are added, or the job ends",
            ));
        }
    }
    Ok(reason(StatusReasonCode::Running, "the job runs".to_owned(), json!({}), "nothing: it does not wait any more"))
}

async fn waiting(core: &Core, job: &Job, wait_state: &WaitState) -> Result<StatusReason> {
    let now = core.clock.now();
    if let Some(until) = wait_state.not_before.filter(|until| *until > now) {
        let message = format!("the job was lost with its worker, and pauses before try {}", job.attempt + 1);
        let details = json!({ "until": until, "attempt": job.attempt });
        return Ok(reason(StatusReasonCode::RetryPause, message, details, "the pause is over"));
    }
    let needs = core.queue.needs(core, &job.needs).await?;
    let workers = match &needs {
        Some(needs) => core.fleet.roster().availability(&job.pool, needs),
        None => PoolAvailability::default(),
    };
    if workers.able.is_empty() {
        return Ok(no_worker(core, job, &workers, wait_state.promotion));
    }
    let entry = QueueEntry::from(job);
    let snapshot = snapshot::of(core, &entry).await?;
    Ok(match waits_for_idle(job, &entry, &snapshot, &workers, wait_state.promotion) {
        Some(why) => why,
        None => in_lane(job, &entry, &snapshot, &workers),
    })
}

/// The reason for a job that no connected worker can run. A job of the lane flex has time until its `promotion`.
fn no_worker(core: &Core, job: &Job, workers: &PoolAvailability, promotion: Option<DateTime<Utc>>) -> StatusReason {
    let pool = &job.pool;
    let patience = Duration::seconds(i64::try_from(core.settings.jobs.no_worker_seconds).unwrap_or(0));
    let ends_at = promotion.unwrap_or(job.created_at).checked_add_signed(patience);
    let PoolAvailability { kept_out, away, connected, missing, .. } = workers;
    if *kept_out > 0 {
        let message =
            format!("every worker of the pool {pool} that can run the job is paused or draining ({kept_out})");
        let details = json!({ "pool": pool, "workers": kept_out, "endsAt": ends_at });
        return reason(StatusReasonCode::WorkersKeptOut, message, details, "an operator resumes one of them");
    }
    if *away > 0 {
        let message = format!("every worker of the pool {pool} that can run the job is disconnected ({away})");
        let details = json!({ "pool": pool, "workers": away, "endsAt": ends_at });
        return reason(StatusReasonCode::WorkersAway, message, details, "one of them connects again");
    }
    if *connected > 0 {
        let message = format!("no worker of the pool {pool} has everything that the job needs: {}", missing.join(", "));
        let details = json!({ "pool": pool, "missing": missing, "endsAt": ends_at });
        let released_by = format!("a worker with these nodes and models joins the pool {pool}");
        return reason(StatusReasonCode::MissingCapability, message, details, released_by);
    }
    let message = format!("no worker of the pool {pool} is connected");
    let released_by = format!("a worker joins the pool {pool}");
    reason(StatusReasonCode::NoWorker, message, json!({ "pool": pool, "endsAt": ends_at }), released_by)
}

/// The reason for a job of the lane flex, unless it is next and a worker is free.
fn waits_for_idle(
    job: &Job,
    entry: &QueueEntry,
    snapshot: &PoolSnapshot,
    workers: &PoolAvailability,
    promotion: Option<DateTime<Utc>>,
) -> Option<StatusReason> {
    let is_next = snapshot.place(entry).before.is_empty() && snapshot.earlier(job.lane).next().is_none();
    if job.lane != Lane::Flex || (is_next && workers.idle > 0) {
        return None;
    }
    let pool = &job.pool;
    let until = promotion.map(|at| format!(", until {} at the latest", at.format("%Y-%m-%d %H:%M:%S UTC")));
    let message = format!(
        "the job costs less, and waits until the workers of the pool {pool} have nothing else to do{}",
        until.unwrap_or_default()
    );
    let details = json!({ "pool": pool, "until": promotion, "deadline": job.deadline });
    Some(reason(StatusReasonCode::WaitsForIdle, message, details, "a worker is idle, or its time has come"))
}

/// The reason for a job that waits for its turn.
fn in_lane(job: &Job, entry: &QueueEntry, snapshot: &PoolSnapshot, workers: &PoolAvailability) -> StatusReason {
    let place = snapshot.place(entry);
    let is_own = |user| user == job.user;
    let (mine, others) =
        place.before.iter().chain(snapshot.earlier(job.lane)).fold((0_usize, 0_usize), |(mine, others), job| {
            match is_own(job.user) {
                true => (mine + 1, others),
                false => (mine, others + 1),
            }
        });
    let more = if place.is_beyond { "more than " } else { "" };
    let details = json!({
        "pool": job.pool, "lane": job.lane.name(), "own": mine, "others": others, "more": place.is_beyond,
    });
    if mine > others {
        let message = format!("{more}{mine} jobs of the same account go first: accounts that wait take turns");
        return reason(StatusReasonCode::OwnJobsAhead, message, details, "they have begun, or are canceled");
    }
    if others > 0 {
        let message = match mine {
            0 => format!("{more}{others} jobs of other accounts go first"),
            mine => format!("{more}{} jobs go first, {mine} of them of the same account", mine + others),
        };
        return reason(StatusReasonCode::OtherJobsAhead, message, details, "they have begun");
    }
    let count = workers.able.len();
    let runs = |worker: &WorkerId| snapshot.running.iter().any(|run| run.worker == Some(*worker));
    if workers.idle == 0 && workers.remote.iter().all(runs) {
        let message = format!("the job is next, and all workers that can run it are busy ({count})");
        let details = json!({ "pool": job.pool, "workers": count });
        return reason(StatusReasonCode::WorkersBusy, message, details, "one of them has finished its job");
    }
    let message = "the job is next, and a worker is free".to_owned();
    reason(
        StatusReasonCode::Next,
        message,
        json!({ "pool": job.pool, "workers": count }),
        "the worker takes it, at any moment",
    )
}

fn reason(code: StatusReasonCode, message: String, details: Value, released_by: impl Into<String>) -> StatusReason {
    StatusReason { code, message, details, released_by: released_by.into() }
}
