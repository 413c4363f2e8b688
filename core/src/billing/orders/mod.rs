//! Orders: purchases of credits and of months of plans, their payments at a provider, and refunds.
//!
//! A purchase is committed before its provider is called. The buyer approves it at the provider and comes back; then the
//! platform charges, and gives the credits in the transaction that makes the order paid. What an answer, a notice or a
//! returning buyer did not bring, an upkeep task finds out by asking; see `follow`. The states are in `state`.

mod audit;
mod buying;
mod follow;
mod history;
mod lists;
mod order;
pub(in crate::billing) mod placing;
mod purchase;
mod quote;
mod receipts;
mod refunds;
mod state;
mod store;
#[cfg(test)]
pub(in crate::billing) mod tests;

pub use self::audit::audit;
pub(in crate::billing) use self::buying::ORDERS_PER_HOUR;
pub use self::buying::{answer_test_payment, buy, cancel, cancel_open_of, complete};
pub use self::follow::{FOLLOWED_AT_ONCE, PaymentNotifier, follow_due};
pub(in crate::billing) use self::follow::{is_known, note_notice};
pub(in crate::billing) use self::history::newest_of_user;
pub use self::history::{
    GivenOrder, HistoryLine, HistoryOrder, OrderFilter, OrderProvider, PaymentType, find_any_in_history,
    find_in_history, lines, list, own,
};
pub(in crate::billing) use self::lists::newest_of_subscriptions;
#[cfg(test)]
pub(in crate::billing) use self::lists::{find_any, find_own};
pub use self::order::{
    Order, OrderFailure, OrderRefund, OrderStatus, OrderWithRefunds, PlanPeriod, RefundStatus, order_of_source,
};
pub(in crate::billing) use self::purchase::{SaleBooking, SaleUse, book_sale, is_booked};
pub use self::quote::{Purchase, PurchaseQuote, quote};
pub use self::refunds::{credits_left, refund, refund_own};
pub(in crate::billing) use self::refunds::{note_refund, note_refunded_sale};
