//! SQL of subscriptions.

pub(super) mod subscriptions;
