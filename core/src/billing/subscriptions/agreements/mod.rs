//! Subscriptions that a provider charges by its own calendar: PayPal, or the test provider in its place. The buyer approves
//! an agreement there; each payment that the provider takes becomes a paid order with its month, in one commit.
//!
//! Notices are only hints. An agreement is read after each of them, after the buyer's return, each day, and when a month is
//! over: our rows follow what the provider's books say. The states are in `state`. The tables keep the names of PayPal.

mod agreement;
mod follow;
mod opening;
mod plans;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod trying;

pub(super) use follow::follow_of;
pub use follow::stop_of;
pub(in crate::billing) use follow::{follow_due, is_known, note_notice};
pub(super) use opening::{insert, open};
pub(super) use plans::plan_of;
pub(super) use store::{page_of, stop};
pub use trying::answer_test_agreement;
