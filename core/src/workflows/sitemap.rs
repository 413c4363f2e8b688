//! What search engines are told: everything that is public and safe for work, in pieces.

use chrono::{DateTime, Utc};

use super::store;
use crate::ids::WorkflowId;
use crate::{Core, Result};

/// The first of every piece of so many.
///
/// # Errors
/// Database errors.
pub async fn sitemap_starts(core: &Core, every: i64) -> Result<Vec<WorkflowId>> {
    // One of one is the first of none.
    Ok(store::sitemap::starts(&core.db, every.max(2)).await?)
}

/// A piece: these from the first on, by age, with when they were last changed.
///
/// # Errors
/// Database errors.
pub async fn sitemap_from(core: &Core, first: WorkflowId, limit: i64) -> Result<Vec<(WorkflowId, DateTime<Utc>)>> {
    Ok(store::sitemap::from(&core.db, first, limit).await?)
}
