//! What happens to a job while somebody listens.

use serde::{Deserialize, Serialize};

use crate::fleet::Preview;
use crate::jobs::queue::position::QueuePosition;
use crate::jobs::status::Status;

/// One thing that happened to a job.
#[derive(Debug, Clone, PartialEq)]
pub enum JobEvent {
    /// The status changed; everything else about it is in the row.
    Status(Status),
    Progress(Progress),
    Preview(Preview),
    /// Its place in the queue changed.
    Position(QueuePosition),
}

/// How far a running job is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The node that runs.
    pub node_id: String,
    /// Its title in the graph.
    pub node_title: String,
    /// Steps of the node, done and in all.
    pub value: f64,
    pub max: f64,
    /// Nodes of the graph, done and in all.
    pub nodes_done: usize,
    pub nodes_total: usize,
}

impl Progress {
    /// The part of the work that is done: nodes that are, and the step of the one that runs.
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
