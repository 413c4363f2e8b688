//! Labels of published outputs, for the search. The room of jobs finds them out.

use super::{OutputAsset, lists, store};
use crate::ids::OutputAssetId;
use crate::list::{RankedPart, RankedRange};
use crate::{Core, Result, database};

/// Labels of one round.
pub const LABELLED_AT_ONCE: i64 = 200;

/// Published outputs without a label. Publishing, hiding and a change of what is shown of their origin remove the
/// label.
pub async fn unlabelled(core: &Core) -> Result<Vec<OutputAssetId>> {
    Ok(store::labels::missing(&core.db, LABELLED_AT_ONCE).await?)
}

/// Writes labels of published outputs. An empty label is never found.
pub async fn set_labels(core: &Core, labels: &[(OutputAssetId, String)]) -> Result<()> {
    Ok(store::labels::set(&core.db, labels).await?)
}

/// Published outputs, safe for work, that match a text, also with typing errors.
pub async fn similar(core: &Core, text: &str, range: RankedRange) -> Result<RankedPart<OutputAsset>> {
    let mut tx = database::begin(&core.db).await?;
    database::lower_word_similarity(&mut tx).await?;
    let ids = store::labels::similar(&mut tx, text, range.reach()).await?;
    tx.commit().await?;
    let RankedPart { items, has_more } = range.cut(ids);
    Ok(RankedPart { items: lists::in_order(core, &items).await?, has_more })
}
