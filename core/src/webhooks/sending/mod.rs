//! The way of an event from the log to its receiver: who gets it, which node brings it, and how it is signed.

pub(in crate::webhooks) mod disabling;
pub(in crate::webhooks) mod endpoint;
mod endpoints;
mod fan_out;
pub(in crate::webhooks) mod signing;

pub use endpoints::start;

/// How long a node has an address without saying so again.
const LEASE_SECONDS: f64 = 6.0;
/// Attempts that a node makes side by side.
const MOST_AT_ONCE: usize = 256;
