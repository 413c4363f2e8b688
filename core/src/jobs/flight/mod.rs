//! Jobs in flight: from the claim to the end.

pub(in crate::jobs) mod actor;
pub(in crate::jobs) mod assignment;
pub(in crate::jobs) mod attached;
pub(in crate::jobs) mod claims;
pub(in crate::jobs) mod dispatcher;
pub(in crate::jobs) mod job_events;
pub(in crate::jobs) mod messages;
pub(in crate::jobs) mod peers;
pub(in crate::jobs) mod rescue;
pub(in crate::jobs) mod result;
pub(in crate::jobs) mod rows;
pub(in crate::jobs) mod state;
pub(in crate::jobs) mod transitions;
