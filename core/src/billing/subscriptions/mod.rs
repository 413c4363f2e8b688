//! Subscriptions: plans that users pay by the month with a saved card. The platform keeps the calendar and charges the
//! card; the credits of a month come with its payment and expire with it.

mod buying;
mod lists;
mod news;
mod renewals;
pub(in crate::billing) mod settle;
mod state;
mod store;
mod subscription;
#[cfg(test)]
mod tests;

pub use buying::{cancel, change_plan, quote_change, resume, retry, subscribe};
pub(in crate::billing) use lists::newest_of_user;
pub use lists::{calendar, current, end, list, own_ever};
pub use renewals::{RENEWED_AT_ONCE, renew_due};
pub use subscription::{
    ChangeTime, ChargeDay, ChargeSum, EndReason, PlanChange, Subscription, SubscriptionDetails, SubscriptionFilter,
    SubscriptionStatus,
};
