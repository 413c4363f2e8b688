//! Views of outputs.

use super::{OutputAsset, store};
use crate::users::RequestOrigin;
use crate::visits::{self, VisitKind};
use crate::{Caller, Core, Result};

/// Counts a view of a published output.
pub async fn view(core: &Core, caller: &Caller, origin: &RequestOrigin, asset: &OutputAsset) {
    if !asset.is_private {
        visits::record(core, caller, origin, asset.user, VisitKind::OutputView, asset.id.0).await;
    }
}

/// Writes the views that this node collected. The upkeep calls it; views are kept after an error.
pub async fn settle_views(core: &Core) -> Result<u64> {
    visits::flush(core, VisitKind::OutputView, |tx, added| Box::pin(store::add_views(tx, added))).await
}
