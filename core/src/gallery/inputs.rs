//! Input assets: pictures that somebody keeps at hand for the next run.

use chrono::{DateTime, Utc};

use super::store;
use crate::assets::{self, Asset};
use crate::ids::{AssetId, InputAssetId, UserId};
use crate::{Caller, Core, Error, Result};

/// The largest page of a list.
const PAGE_LIMIT: i64 = 100;

/// A picture at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputAsset {
    pub id: InputAssetId,
    pub user: UserId,
    pub asset: Asset,
    pub is_private: bool,
    pub created_at: DateTime<Utc>,
}

/// One page of a list that shows pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputPage {
    pub items: Vec<InputAsset>,
    /// All there are, on all pages.
    pub total: i64,
}

/// Keeps one of the caller's assets at hand. Keeping it again gives the same input asset, with the new privacy.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the asset is none of theirs.
pub async fn keep_input(core: &Core, caller: &Caller, asset: AssetId, is_private: bool) -> Result<InputAsset> {
    let user = caller.signed_in()?;
    let asset = assets::find(core, caller, asset).await?;
    if asset.user != user {
        return Err(Error::NotFound { what: "asset" });
    }
    let row = store::keep_input(&core.db, user, asset.id, is_private, core.clock.now()).await?;
    Ok(InputAsset { id: row.id, user, asset, is_private: row.is_private, created_at: row.created_at })
}

/// A page of what the caller keeps at hand, the newest first. Pages count from 1; a page has at most 100.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a page below 1.
pub async fn my_inputs(core: &Core, caller: &Caller, page: i64, limit: i64) -> Result<InputPage> {
    let user = caller.signed_in()?;
    if page < 1 {
        return Err(Error::invalid("page", "pages count from 1"));
    }
    let limit = limit.clamp(1, PAGE_LIMIT);
    let offset = page.saturating_sub(1).saturating_mul(limit);
    let (rows, total) = store::inputs(&core.db, user, limit, offset).await?;
    let ids: Vec<AssetId> = rows.iter().map(|row| row.asset).collect();
    let mut found = assets::find_all(core, &ids).await?;
    let items = rows
        .into_iter()
        .filter_map(|row| {
            let asset = found.remove(&row.asset)?;
            Some(InputAsset { id: row.id, user, asset, is_private: row.is_private, created_at: row.created_at })
        })
        .collect();
    Ok(InputPage { items, total })
}
