//! Nodes of the family "procedural".

use super::node::Node;

/// The nodes of this family.
#[must_use]
pub fn nodes() -> Vec<Box<dyn Node>> {
    Vec::new()
}
