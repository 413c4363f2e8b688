//! Subscriptions: plans that users pay by the month. The platform keeps the calendar and charges a saved card, or PayPal
//! charges by its own calendar (`agreements`); the credits of a month come with its payment and expire with it.

mod agreements;
mod buying;
mod calendar;
mod lists;
mod news;
mod renewals;
pub(in crate::billing) mod settle;
mod state;
mod store;
mod subscription;
#[cfg(test)]
mod tests;

pub use agreements::{answer_test_agreement, stop_of as stop_charges_of};
pub(in crate::billing) use agreements::{follow_due as follow_agreements, is_known, note_notice};
pub use buying::{cancel, change_plan, complete, quote_change, resume, retry, subscribe};
pub use calendar::{ChargeDay, ChargeSum, calendar};
pub(in crate::billing) use lists::newest_of_user;
pub use lists::{current, end, list, own_ever};
pub use renewals::{RENEWED_AT_ONCE, renew_due};
pub use subscription::{
    ChangeTime, EndReason, PaidWith, PlanChange, Subscription, SubscriptionDetails, SubscriptionFilter,
    SubscriptionStatus,
};
