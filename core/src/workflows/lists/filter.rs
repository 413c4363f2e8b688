//! Filter and sort orders of workflows.

use crate::filter::{Nsfw, ReadScope, TimeRange};
use crate::ids::{UserId, WorkflowId, WorkflowTagId};
use crate::list::sort_order;
use crate::{Caller, Result};

sort_order! {
    /// The order of a list of workflows. The words are those of the web pages and the fields of the generic query;
    /// orders without words belong to one list each.
    pub enum WorkflowOrder {
        /// The latest made first; of mini apps, the latest published.
        #[default]
        Newest 'n' => "newest" | "-_id" | "-createdAt",
        Oldest 'o' => "oldest" | "_id" | "createdAt",
        /// Most liked first.
        Like 'l' => "like" | "-likeCount",
        /// Most viewed first.
        View 'v' => "view" | "-viewCount",
        /// The latest published first.
        PublishedAt 'p' => "publishedAt" | "-publishedAt",
        /// Favourites, the latest like first.
        LikedAt 'f',
        /// Basic workflows, in the order that admins set.
        BasicAt 'b',
        /// Search results: matches of the name first.
        Found 's',
    }
    ascending Oldest
}

/// Which workflows match. `None` is no condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkflowFilter {
    pub ids: Option<Vec<WorkflowId>>,
    pub user: Option<UserId>,
    pub is_private: Option<bool>,
    pub is_nsfw: Option<bool>,
    /// Applies where `is_nsfw` is `None`.
    pub nsfw: Option<Nsfw>,
    /// Any of these tags, or a tag below one of them.
    pub tags: Option<Vec<WorkflowTagId>>,
    /// Whether the workflow has a mini app.
    pub has_api: Option<bool>,
    pub created: TimeRange,
    pub published: TimeRange,
}

impl WorkflowFilter {
    /// Whether the filter has no conditions but flags, which the index of every order serves.
    pub(in crate::workflows) fn has_only_flags(&self) -> bool {
        let flags = Self { is_private: self.is_private, is_nsfw: self.is_nsfw, nsfw: self.nsfw, ..Self::default() };
        *self == flags
    }

    /// The value of `is_nsfw` that workflows must have. Without a condition, workflows that are not safe for work are
    /// listed by id, by user, and among private ones.
    pub(in crate::workflows) fn nsfw_flag(&self) -> Option<bool> {
        let is_about_some = self.ids.is_some() || self.user.is_some() || self.is_private == Some(true);
        let default = if is_about_some { Nsfw::View } else { Nsfw::Hide };
        self.is_nsfw.or(self.nsfw.unwrap_or(default).flag())
    }

    pub(in crate::workflows) fn matches_nothing(&self) -> bool {
        self.ids.as_ref().is_some_and(Vec::is_empty) || self.tags.as_ref().is_some_and(Vec::is_empty)
    }

    pub(in crate::workflows) fn scope(&self, caller: &Caller) -> Result<ReadScope> {
        ReadScope::of(caller, self.ids.as_ref().map(Vec::len), self.user, self.is_private)
    }
}

/// One visibility: the first two columns of the index of every order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::workflows) struct Slice {
    pub is_private: bool,
    pub is_nsfw: bool,
}
