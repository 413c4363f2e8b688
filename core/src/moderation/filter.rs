//! Filter and sort order of cases.

use super::{CaseState, ReportTargetKind};
use crate::list::sort_order;

/// Which cases match. `None` is no condition.
#[derive(Debug, Clone, Copy, Default)]
pub struct CaseFilter {
    pub state: Option<CaseState>,
    pub kind: Option<ReportTargetKind>,
}

sort_order! {
    /// The order of the moderators' queue.
    pub enum CaseOrder {
        /// The latest report first.
        #[default]
        Newest 'n' => "newest",
        MostReported 'r' => "mostReported",
    }
}
