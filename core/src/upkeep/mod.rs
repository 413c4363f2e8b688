//! Periodic maintenance: expiry, deletion, cleaning, counting.
//!
//! Each task is a loop of its own, so that a task which fails, hangs or panics delays no other one. A round has a
//! deadline and a limited number of items. After a full round the next one starts soon, so that work which is due all at
//! once, such as the expiry of a month's credits, is spread over the time after it.
//!
//! A task's row describes its last round and is its lease: one node does a round. Tasks about a node's own memory or
//! programs run on each node.

mod store;
mod tasks;
#[cfg(test)]
mod tests;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use tokio::sync::Notify;

pub use tasks::{RunOn, TASKS, UpkeepTask};

use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::NodeId;
use crate::metrics::{self, Counters, Histograms};
use crate::supervision::{Part, Watch};
use crate::{Caller, Core, Error, Result};

/// The pause after a full round.
const SOON: Duration = Duration::from_secs(1);
/// How long after its deadline the lease of a round expires. It covers the last statement of a round that was given up
/// (`database.statement_timeout_ms`), so that two nodes never do the same round. The tasks of a killed node therefore wait
/// for up to their deadline and this time. That is 90 seconds for most; a subscription whose renewal waits keeps its plan.
const GRACE: Duration = Duration::from_secs(30);

static SECONDS: Histograms<{ TASKS.len() }> = Histograms::new(metrics::UPKEEP_SECONDS, "task", names);
static DONE: Counters<{ TASKS.len() }> = Counters::new(metrics::UPKEEP_DONE, "task", names);
static FAILURES: Counters<{ TASKS.len() }> = Counters::new(metrics::UPKEEP_FAILURES, "task", names);

fn names() -> [&'static str; TASKS.len()] {
    TASKS.map(|task| task.name)
}

/// A task and its last round.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskState {
    pub name: &'static str,
    pub every: Duration,
    pub deadline: Duration,
    /// As of [`UpkeepTask::batch`].
    pub batch: Option<i64>,
    pub is_running: bool,
    /// The node of the current or last round.
    pub node: Option<NodeId>,
    pub started_at: Option<DateTime<Utc>>,
    /// `None` during the first round.
    pub ended_at: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
    /// Items of the last round.
    pub done: i64,
    /// Why the last round failed.
    pub error: Option<String>,
    /// Failed rounds in a row.
    pub failures: i32,
}

impl TaskState {
    fn of(task: &UpkeepTask, rows: &[store::TaskRow], now: DateTime<Utc>) -> Self {
        let row = rows.iter().find(|row| row.name == task.name);
        Self {
            name: task.name,
            every: task.every,
            deadline: task.deadline,
            batch: task.batch,
            is_running: row.and_then(|row| row.lease_until).is_some_and(|until| until > now),
            node: row.map(|row| NodeId(row.node_id)),
            started_at: row.map(|row| row.started_at),
            ended_at: row.and_then(|row| row.ended_at),
            due_at: row.map(|row| row.due_at),
            done: row.map_or(0, |row| row.done),
            error: row.and_then(|row| row.error.clone()),
            failures: row.map_or(0, |row| row.failures),
        }
    }
}

/// Wakes the loops of this node's tasks.
#[derive(Debug)]
pub struct WakeUps([Notify; TASKS.len()]);

impl Default for WakeUps {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Notify::new()))
    }
}

/// Starts the loops of all tasks on the current arbiter.
pub fn start(core: &Core) {
    DONE.begin();
    FAILURES.begin();
    for (number, task) in TASKS.iter().enumerate() {
        let core = core.clone();
        core.supervisor.clone().keep(Part::Upkeep, move |watch| run_task(core.clone(), number, task, watch));
    }
}

/// All tasks by name, for admins.
pub async fn list(core: &Core, caller: &Caller) -> Result<Vec<TaskState>> {
    caller.must_be_admin()?.read_only();
    let (rows, now) = (store::all(&core.db).await?, core.clock.now());
    Ok(TASKS.iter().map(|task| TaskState::of(task, &rows, now)).collect())
}

/// Starts a round of a task now, or after the current round; for admins.
///
/// # Errors
/// [`Error::NotFound`] for an unknown name.
pub async fn run_now(core: &Core, caller: &Caller, name: &str) -> Result<TaskState> {
    let act = caller.must_be_admin()?;
    let found = TASKS.iter().enumerate().find(|(_, task)| task.name == name);
    let (number, task) = found.ok_or(Error::NotFound { what: "upkeep task" })?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    store::make_due(&mut tx, name, now).await?;
    // Tasks have names instead of ids.
    let line = Act::new(Action::UpkeepRun, uuid::Uuid::nil()).after(serde_json::json!({ "task": name }));
    audit::record(&mut tx, act, line, now).await?;
    tx.commit().await?;
    core.upkeep.0[number].notify_one();
    Ok(TaskState::of(task, &store::all(&core.db).await?, now))
}

async fn run_task(core: Core, number: usize, task: &'static UpkeepTask, watch: Watch) {
    // After a panic of this loop, this node still has the lease of the round.
    if let Err(error) = store::give_up(&core.db, task.name, core.node, core.clock.now(), "it panicked").await {
        tracing::warn!(%error, task = task.name, "the end of the last round of {} could not be written", task.name);
    }
    let mut is_woken = false;
    loop {
        watch.at(task.name);
        let done = async {
            if is_woken {
                store::make_due(&mut *core.db.acquire().await?, task.name, core.clock.now()).await?;
            }
            round(&core, number, task).await
        };
        let pause = done.await.unwrap_or_else(|error| {
            tracing::warn!(%error, task = task.name, "upkeep task {} could not start a round", task.name);
            task.every
        });
        let wake_up = async {
            match task.wake_up {
                Some(wake_up) => wake_up(&core).notified().await,
                None => std::future::pending().await,
            }
        };
        is_woken = tokio::select! {
            () = tokio::time::sleep(pause) => false,
            // `run_now` has made the task due.
            () = core.upkeep.0[number].notified() => false,
            () = wake_up => true,
        };
    }
}

/// Does a round if it is due; returns the pause before the next look. An error of the round itself is written to its row.
async fn round(core: &Core, number: usize, task: &UpkeepTask) -> Result<Duration> {
    let started_at = core.clock.now();
    if task.by == RunOn::OneNode {
        let until = started_at + delta(task.deadline + GRACE);
        if !store::claim(&core.db, task.name, core.node, started_at, until).await? {
            let free_at = store::free_at(&core.db, task.name).await?.unwrap_or(started_at);
            return Ok((free_at - started_at).to_std().unwrap_or_default().clamp(SOON, task.every.max(SOON)));
        }
    }
    let began = tokio::time::Instant::now();
    let done = tokio::time::timeout(task.deadline, (task.run)(core)).map(|ended| match ended {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("it took longer than {} s", task.deadline.as_secs_f64())),
    });
    let done = done.await;
    SECONDS.note(number, began.elapsed().as_secs_f64());
    if let Err(error) = &done {
        FAILURES.add(number, 1);
        tracing::warn!(error, task = task.name, "upkeep task {} failed", task.name);
    }
    let count = *done.as_ref().unwrap_or(&0);
    DONE.add(number, count);
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let pause = if task.batch.is_some_and(|batch| count >= batch) { SOON } else { task.every };
    let ended_at = core.clock.now().max(started_at);
    let result = store::RoundResult {
        name: task.name,
        node: core.node,
        started_at,
        ended_at,
        due_at: ended_at + delta(pause),
        done: count,
        error: done.as_ref().err().map(String::as_str),
    };
    let due_at = store::end(&core.db, result).await?;
    Ok(due_at.map_or(pause, |due_at| (due_at - ended_at).to_std().unwrap_or(SOON)))
}

fn delta(time: Duration) -> TimeDelta {
    TimeDelta::from_std(time).unwrap_or(TimeDelta::MAX)
}
