//! An input asset and the filter of input assets.

use chrono::{DateTime, Utc};

use crate::assets::{Asset, AssetKind};
use crate::filter::TimeRange;
use crate::ids::{AssetId, InputAssetId, UserId};

/// A file that its owner keeps for later runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputAsset {
    pub id: InputAssetId,
    pub user: UserId,
    pub asset: Asset,
    pub is_private: bool,
    pub created_at: DateTime<Utc>,
}

/// Which input assets match. `None` is no condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputFilter {
    pub ids: Option<Vec<InputAssetId>>,
    /// Replaced by the caller, except for admins.
    pub user: Option<UserId>,
    /// The upload that is kept.
    pub asset: Option<AssetId>,
    pub is_private: Option<bool>,
    pub kind: Option<AssetKind>,
    pub created: TimeRange,
}
