//! A version of a mini app, as the list of its versions has it.

use chrono::{DateTime, Utc};

use crate::ids::WorkflowApiVersionId;

/// A version of a mini app, without its form and its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedVersion {
    pub id: WorkflowApiVersionId,
    /// Whether runs that name no version use this one.
    pub is_current: bool,
    pub created_at: DateTime<Utc>,
}
