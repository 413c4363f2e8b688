//! Node classes that workers describe otherwise than most of the others.

use std::collections::HashMap;
use std::sync::Arc;

use crate::graph::NodeDefinitions;
use crate::ids::WorkerId;

/// Classes by the worker that describes them otherwise than most workers.
pub(super) type DifferingClasses = HashMap<WorkerId, Vec<String>>;

/// See [`NodeDefinitions::differing`].
pub(super) fn differing(workers: &[(WorkerId, Arc<NodeDefinitions>)]) -> DifferingClasses {
    let definitions: Vec<&NodeDefinitions> = workers.iter().map(|(_, definitions)| definitions.as_ref()).collect();
    let classes = NodeDefinitions::differing(&definitions);
    workers.iter().map(|(id, _)| *id).zip(classes).collect()
}
