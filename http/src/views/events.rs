//! Events of the feed and of webhooks.

use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;
use verdigraph_core::events::Envelope;

use crate::openapi::ToSchema;

/// An event; a webhook's body is the same.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventView {
    /// The same in the feed and in webhooks.
    pub id: Uuid,
    /// `job.created`, `job.started`, `job.done`, `job.failed`, `job.canceled`, `job.progress`, `batch.finished`,
    /// `workflow_api.saved`, `workflow_api.deleted` or `test`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When it happened.
    pub timestamp: String,
    /// The object (`job`, `batch`, `workflowApi`), its facts, and `links`. Of a job: `status`, `attempt`, the times,
    /// `creditsUsed`, `error`, and the first 50 `outputs` as `nodeId`, `type` and `outputAsset`; of a running one its
    /// `percent`. Of a batch: `key`, `total`, `createdAt`, `finishedAt`, and `counts` by status.
    #[schema(value_type = Object)]
    pub data: Map<String, Value>,
}

impl From<Envelope> for EventView {
    fn from(Envelope { id, kind, timestamp, data }: Envelope) -> Self {
        Self { id: id.0, kind, timestamp, data }
    }
}

/// A page of the feed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedView {
    /// In their order.
    pub items: Vec<EventView>,
    /// Send it as `after` next time. It is never missing.
    pub next_cursor: String,
}
