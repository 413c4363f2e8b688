use super::verdict::{AppVerdict, Missing};
use crate::ids::{WorkflowApiId, WorkflowApiVersionId, WorkflowId};

/// An app to check, with the last result.
#[derive(Debug, Clone, PartialEq)]
pub struct DueApp {
    pub id: WorkflowApiId,
    pub version: WorkflowApiVersionId,
    pub(super) workflow: WorkflowId,
    pub(super) works: Option<bool>,
    pub(super) missing: Option<Missing>,
    /// Whether it worked since its author was last notified that it does not.
    pub(super) has_worked: bool,
}

impl DueApp {
    pub(super) fn is_known_as(&self, found: &AppVerdict) -> bool {
        self.works == found.flag() && self.missing.as_ref() == found.missing()
    }

    pub(super) fn stops_working(&self, found: &AppVerdict) -> bool {
        self.has_worked && matches!(found, AppVerdict::No(_))
    }
}
