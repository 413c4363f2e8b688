//! What a visit is: who looked at what, on which day, and what visits add up to.

use chrono::NaiveDate;
use uuid::Uuid;

/// What somebody did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i16)]
pub enum Kind {
    /// Looked at a workflow.
    WorkflowView = 0,
    /// Opened a workflow to run it where it has no mini app; where it has one, a run of it that is done.
    WorkflowLaunch = 1,
    /// Looked at an output.
    OutputView = 2,
}

/// One visit, as it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Noted {
    pub day: NaiveDate,
    pub kind: Kind,
    pub thing: Uuid,
    /// A salted hash.
    pub viewer: [u8; 16],
}

/// How many visits of one thing are new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    pub thing: Uuid,
    pub count: i64,
}
