//! Node classes whose definitions differ from those of most workers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::graph::NodeDefinitions;
use crate::ids::WorkerId;

/// Such classes by worker.
pub(super) type DifferingClasses = HashMap<WorkerId, Vec<String>>;

/// See [`NodeDefinitions::differing`].
pub(super) fn differing(workers: &[(WorkerId, Arc<NodeDefinitions>)]) -> DifferingClasses {
    let definitions: Vec<&NodeDefinitions> = workers.iter().map(|(_, definitions)| definitions.as_ref()).collect();
    let classes = NodeDefinitions::differing(&definitions);
    workers.iter().map(|(id, _)| *id).zip(classes).collect()
}
