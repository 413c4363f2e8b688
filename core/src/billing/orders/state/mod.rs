//! The lifecycles of orders, payments and refunds. Pure: no clock, no database, no provider.
//!
//! ```text
//!   order:    Ready ──▶ Paid ──▶ Refunded
//!               ├──▶ Canceled       (the buyer, or nobody approved it in time)
//!               └──▶ Failed         (declined, or the provider did not answer)
//!   payment:  Opening ──▶ Open ──▶ Charging ──▶ Taken
//!               │ │                ▲   └──▶ Refused
//!               │ └────────────────┘       (a saved card needs no approval)
//!               └──▶ Dropped               (also from Open)
//!   refund:   Asked ──▶ Done
//!               └──▶ Refused
//! ```
//!
//! The provider's word decides: a payment that it has taken makes its order paid, also if the order had ended.

use chrono::{DateTime, TimeDelta, Utc};

use super::order::{Order, OrderFailure, OrderStatus, PaymentState};
use crate::billing::providers::{DeclineReason, ProviderReport};
use crate::word_list::word_list;

word_list! {
    /// Why an order cannot be refunded.
    pub enum RefundRefusal for "why" {
        NotPaid,
        /// Some of its credits were used, are held, have expired or were taken back.
        Used,
        TooLate,
        /// More than is left of it.
        TooMuch,
    }
}

/// How long a buyer may take to approve a payment.
const APPROVAL_TIME: TimeDelta = TimeDelta::hours(3);
/// When a payment that no answer opened is given up. Nobody can approve it.
const OPENING_TIME: TimeDelta = TimeDelta::minutes(2);
/// How long buyers themselves may ask for their money.
const OWN_REFUND_TIME: TimeDelta = TimeDelta::days(7);
/// Seconds between the questions to a provider.
pub(super) const PAUSES: [f64; 9] = [10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0, 1280.0, 1800.0];
/// How often the provider is asked about a payment that has ended, after a notice: for about three days.
pub(super) const MAX_LATE_QUESTIONS: i32 = 150;

/// What to do about a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PaymentStep {
    Wait,
    Charge,
    /// The money is taken: give the credits.
    Take {
        charge: String,
    },
    End(PaymentEnd),
}

/// How a payment ends without money, and its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaymentEnd {
    pub state: PaymentState,
    pub status: OrderStatus,
    pub failure: Option<OrderFailure>,
    /// Why the charge was declined, if the provider has said so.
    pub decline: Option<DeclineReason>,
}

/// The provider did not open the payment.
pub(super) const NOT_OPENED: PaymentEnd = PaymentEnd {
    state: PaymentState::Dropped,
    status: OrderStatus::Failed,
    failure: Some(OrderFailure::ProviderUnavailable),
    decline: None,
};
/// The buyer has canceled the order.
pub(super) const CANCELED: PaymentEnd =
    PaymentEnd { state: PaymentState::Dropped, status: OrderStatus::Canceled, failure: None, decline: None };

/// What follows from the provider's report on a payment of this age.
pub(super) fn step(state: PaymentState, report: &ProviderReport, age: TimeDelta) -> PaymentStep {
    let not_approved = PaymentEnd {
        state: PaymentState::Dropped,
        status: OrderStatus::Canceled,
        failure: Some(OrderFailure::NotApproved),
        decline: None,
    };
    let declined = |decline: Option<DeclineReason>| PaymentEnd {
        state: PaymentState::Refused,
        status: OrderStatus::Failed,
        failure: Some(OrderFailure::Declined),
        decline,
    };
    match (state, report) {
        (PaymentState::Taken, _) => PaymentStep::Wait,
        (_, ProviderReport::Taken { charge }) => PaymentStep::Take { charge: charge.clone() },
        (PaymentState::Opening | PaymentState::Refused | PaymentState::Dropped, _) => PaymentStep::Wait,
        (PaymentState::Open | PaymentState::Charging, ProviderReport::Approved) => PaymentStep::Charge,
        (_, ProviderReport::Declined(reason)) => PaymentStep::End(declined(*reason)),
        (_, ProviderReport::Ended) => PaymentStep::End(not_approved),
        (_, ProviderReport::Waiting) if age > APPROVAL_TIME => PaymentStep::End(not_approved),
        (_, ProviderReport::Waiting) => PaymentStep::Wait,
    }
}

/// Whether a payment without an answer to its opening is given up.
pub(super) fn is_opening_over(age: TimeDelta) -> bool {
    age > OPENING_TIME
}

/// Credits of an order that are neither used nor held, have not expired and were not taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CreditsLeft {
    pub pack: i64,
    pub bonus: i64,
}

/// Until when the buyer may ask for the money. The bonus follows the rule of the pack: none of it may be used.
pub(super) fn own_refund_until(
    order: &Order,
    left: CreditsLeft,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, RefundRefusal> {
    let paid_at = order.paid_at.filter(|_| order.status == OrderStatus::Paid).ok_or(RefundRefusal::NotPaid)?;
    if order.refunded_amount > 0 || left.pack < order.credits || left.bonus < order.bonus_credits() {
        return Err(RefundRefusal::Used);
    }
    let until = paid_at + OWN_REFUND_TIME;
    if now < until { Ok(until) } else { Err(RefundRefusal::TooLate) }
}

/// Bonus credits that a refund of this much money takes back, if `left` of them are left: in proportion to the price,
/// rounded down; with the rest of the money, all that are left.
pub(super) fn bonus_to_take(order: &Order, amount: i64, left: i64) -> i64 {
    part_to_take(order, amount, order.bonus_credits(), left)
}

/// Credits that a refund of this much money takes back if its provider has made it without our request: by the same
/// rule, of the pack and of the bonus.
pub(super) fn credits_to_take(order: &Order, amount: i64, left: CreditsLeft) -> CreditsLeft {
    CreditsLeft {
        pack: part_to_take(order, amount, order.credits, left.pack),
        bonus: bonus_to_take(order, amount, left.bonus),
    }
}

/// The part of `credits` that belongs to this much money.
fn part_to_take(order: &Order, amount: i64, credits: i64, left: i64) -> i64 {
    if amount >= order.money_left() {
        return left;
    }
    let share = i128::from(credits) * i128::from(amount) / i128::from(order.price.amount.max(1));
    i64::try_from(share).unwrap_or(left).min(left)
}

/// Whether this much of an order can be refunded, with so many credits of the pack and of the bonus.
pub(super) fn may_refund(order: &Order, amount: i64, (credits, bonus): (i64, i64)) -> Result<(), RefundRefusal> {
    if order.status != OrderStatus::Paid {
        return Err(RefundRefusal::NotPaid);
    }
    let is_too_much = amount > order.money_left()
        || credits > order.credits - order.refunded_credits
        || bonus > order.bonus_credits() - order.refunded_bonus;
    if is_too_much { Err(RefundRefusal::TooMuch) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
