//! What is remembered of mini apps from one submit to the next.

use std::sync::Arc;

use super::form::compiled::CompiledApp;
use super::heads::Heads;
use crate::cache::Cache;
use crate::ids::WorkflowApiVersionId;

/// What a node remembers.
#[derive(Debug)]
pub struct Memory {
    pub(super) heads: Heads,
    /// Versions that were run lately. They never change, and are kept while there is room.
    pub(super) versions: Cache<WorkflowApiVersionId, Arc<CompiledApp>>,
}

impl Default for Memory {
    fn default() -> Self {
        const ROOM_BYTES: u64 = 128 * 1024 * 1024;
        const TYPICAL_BYTES: u64 = 20_000;
        Self { heads: Heads::default(), versions: Cache::of_weight(ROOM_BYTES, TYPICAL_BYTES) }
    }
}

impl Memory {
    pub(super) fn keep(&self, version: WorkflowApiVersionId, app: &Arc<CompiledApp>) {
        // A node takes some 500 bytes beside its texts.
        let text = serde_json::to_vec(app.prompt()).map_or(0, |text| text.len());
        let bytes = u32::try_from(text + 500 * app.prompt().0.len()).unwrap_or(u32::MAX);
        self.versions.insert_weighing(version, Arc::clone(app), bytes);
    }
}
