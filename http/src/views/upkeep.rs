//! What is looked after in the background, for operators.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::upkeep::TaskState;

use crate::described::ToSchema;

/// A task that is done in the background, and its last round.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpkeepTaskView {
    #[schema(example = "orphaned_files")]
    pub name: &'static str,
    /// From the end of a round to the begin of the next.
    pub every_seconds: u64,
    /// A round that takes longer is given up.
    pub deadline_seconds: u64,
    /// Things that a round does at most, where that is bounded; the next one follows at once where there are more.
    pub batch: Option<i64>,
    pub is_running: bool,
    /// The node that did the last round, or does it; null before the first one.
    pub node: Option<Uuid>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
    /// Things that the last round did.
    pub done: i64,
    /// Why the last round failed.
    pub error: Option<String>,
    /// Rounds in a row that failed.
    pub failures: i32,
}

impl From<TaskState> for UpkeepTaskView {
    fn from(task: TaskState) -> Self {
        Self {
            name: task.name,
            every_seconds: task.every.as_secs(),
            deadline_seconds: task.deadline.as_secs(),
            batch: task.batch,
            is_running: task.is_running,
            node: task.node.map(|node| node.0),
            started_at: task.started_at,
            ended_at: task.ended_at,
            due_at: task.due_at,
            done: task.done,
            error: task.error,
            failures: task.failures,
        }
    }
}
