//! Tags: a tree of two levels for all users; a workflow has one to five of them.

pub(in crate::workflows) mod editing;
pub(in crate::workflows) mod filter;
pub(in crate::workflows) mod store;
pub(in crate::workflows) mod tag;

use std::collections::HashMap;

use sqlx::PgConnection;

use crate::ids::{WorkflowId, WorkflowTagId};
use crate::{Core, Error, Result};
use tag::Tag;

/// All tags in the order that admins set, by default the order of creation: the roots, then the others.
pub async fn tags(core: &Core) -> Result<Vec<Tag>> {
    Ok(store::all(&core.db).await?)
}

/// The tags of several workflows, in their orders; workflows without tags are missing.
pub async fn tags_of(core: &Core, ids: &[WorkflowId]) -> Result<HashMap<WorkflowId, Vec<Tag>>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut found: HashMap<WorkflowId, Vec<Tag>> = HashMap::new();
    for (workflow, tag) in store::of(&core.db, ids).await? {
        found.entry(workflow).or_default().push(tag);
    }
    Ok(found)
}

/// Replaces the tags of a workflow.
pub(super) async fn replace(tx: &mut PgConnection, workflow: WorkflowId, tags: &[WorkflowTagId]) -> Result<()> {
    if store::replace(tx, workflow, tags).await? == tags.len() {
        return Ok(());
    }
    Err(Error::invalid("workflowTags", "names a tag that is not there"))
}

#[cfg(test)]
mod tests;
