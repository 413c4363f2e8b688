//! What published outputs are found by. The room of jobs knows what made them, and finds the labels out.

use super::{OutputAsset, lists, store};
use crate::ids::OutputAssetId;
use crate::{Core, Result, database};

/// Labels of one go.
pub const LABELLED_AT_ONCE: i64 = 200;

/// Published outputs whose label nobody found out yet. Publishing, hiding and another choice of what is told forget it.
///
/// # Errors
/// Database errors.
pub async fn unlabelled(core: &Core) -> Result<Vec<OutputAssetId>> {
    Ok(store::labels::missing(&core.db, LABELLED_AT_ONCE).await?)
}

/// Notes what published outputs are found by; an empty label is found by nothing.
///
/// # Errors
/// Database errors.
pub async fn set_labels(core: &Core, labels: &[(OutputAssetId, String)]) -> Result<()> {
    Ok(store::labels::set(&core.db, labels).await?)
}

/// Published outputs, safe for work, that a text means, with typing errors too.
///
/// # Errors
/// Database errors.
pub async fn similar(core: &Core, text: &str, limit: i64) -> Result<Vec<OutputAsset>> {
    let mut tx = core.db.begin().await?;
    database::be_lenient(&mut tx).await?;
    let ids = store::labels::similar(&mut tx, text, limit.clamp(1, lists::MAX_PAGE)).await?;
    tx.commit().await?;
    lists::in_order(core, &ids).await
}
