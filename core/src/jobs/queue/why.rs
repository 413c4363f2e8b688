//! Why a job waits, in one sentence, and what would release it.

use chrono::Duration;
use serde_json::{Value, json};

use super::snapshot::{self, Lines};
use super::spot::Spot;
use crate::fleet::Prospects;
use crate::ids::{JobId, WorkerId};
use crate::jobs::job::Job;
use crate::jobs::lists::find;
use crate::jobs::status::Status;
use crate::jobs::store::flight::{self, Holding};
use crate::{Caller, Core, Result, ledger};

/// What a job waits for. Clients switch on the code and translate it; texts may change.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    pub code: WhyCode,
    /// One sentence.
    pub message: String,
    /// The numbers and names in the sentence.
    pub details: Value,
    /// What would let it go on, as a clause: "one of them ends".
    pub released_by: String,
}

/// The reasons, each with a stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyCode {
    /// It has ended.
    Ended,
    /// It runs.
    Running,
    /// It runs, and its account has no credits to hold more for it.
    RunningOnLastCredits,
    /// It runs, and its worker answers no question.
    WorkerSilent,
    /// A worker was chosen and is being given its inputs.
    Starting,
    /// Its worker has it, and runs something else first: prompts that others sent there directly.
    QueuedAtWorker,
    /// It is being canceled.
    Stopping,
    /// Files can be neither stored nor read: nothing is begun, and what was made waits at its worker.
    StorageAway,
    /// It was lost with a worker, and pauses before the next try.
    RetryPause,
    /// No worker of its pool is connected.
    NoWorker,
    /// Workers that could run it are paused or draining.
    WorkersKeptOut,
    /// Workers that could run it are not connected now.
    WorkersAway,
    /// No connected worker has all of its node classes and models.
    MissingCapability,
    /// Mostly jobs of its own account go first: the account's share.
    OwnJobsAhead,
    /// Other accounts' jobs go first.
    OtherJobsAhead,
    /// It is next, and every worker that can run it is busy.
    WorkersBusy,
    /// It is next, and a worker is free.
    Next,
}

impl WhyCode {
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
            Self::OwnJobsAhead => "OWN_JOBS_AHEAD",
            Self::OtherJobsAhead => "OTHER_JOBS_AHEAD",
            Self::WorkersBusy => "WORKERS_BUSY",
            Self::Next => "NEXT",
        }
    }
}

/// Tells what a job of the caller's (anybody's for an admin) waits for. Credits are never among it while a job waits:
/// what it holds was put aside when it was accepted.
///
/// # Errors
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
pub async fn why(core: &Core, caller: &Caller, id: JobId) -> Result<Why> {
    let job = find(core, caller, id).await?;
    if job.status.is_terminal() {
        let message = format!("the job has ended as {}", job.status.name());
        return Ok(tell(WhyCode::Ended, message, json!({ "status": job.status.name() }), "nothing: it waits no more"));
    }
    let Some(holding) = flight::holding(&core.db, id).await? else { return Err(crate::jobs::job::not_found()) };
    if holding.cancel_requested {
        let message = "the job is being canceled".to_owned();
        return Ok(tell(WhyCode::Stopping, message, json!({}), "its worker has stopped"));
    }
    if core.files.storage.reach().away_for().is_some() {
        let message = match job.status {
            Status::Pending => "files cannot be stored at the moment, so that no job is begun",
            _ => "files cannot be stored or read at the moment: the job and what it makes wait at its worker",
        };
        return Ok(tell(WhyCode::StorageAway, message.to_owned(), json!({}), "files can be stored again"));
    }
    if job.status != Status::Pending
        && let Some(why) = silent(core, &holding)
    {
        return Ok(why);
    }
    match job.status {
        Status::Running => running(core, &job).await,
        Status::Pending => waiting(core, &job, &holding).await,
        Status::Connected => {
            // Between taking a prompt and beginning it a worker does nothing but what stands in its own queue.
            let message = "the worker has the job, and finishes what stood in its own queue before".to_owned();
            Ok(tell(WhyCode::QueuedAtWorker, message, json!({}), "the worker has finished that"))
        }
        _ => {
            let message = "a worker was chosen and is being given the job".to_owned();
            Ok(tell(WhyCode::Starting, message, json!({}), "the worker has its inputs and begins"))
        }
    }
}

/// The job's worker answers no question: since when, and for how long that is waited for.
fn silent(core: &Core, holding: &Holding) -> Option<Why> {
    let since = core.fleet.roster().unanswered_since(holding.worker?)?;
    let patience = core.settings.jobs.silent_seconds;
    let message = format!("the worker of the job has not answered since {}", since.format("%Y-%m-%d %H:%M:%S UTC"));
    let details = json!({ "since": since, "patienceSeconds": patience });
    let released_by = format!("it answers again, or the job is tried at another one, {patience} seconds after that");
    Some(tell(WhyCode::WorkerSilent, message, details, released_by))
}

async fn running(core: &Core, job: &Job) -> Result<Why> {
    let rate = core.settings.pool(&job.pool).map_or(0, |pool| pool.credits_per_second);
    let step = rate.saturating_mul(i64::try_from(core.settings.jobs.hold_seconds).unwrap_or(60));
    if rate > 0
        && let Some(held) = ledger::held(core, job.id).await?
    {
        let available = ledger::available(core, job.user).await?;
        if available < step {
            let seconds = held / rate;
            let details = json!({ "creditsHeld": held, "creditsAvailable": available, "lastsSeconds": seconds });
            let message = format!("the job runs on its last credits: they last for {seconds} seconds in all");
            return Ok(tell(WhyCode::RunningOnLastCredits, message, details, "credits are added, or the job ends"));
        }
    }
    Ok(tell(WhyCode::Running, "the job runs".to_owned(), json!({}), "nothing: it waits no more"))
}

async fn waiting(core: &Core, job: &Job, holding: &Holding) -> Result<Why> {
    let now = core.clock.now();
    if let Some(until) = holding.not_before.filter(|until| *until > now) {
        let message = format!("the job was lost with its worker, and pauses before try {}", job.attempt + 1);
        let details = json!({ "until": until, "attempt": job.attempt });
        return Ok(tell(WhyCode::RetryPause, message, details, "the pause is over"));
    }
    let needs = core.queue.needs(core, &job.needs).await?;
    let prospects = match &needs {
        Some(needs) => core.fleet.roster().prospects(&job.pool, needs),
        None => Prospects::default(),
    };
    if prospects.able.is_empty() {
        return Ok(nobody(core, job, &prospects));
    }
    let spot = Spot::from(job);
    let lines = snapshot::of(core, &spot).await?;
    Ok(in_line(job, &spot, &lines, &prospects))
}

/// No worker is there that can run it.
fn nobody(core: &Core, job: &Job, prospects: &Prospects) -> Why {
    let pool = &job.pool;
    let patience = Duration::seconds(i64::try_from(core.settings.jobs.no_worker_seconds).unwrap_or(0));
    let ends_at = job.created_at.checked_add_signed(patience);
    let Prospects { kept_out, away, connected, missing, .. } = prospects;
    if *kept_out > 0 {
        let message =
            format!("every worker of the pool {pool} that can run the job is paused or draining ({kept_out})");
        let details = json!({ "pool": pool, "workers": kept_out, "endsAt": ends_at });
        return tell(WhyCode::WorkersKeptOut, message, details, "an operator resumes one of them");
    }
    if *away > 0 {
        let message = format!("every worker of the pool {pool} that can run the job is disconnected ({away})");
        let details = json!({ "pool": pool, "workers": away, "endsAt": ends_at });
        return tell(WhyCode::WorkersAway, message, details, "one of them connects again");
    }
    if *connected > 0 {
        let message = format!("no worker of the pool {pool} has everything that the job needs: {}", missing.join(", "));
        let details = json!({ "pool": pool, "missing": missing, "endsAt": ends_at });
        let released_by = format!("a worker with these nodes and models joins the pool {pool}");
        return tell(WhyCode::MissingCapability, message, details, released_by);
    }
    let message = format!("no worker of the pool {pool} is connected");
    let released_by = format!("a worker joins the pool {pool}");
    tell(WhyCode::NoWorker, message, json!({ "pool": pool, "endsAt": ends_at }), released_by)
}

/// Workers are there: who goes first?
fn in_line(job: &Job, spot: &Spot, lines: &Lines, prospects: &Prospects) -> Why {
    let stand = lines.stand(spot);
    let own = |user| user == job.user;
    let (mine, others) = stand.before.iter().chain(lines.earlier(job.lane)).fold(
        (0_usize, 0_usize),
        |(mine, others), waiter| match own(waiter.user) {
            true => (mine + 1, others),
            false => (mine, others + 1),
        },
    );
    let more = if stand.beyond { "more than " } else { "" };
    let details = json!({
        "pool": job.pool, "lane": job.lane.name(), "own": mine, "others": others, "more": stand.beyond,
    });
    if mine > others {
        let message = format!("{more}{mine} jobs of the same account go first: accounts that wait take turns");
        return tell(WhyCode::OwnJobsAhead, message, details, "they have begun, or are canceled");
    }
    if others > 0 {
        let message = match mine {
            0 => format!("{more}{others} jobs of other accounts go first"),
            mine => format!("{more}{} jobs go first, {mine} of them of the same account", mine + others),
        };
        return tell(WhyCode::OtherJobsAhead, message, details, "they have begun");
    }
    let workers = prospects.able.len();
    let runs = |worker: &WorkerId| lines.running.iter().any(|run| run.worker == Some(*worker));
    if prospects.idle == 0 && prospects.remote.iter().all(runs) {
        let message = format!("the job is next, and all workers that can run it are busy ({workers})");
        let details = json!({ "pool": job.pool, "workers": workers });
        return tell(WhyCode::WorkersBusy, message, details, "one of them has finished its job");
    }
    let message = "the job is next, and a worker is free".to_owned();
    tell(WhyCode::Next, message, json!({ "pool": job.pool, "workers": workers }), "the worker takes it, at any moment")
}

fn tell(code: WhyCode, message: String, details: Value, released_by: impl Into<String>) -> Why {
    Why { code, message, details, released_by: released_by.into() }
}
