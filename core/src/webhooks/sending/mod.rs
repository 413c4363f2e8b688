//! Sending: which configs get an event, which node delivers it, and how it is signed.

pub(in crate::webhooks) mod disabling;
pub(in crate::webhooks) mod endpoint;
mod endpoints;
mod fan_out;
pub(in crate::webhooks) mod signing;

pub use endpoints::start;

/// How long a lease lasts without renewal.
const LEASE_SECONDS: f64 = 6.0;
/// Concurrent attempts of a node.
const MAX_NODE_ATTEMPTS: usize = 256;
