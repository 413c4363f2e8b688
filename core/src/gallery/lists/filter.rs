//! Filter and sort orders of outputs.

use crate::assets::AssetKind;
use crate::filter::{Nsfw, ReadScope, TimeRange};
use crate::ids::{JobId, OutputAssetId, UserId};
use crate::list::sort_order;
use crate::{Caller, Result};

sort_order! {
    /// The order of a list of outputs. The words are those of the web pages and the fields of the generic query.
    pub enum OutputOrder {
        #[default]
        Newest => "newest" | "-_id" | "-createdAt",
        Oldest => "oldest" | "_id" | "createdAt",
        /// Most liked first.
        Like 'l' => "like" | "-likeCount",
        /// Most viewed first.
        View 'v' => "view" | "-viewCount",
    }
    ascending Oldest
}

/// Which outputs match. `None` is no condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputFilter {
    pub ids: Option<Vec<OutputAssetId>>,
    pub user: Option<UserId>,
    pub job: Option<JobId>,
    pub is_private: Option<bool>,
    pub is_nsfw: Option<bool>,
    /// Applies where `is_nsfw` is `None`.
    pub nsfw: Option<Nsfw>,
    pub kind: Option<AssetKind>,
    pub created: TimeRange,
}

impl OutputFilter {
    pub(in crate::gallery) fn scope(&self, caller: &Caller) -> Result<ReadScope> {
        ReadScope::of(caller, self.ids.as_ref().map(Vec::len), self.user, self.is_private)
    }

    /// The value of `is_nsfw` that outputs must have.
    pub(in crate::gallery) fn nsfw_flag(&self) -> Option<bool> {
        self.is_nsfw.or(self.nsfw.and_then(Nsfw::flag))
    }

    /// Whether other users see outputs that are not safe for work.
    pub(in crate::gallery) fn shows_nsfw(&self) -> bool {
        self.ids.is_some() || self.nsfw_flag() == Some(true) || self.nsfw == Some(Nsfw::View)
    }

    pub(in crate::gallery) fn matches_nothing(&self) -> bool {
        self.ids.as_ref().is_some_and(Vec::is_empty)
    }
}
