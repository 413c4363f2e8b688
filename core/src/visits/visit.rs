use chrono::NaiveDate;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i16)]
pub enum VisitKind {
    /// A view of a workflow.
    WorkflowView = 0,
    /// A launch of a workflow: opening it to run it, or, if it has a mini app, a finished run of that.
    WorkflowLaunch = 1,
    /// A view of an output.
    OutputView = 2,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Visit {
    pub day: NaiveDate,
    pub kind: VisitKind,
    pub thing: Uuid,
    /// A salted hash.
    pub viewer: [u8; 16],
}

/// The number of new visits of one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewVisits {
    pub thing: Uuid,
    pub count: i64,
}
