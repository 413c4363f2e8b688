//! Which outputs are wanted.

use crate::assets::AssetKind;
use crate::filter::{Nsfw, Reach, Span};
use crate::ids::{JobId, OutputAssetId, UserId};
use crate::{Caller, Result};

/// What is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Any of these.
    pub ids: Option<Vec<OutputAssetId>>,
    pub user: Option<UserId>,
    pub job: Option<JobId>,
    pub is_private: Option<bool>,
    pub is_nsfw: Option<bool>,
    /// The same as a visibility, for where `is_nsfw` says nothing.
    pub nsfw: Option<Nsfw>,
    pub kind: Option<AssetKind>,
    pub created: Span,
}

impl Filter {
    pub(in crate::gallery) fn reach(&self, caller: &Caller) -> Result<Reach> {
        Reach::of(caller, self.ids.as_ref().map(Vec::len), self.user, self.is_private)
    }

    /// The mark that is asked for.
    pub(in crate::gallery) fn mark(&self) -> Option<bool> {
        self.is_nsfw.or(self.nsfw.and_then(Nsfw::mark))
    }

    /// Whether what is not safe for work may be there although it is neither the caller's nor for an admin.
    pub(in crate::gallery) fn asks_for_nsfw(&self) -> bool {
        self.ids.is_some() || self.mark() == Some(true) || self.nsfw == Some(Nsfw::View)
    }

    pub(in crate::gallery) fn names_nothing(&self) -> bool {
        self.ids.as_ref().is_some_and(Vec::is_empty)
    }
}
