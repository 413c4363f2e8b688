//! Background tasks, for admins.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::upkeep::TaskState;

use crate::openapi::ToSchema;

/// A background task and its last run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpkeepTaskView {
    #[schema(example = "orphaned_files")]
    pub name: &'static str,
    /// From the end of a run to the start of the next.
    pub every_seconds: u64,
    /// A run that takes longer is aborted.
    pub deadline_seconds: u64,
    /// Most items per run, if limited; the next run follows at once if there are more.
    pub batch: Option<i64>,
    pub is_running: bool,
    /// The node of the last or current run; null before the first one.
    pub node: Option<Uuid>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
    /// Items processed by the last run.
    pub done: i64,
    /// Why the last run failed.
    pub error: Option<String>,
    /// Consecutive failed runs.
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
