//! The live events of a job.

use serde::{Deserialize, Serialize};

use crate::fleet::{ClientMessage, Preview, Retention};
use crate::jobs::queue::position::QueuePosition;
use crate::jobs::status::Status;

#[derive(Debug, Clone, PartialEq)]
pub enum JobEvent {
    /// A new status. The row has the other changes.
    Status(Status),
    Progress(JobProgress),
    Preview(Preview),
    Position(QueuePosition),
    /// A worker message for the client that submitted the job. Only its listeners get it.
    Client(ClientMessage),
}

impl JobEvent {
    /// Whether the event may be dropped under load.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Preview(_) => true,
            Self::Client(message) => message.retention != Retention::Kept,
            Self::Status(_) | Self::Progress(_) | Self::Position(_) => false,
        }
    }
}

/// The progress of a running job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobProgress {
    /// The running node of the graph.
    pub node_id: String,
    pub node_title: String,
    /// Its class; empty in a message of an earlier version.
    #[serde(default)]
    pub node_class: String,
    /// Completed and total steps of that node.
    pub value: f64,
    pub max: f64,
    /// Completed and total nodes of the graph.
    pub nodes_done: usize,
    pub nodes_total: usize,
}

impl JobProgress {
    /// The completed part of the work, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        let steps = self.value / self.max;
        let step = if self.max > 0.0 && steps.is_finite() { steps.clamp(0.0, 1.0) } else { 0.0 };
        if self.nodes_total == 0 {
            return step;
        }
        let count = |nodes: usize| f64::from(u32::try_from(nodes).unwrap_or(u32::MAX));
        let step = if self.nodes_done < self.nodes_total { step } else { 0.0 };
        ((count(self.nodes_done) + step) / count(self.nodes_total)).min(1.0)
    }
}
