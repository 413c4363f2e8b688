//! What counts as a view of an output.

use super::{OutputAsset, store};
use crate::users::Origin;
use crate::visits::{self, Kind};
use crate::{Caller, Core, Result};

/// Notes that somebody looked at a published output.
pub async fn view(core: &Core, caller: &Caller, origin: &Origin, asset: &OutputAsset) {
    if !asset.is_private {
        visits::note(core, caller, origin, asset.user, Kind::OutputView, asset.id.0).await;
    }
}

/// Writes the views that have gathered on this node. The upkeep calls it.
///
/// # Errors
/// Database errors; what was not written is kept for the next time.
pub async fn settle_views(core: &Core) -> Result<u64> {
    visits::settle(core, Kind::OutputView, |tx, added| Box::pin(store::add_views(tx, added))).await
}
