//! What lists and searches find a workflow by: its words, and what its mini app takes and makes.

use sqlx::PgConnection;

use super::app_traits::AppTraits;
use super::words::Words;
use super::workflow::Workflow;
use super::{store, tags};
use crate::ids::{WorkflowApiId, WorkflowId};
use crate::{Core, Result};

/// Workflows of one go whose words are found later.
pub const WORDLESS_AT_ONCE: i64 = 500;

/// Notes where lists and searches find the workflow.
pub(super) async fn index(tx: &mut PgConnection, workflow: &Workflow) -> Result<()> {
    tags::store::relist(tx, workflow.id).await?;
    let names = tags::store::names(tx, workflow.id).await?;
    let words = Words::of(workflow.names(), workflow.descriptions(), &names);
    Ok(store::set_words(tx, workflow.id, &words).await?)
}

/// Finds the words of workflows that were written without them. The upkeep calls it.
///
/// # Errors
/// Database errors.
pub async fn index_wordless(core: &Core) -> Result<u64> {
    let wordless = store::without_words(&core.db, WORDLESS_AT_ONCE).await?;
    let count = wordless.len() as u64;
    for id in wordless {
        let mut tx = core.db.begin().await?;
        if let Some(workflow) = store::lock(&mut tx, id).await? {
            index(&mut tx, &workflow).await?;
        }
        tx.commit().await?;
    }
    Ok(count)
}

/// Apps of one go whose traits are found out later.
pub const TRAITLESS_AT_ONCE: i64 = 100;

/// Notes what a workflow's mini app takes and makes, inside the transaction that saves it.
///
/// # Errors
/// Database errors.
pub async fn set_app_traits(connection: &mut PgConnection, id: WorkflowId, traits: &AppTraits) -> Result<()> {
    Ok(store::traits::set(connection, id, traits).await?)
}

/// Notes whether some worker can run a workflow's mini app, inside the transaction that found it out.
///
/// # Errors
/// Database errors.
pub async fn set_app_works(connection: &mut PgConnection, id: WorkflowId, works: Option<bool>) -> Result<()> {
    Ok(store::traits::set_works(connection, id, works).await?)
}

/// Some workflows with a mini app whose traits are not known yet.
///
/// # Errors
/// Database errors.
pub async fn apps_without_traits(core: &Core) -> Result<Vec<(WorkflowId, WorkflowApiId)>> {
    Ok(store::traits::missing(&core.db, TRAITLESS_AT_ONCE).await?)
}
