//! What one worker can do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::graph::{Needs, NodeDefinitions};

/// Stands before the size in bytes of a checkpoint whose header says nothing, where other files have their
/// architecture.
pub const SIZE_PREFIX: &str = "size:";

/// What one worker can do, as it reports it (`/object_info`, `/models`, `/system_stats`).
#[derive(Debug, Clone)]
pub struct Capabilities {
    /// ComfyUI's version, if the server reports one: `0.3.64`.
    pub version: Option<String>,
    pub definitions: Arc<NodeDefinitions>,
    /// Model files by folder: `checkpoints` → names.
    pub models: BTreeMap<String, BTreeSet<String>>,
    /// What headers of model files say about their architecture, by folder and file. Where a header says nothing:
    /// [`SIZE_PREFIX`] and the size of a checkpoint, or an empty text.
    pub architectures: BTreeMap<(String, String), String>,
    /// See [`NodeDefinitions::shape`]. Workers of one shape validate prompts alike, apart from their model files.
    pub shape: Arc<str>,
    needs_digest: OnceLock<Arc<str>>,
}

impl Capabilities {
    #[must_use]
    pub fn new(
        version: Option<String>,
        definitions: Arc<NodeDefinitions>,
        models: BTreeMap<String, BTreeSet<String>>,
    ) -> Self {
        let shape = definitions.shape().into();
        Self { version, definitions, models, architectures: BTreeMap::new(), shape, needs_digest: OnceLock::new() }
    }

    #[must_use]
    pub fn with_architectures(self, architectures: BTreeMap<(String, String), String>) -> Self {
        Self { architectures, ..self }
    }

    /// See [`NodeDefinitions::needs_digest`].
    #[must_use]
    pub fn needs_digest(&self) -> &Arc<str> {
        self.needs_digest.get_or_init(|| self.definitions.needs_digest().into())
    }

    /// Whether a job with these needs can run on the worker.
    #[must_use]
    pub fn meet(&self, needs: &Needs) -> bool {
        !needs.refused_by.contains(self.shape.as_ref()) && needs.met_by(&self.definitions)
    }

    /// Why a job with these needs cannot run on the worker, for people: missing classes or models, or different node
    /// definitions.
    #[must_use]
    pub fn lack(&self, needs: &Needs) -> Vec<String> {
        let mut lacking = needs.unmet(&self.definitions);
        if lacking.is_empty() && needs.refused_by.contains(self.shape.as_ref()) {
            lacking.push("another version of the nodes".to_owned());
        }
        lacking
    }
}
