//! Filter of mini apps.

use crate::filter::{MAX_IDS, ReadScope, TimeRange, too_many_ids};
use crate::ids::{UserId, WorkflowApiId, WorkflowId};
use crate::{Caller, Result};

/// Which mini apps match. `None` is no condition. The owner and the flags are those of the workflow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MiniAppFilter {
    pub ids: Option<Vec<WorkflowApiId>>,
    pub workflows: Option<Vec<WorkflowId>>,
    pub user: Option<UserId>,
    pub is_private: Option<bool>,
    pub is_nsfw: Option<bool>,
    pub created: TimeRange,
}

impl MiniAppFilter {
    pub(in crate::mini_apps) fn matches_nothing(&self) -> bool {
        self.ids.as_ref().is_some_and(Vec::is_empty) || self.workflows.as_ref().is_some_and(Vec::is_empty)
    }

    pub(in crate::mini_apps) fn scope(&self, caller: &Caller) -> Result<ReadScope> {
        let workflows = self.workflows.as_ref().map(Vec::len);
        if workflows.is_some_and(|count| count > MAX_IDS) {
            return Err(too_many_ids("filter.workflow"));
        }
        ReadScope::of(caller, self.ids.as_ref().map(Vec::len).or(workflows), self.user, self.is_private)
    }
}
