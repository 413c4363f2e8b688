//! Jobs on their way: from the claim over a worker to the end.

pub(in crate::jobs) mod actor;
pub(in crate::jobs) mod assignment;
pub(in crate::jobs) mod attached;
pub(in crate::jobs) mod claims;
pub(in crate::jobs) mod dispatcher;
pub(in crate::jobs) mod happened;
pub(in crate::jobs) mod messages;
pub(in crate::jobs) mod moves;
pub(in crate::jobs) mod peers;
pub(in crate::jobs) mod rescue;
pub(in crate::jobs) mod result;
pub(in crate::jobs) mod rows;
pub(in crate::jobs) mod state;
