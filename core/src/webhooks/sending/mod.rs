//! Sending: which configs get an event, which node delivers it, and how it is signed.

pub(in crate::webhooks) mod attempt;
pub(in crate::webhooks) mod disabling;
pub(in crate::webhooks) mod endpoint;
mod endpoints;
pub(in crate::webhooks) mod fan_out;
mod permits;
mod running;
pub(in crate::webhooks) mod signing;
pub(in crate::webhooks) mod store;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use endpoints::start;
use tokio::time::Instant;

use crate::Core;

/// How long a lease lasts without renewal.
const LEASE_SECONDS: f64 = 6.0;
/// The longest that work on webhooks gives way at once. It goes on after that, so that it never stands still.
const LONGEST_WAY: Duration = Duration::from_secs(1);
/// Short of the time for which the ledger counts as crowded after it was: more looks would find the same.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits while submits and the ends of jobs queue up for their commits. At such times webhooks would take turns with
/// them, and an event can be told later.
async fn give_way(core: &Core) {
    let began = Instant::now();
    while core.ledger.is_crowded() && began.elapsed() < LONGEST_WAY {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
