//! Node classes that workers describe otherwise than most of the others.

use std::collections::HashMap;
use std::sync::Arc;

use super::Roster;
use crate::graph::NodeDefinitions;
use crate::ids::WorkerId;

/// Classes by the worker that describes them otherwise than most workers.
pub(super) type DifferingClasses = HashMap<WorkerId, Vec<String>>;

impl Roster {
    /// See [`NodeDefinitions::differing`]. Computed when it is asked for after a change.
    pub(super) fn differing(&self) -> Arc<DifferingClasses> {
        let (generation, workers): (u64, Vec<(WorkerId, Arc<NodeDefinitions>)>) = {
            let workers = self.read();
            if let Some(known) = &workers.differing {
                return Arc::clone(known);
            }
            let told = workers.by_id.values().filter_map(|member| {
                Some((member.config.id, Arc::clone(&member.capabilities.as_ref()?.definitions)))
            });
            (workers.generation, told.collect())
        };
        let definitions: Vec<&NodeDefinitions> = workers.iter().map(|(_, definitions)| definitions.as_ref()).collect();
        let classes = NodeDefinitions::differing(&definitions);
        let differing: Arc<DifferingClasses> = Arc::new(workers.iter().map(|(id, _)| *id).zip(classes).collect());
        let mut workers = self.write();
        if workers.generation == generation {
            workers.differing = Some(Arc::clone(&differing));
        }
        differing
    }
}
