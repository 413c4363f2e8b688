//! Which mini apps are wanted.

use crate::filter::{MAX_IDS, Reach, Span};
use crate::ids::{UserId, WorkflowApiId, WorkflowId};
use crate::{Caller, Error, Result};

/// What is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Any of these.
    pub ids: Option<Vec<WorkflowApiId>>,
    /// On any of these.
    pub workflows: Option<Vec<WorkflowId>>,
    /// Whose workflow it is on.
    pub user: Option<UserId>,
    /// Whether the workflow is private.
    pub is_private: Option<bool>,
    /// Whether the workflow is not safe for work.
    pub is_nsfw: Option<bool>,
    pub created: Span,
}

impl Filter {
    /// Whether nothing can be among none of the named things.
    pub(in crate::mini_apps) fn names_nothing(&self) -> bool {
        self.ids.as_ref().is_some_and(Vec::is_empty) || self.workflows.as_ref().is_some_and(Vec::is_empty)
    }

    pub(in crate::mini_apps) fn reach(&self, caller: &Caller) -> Result<Reach> {
        let workflows = self.workflows.as_ref().map(Vec::len);
        if workflows.is_some_and(|count| count > MAX_IDS) {
            return Err(Error::invalid("filter.workflow", format!("may name {MAX_IDS} ids at most")));
        }
        Reach::of(caller, self.ids.as_ref().map(Vec::len).or(workflows), self.user, self.is_private)
    }
}
