//! A node's cache of mini apps between submits.

use std::sync::Arc;

use super::access_batcher::AccessBatcher;
use super::form::compiled::CompiledApp;
use crate::cache::Cache;
use crate::ids::WorkflowApiVersionId;

#[derive(Debug)]
pub struct MiniAppCache {
    pub(super) access: AccessBatcher,
    /// Versions that were run lately. They never change and are evicted by size.
    pub(super) versions: Cache<WorkflowApiVersionId, Arc<CompiledApp>>,
}

impl Default for MiniAppCache {
    fn default() -> Self {
        const ROOM_BYTES: u64 = 128 * 1024 * 1024;
        const TYPICAL_BYTES: u64 = 20_000;
        Self { access: AccessBatcher::default(), versions: Cache::with_weight(ROOM_BYTES, TYPICAL_BYTES) }
    }
}

impl MiniAppCache {
    pub(super) fn keep(&self, version: WorkflowApiVersionId, app: &Arc<CompiledApp>) {
        // A node takes some 500 bytes beside its texts.
        let text = serde_json::to_vec(app.prompt()).map_or(0, |text| text.len());
        let bytes = u32::try_from(text + 500 * app.prompt().0.len()).unwrap_or(u32::MAX);
        self.versions.insert_weighted(version, Arc::clone(app), bytes);
    }
}
