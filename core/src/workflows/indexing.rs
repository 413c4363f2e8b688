//! The search words of a workflow, and the traits of its mini app.

use sqlx::PgConnection;

use super::app_traits::AppTraits;
use super::words::SearchWords;
use super::workflow::Workflow;
use super::{store, tags};
use crate::database;
use crate::ids::{WorkflowApiId, WorkflowId};
use crate::{Core, Result};

/// Workflows of one round of indexing.
pub const WORDLESS_AT_ONCE: i64 = 500;

/// Writes the search words of a workflow and whether lists show it.
pub(super) async fn index(tx: &mut PgConnection, workflow: &Workflow) -> Result<()> {
    tags::store::relist(tx, workflow.id).await?;
    let names = tags::store::names(tx, workflow.id).await?;
    let words = SearchWords::of(workflow.names(), workflow.descriptions(), &names);
    Ok(store::set_words(tx, workflow.id, &words).await?)
}

/// Indexes workflows that were written without search words. The upkeep calls it.
pub async fn index_wordless(core: &Core) -> Result<u64> {
    let wordless = store::without_words(&core.db, WORDLESS_AT_ONCE).await?;
    let count = wordless.len() as u64;
    for id in wordless {
        let mut tx = database::begin(&core.db).await?;
        if let Some(workflow) = store::lock(&mut tx, id).await? {
            index(&mut tx, &workflow).await?;
        }
        tx.commit().await?;
    }
    Ok(count)
}

/// Apps of one round whose traits are found out.
pub const TRAITLESS_AT_ONCE: i64 = 100;

/// Writes what a workflow's mini app takes and makes, in the transaction that saves the app.
pub async fn set_app_traits(connection: &mut PgConnection, id: WorkflowId, traits: &AppTraits) -> Result<()> {
    Ok(store::traits::set(connection, id, traits).await?)
}

/// Locks workflows in the order of their ids.
pub async fn lock_all(connection: &mut PgConnection, ids: &[WorkflowId]) -> Result<()> {
    Ok(store::traits::lock_all(connection, ids).await?)
}

/// Writes whether a worker can run the mini apps of locked workflows, in the transaction that found it out.
pub async fn set_apps_work(connection: &mut PgConnection, works: &[(WorkflowId, Option<bool>)]) -> Result<()> {
    Ok(store::traits::set_works(connection, works).await?)
}

/// Some workflows whose mini app has unknown traits.
pub async fn apps_without_traits(core: &Core) -> Result<Vec<(WorkflowId, WorkflowApiId)>> {
    Ok(store::traits::missing(&core.db, TRAITLESS_AT_ONCE).await?)
}
