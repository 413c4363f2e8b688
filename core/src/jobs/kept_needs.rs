//! What a worker must have, with the hash by which its row is found.

use crate::graph::Needs;

/// What a worker must have, and the hash under which it is kept.
#[derive(Debug)]
pub(super) struct KeptNeeds {
    pub hash: String,
    pub needs: Needs,
}
