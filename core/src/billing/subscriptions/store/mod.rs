//! SQL of subscriptions.

pub(super) mod calendar;
pub(super) mod subscriptions;
