//! Which workflows are wanted.

use crate::filter::{Nsfw, Reach, Span};
use crate::ids::{UserId, WorkflowId, WorkflowTagId};
use crate::{Caller, Result};

/// What is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Any of these.
    pub ids: Option<Vec<WorkflowId>>,
    pub user: Option<UserId>,
    pub is_private: Option<bool>,
    pub is_nsfw: Option<bool>,
    /// The same as a visibility, for where `is_nsfw` says nothing.
    pub nsfw: Option<Nsfw>,
    /// Any of these tags, or one below them.
    pub tags: Option<Vec<WorkflowTagId>>,
    /// Whether there is a mini app on it.
    pub has_api: Option<bool>,
    pub created: Span,
    pub published: Span,
}

impl Filter {
    /// Whether it asks for nothing but flags, which every order's index serves.
    pub(in crate::workflows) fn has_only_flags(&self) -> bool {
        let flags = Self { is_private: self.is_private, is_nsfw: self.is_nsfw, nsfw: self.nsfw, ..Self::default() };
        *self == flags
    }

    /// The mark that is asked for. Where nothing is said of it, what is not safe for work is left out of lists for
    /// everybody, and is there among named ones, somebody's, and private ones.
    pub(in crate::workflows) fn mark(&self) -> Option<bool> {
        let is_about_some = self.ids.is_some() || self.user.is_some() || self.is_private == Some(true);
        let unsaid = if is_about_some { Nsfw::View } else { Nsfw::Hide };
        self.is_nsfw.or(self.nsfw.unwrap_or(unsaid).mark())
    }

    /// Whether nothing can be among none of the named things.
    pub(in crate::workflows) fn names_nothing(&self) -> bool {
        self.ids.as_ref().is_some_and(Vec::is_empty) || self.tags.as_ref().is_some_and(Vec::is_empty)
    }

    pub(in crate::workflows) fn reach(&self, caller: &Caller) -> Result<Reach> {
        Reach::of(caller, self.ids.as_ref().map(Vec::len), self.user, self.is_private)
    }
}
