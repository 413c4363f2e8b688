//! For which pools, and for which of their workers, something was found out about a version of a mini app.

use crate::ids::WorkflowApiVersionId;

/// A version of a mini app, in the light of what the workers of some pools know at a time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::jobs) struct Standing {
    pub version: WorkflowApiVersionId,
    pub pools: Vec<String>,
    /// See [`crate::fleet::Roster::generation`].
    pub generation: u64,
}
