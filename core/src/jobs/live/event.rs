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
