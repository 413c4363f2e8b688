//! Needs of jobs with the hash of their row, and the key of cached checks of mini app versions.

use crate::graph::Needs;
use crate::ids::WorkflowApiVersionId;

/// The requirements of a job on its worker, and the hash under which they are stored.
#[derive(Debug)]
pub(super) struct StoredNeeds {
    pub hash: String,
    pub needs: Needs,
}

/// A version of a mini app, some pools, and the generation of the roster by which the version was checked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct VersionCheckKey {
    pub version: WorkflowApiVersionId,
    pub pools: Vec<String>,
    /// See [`crate::fleet::Roster::generation`].
    pub generation: u64,
}
