//! A picture that somebody keeps at hand for the next run, and which of them are wanted.

use chrono::{DateTime, Utc};

use crate::assets::{Asset, AssetKind};
use crate::filter::Span;
use crate::ids::{AssetId, InputAssetId, UserId};

/// A picture at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputAsset {
    pub id: InputAssetId,
    pub user: UserId,
    pub asset: Asset,
    pub is_private: bool,
    pub created_at: DateTime<Utc>,
}

/// What is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputFilter {
    /// Any of these.
    pub ids: Option<Vec<InputAssetId>>,
    /// The caller, whatever it says, for anybody but an admin.
    pub user: Option<UserId>,
    /// The picture that is kept.
    pub asset: Option<AssetId>,
    pub is_private: Option<bool>,
    /// What kind of file it is.
    pub kind: Option<AssetKind>,
    pub created: Span,
}
