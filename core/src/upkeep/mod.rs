//! What is looked after beside the jobs: what expires, and what is to be counted, shared, cleaned or deleted.
//!
//! Each task is a loop of its own: one that fails, hangs or panics keeps no other one waiting, and the rescue of jobs
//! (`jobs`) waits for none of them. A round has a deadline, and does a limited number of things; where it did that many
//! there are probably more, and the next one comes soon. So what is due all at once, such as the credits of a month, is
//! spread over the time after it.
//!
//! A task's row tells of its last round, and is its lease: of several nodes one does a round. A task that concerns what
//! a node has in memory, or its own programs, is done by each node.

mod store;
mod task;
mod tasks;
#[cfg(test)]
mod tests;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use tokio::sync::Notify;

pub use task::{By, Task};
pub use tasks::TASKS;

use crate::audit::{self, Act, Action};
use crate::ids::NodeId;
use crate::metrics::{self, Counters, Histograms};
use crate::supervision::{Part, Watch};
use crate::{Caller, Core, Error, Result};

/// Between two rounds where there is more to do.
const SOON: Duration = Duration::from_secs(1);
/// A node that is at a round for so much longer than it may has gone away.
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
    /// As of [`Task::batch`].
    pub batch: Option<i64>,
    pub is_running: bool,
    /// Whoever did the last round, or does it; `None` before the first one.
    pub node: Option<NodeId>,
    pub started_at: Option<DateTime<Utc>>,
    /// `None` while the first round is under way.
    pub ended_at: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
    /// Things that the last round did.
    pub done: i64,
    /// Why the last round failed.
    pub error: Option<String>,
    /// Rounds in a row that failed.
    pub failures: i32,
}

impl TaskState {
    fn of(task: &Task, rows: &[store::Row], now: DateTime<Utc>) -> Self {
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
pub struct Bells([Notify; TASKS.len()]);

impl Default for Bells {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Notify::new()))
    }
}

/// Looks after everything for as long as the node lives, on the current arbiter.
pub fn start(core: &Core) {
    DONE.begin();
    FAILURES.begin();
    for (number, task) in TASKS.iter().enumerate() {
        let core = core.clone();
        core.supervisor.clone().keep(Part::Upkeep, move |watch| look_after(core.clone(), number, task, watch));
    }
}

/// All tasks, by name.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin.
pub async fn list(core: &Core, caller: &Caller) -> Result<Vec<TaskState>> {
    caller.must_be_admin()?.to_read();
    let (rows, now) = (store::all(&core.db).await?, core.clock.now());
    Ok(TASKS.iter().map(|task| TaskState::of(task, &rows, now)).collect())
}

/// Has a round begun now, by this node where none is at it; where one is, it is followed by another.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`].
pub async fn run_now(core: &Core, caller: &Caller, name: &str) -> Result<TaskState> {
    let act = caller.must_be_admin()?;
    let found = TASKS.iter().enumerate().find(|(_, task)| task.name == name);
    let (number, task) = found.ok_or(Error::NotFound { what: "upkeep task" })?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    store::make_due(&mut tx, name, now).await?;
    // Tasks have names and no ids.
    let line = Act::new(Action::UpkeepRun, uuid::Uuid::nil()).after(serde_json::json!({ "task": name }));
    audit::record(&mut tx, act, line, now).await?;
    tx.commit().await?;
    core.upkeep.0[number].notify_one();
    Ok(TaskState::of(task, &store::all(&core.db).await?, now))
}

async fn look_after(core: Core, number: usize, task: &'static Task, watch: Watch) {
    // Where this loop was cut short by a panic, its round is still this node's.
    if let Err(error) = store::give_up(&core.db, task.name, core.node, core.clock.now(), "it panicked").await {
        tracing::warn!(%error, task = task.name, "how a task went cannot be written");
    }
    let mut has_rung = false;
    loop {
        watch.at(task.name);
        let done = async {
            if has_rung {
                store::make_due(&mut *core.db.acquire().await?, task.name, core.clock.now()).await?;
            }
            round(&core, number, task).await
        };
        let pause = done.await.unwrap_or_else(|error| {
            tracing::warn!(%error, task = task.name, "a task of upkeep has to wait");
            task.every
        });
        let bell = async {
            match task.bell {
                Some(bell) => bell(&core).notified().await,
                None => std::future::pending().await,
            }
        };
        has_rung = tokio::select! {
            () = tokio::time::sleep(pause) => false,
            // Whoever asked has made it due.
            () = core.upkeep.0[number].notified() => false,
            () = bell => true,
        };
    }
}

/// Does a round where it is due; tells after which time to look again.
///
/// # Errors
/// Where its row cannot be read or written. What goes wrong in the round itself stands in the row.
async fn round(core: &Core, number: usize, task: &Task) -> Result<Duration> {
    let started_at = core.clock.now();
    if task.by == By::OneNode {
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
        tracing::warn!(error, task = task.name, "a task of upkeep failed");
    }
    let count = *done.as_ref().unwrap_or(&0);
    DONE.add(number, count);
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let pause = if task.batch.is_some_and(|batch| count >= batch) { SOON } else { task.every };
    let ended_at = core.clock.now().max(started_at);
    let ended = store::Ended {
        name: task.name,
        node: core.node,
        started_at,
        ended_at,
        due_at: ended_at + delta(pause),
        done: count,
        error: done.as_ref().err().map(String::as_str),
    };
    let due_at = store::end(&core.db, ended).await?;
    Ok(due_at.map_or(pause, |due_at| (due_at - ended_at).to_std().unwrap_or(SOON)))
}

fn delta(time: Duration) -> TimeDelta {
    TimeDelta::from_std(time).unwrap_or(TimeDelta::MAX)
}
