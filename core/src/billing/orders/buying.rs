//! What a buyer does: order, come back from the provider, cancel.

use uuid::Uuid;

use super::follow;
use super::lists::{UNKNOWN, find_own, own_row};
use super::order::{Order, OrderStatus, Payment, PaymentState};
use super::placing;
use super::quote::{OfferedPurchase, Purchase};
use super::state::CANCELED;
use super::store::payments;
use crate::billing::methods;
use crate::billing::providers::{self, ProviderName, TestAnswer, TestPayment};
use crate::ids::{OrderId, UserId};
use crate::{Caller, Code, Core, Error, Result, users};

/// Orders that an account may begin per hour.
pub(in crate::billing) const ORDERS_PER_HOUR: u32 = 60;

/// Orders a pack of credits, and opens its payment at the provider of the country. The order's `pay_at` is where the
/// buyer approves it. Where a provider charges saved cards, the buyer's is charged instead. The use of a code is reserved
/// with the order.
///
/// # Errors
/// As [`super::quote()`]; [`Error::Banned`]; conflicts `PRICE_CHANGED` and `NO_PAYMENT_METHOD`; [`Error::RateLimited`];
/// [`Error::Unavailable`] if the provider does not answer: then the order has failed, and nothing is charged.
pub async fn buy(core: &Core, caller: &Caller, purchase: &Purchase) -> Result<Order> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let offered = OfferedPurchase::find(core, user, purchase).await?;
    let charge = offered.charge();
    if let Some(shown) = purchase.shown {
        charge.must_be_shown(shown)?;
    }
    let method = if offered.provider.needs_card() {
        let method = methods::usable(core, user, charge.currency).await?;
        let none = || Error::conflict(Code::NoPaymentMethod, "save a card first");
        Some(method.ok_or_else(none)?)
    } else {
        None
    };
    users::take_quota(core, "order", &user.to_string(), ORDERS_PER_HOUR).await?;
    let order = offered.order(core, user);
    placing::place(core, &permit, &order, offered.code.as_ref(), method.as_ref()).await
}

/// Asks the provider what became of the caller's order, charges it if the buyer has approved it, and returns it.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] also for another user's order. If the provider does not answer, the
/// order is returned as it was: the upkeep task goes on.
pub async fn complete(core: &Core, caller: &Caller, id: OrderId) -> Result<Order> {
    let order = own_row(core, caller, id).await?;
    if order.status == OrderStatus::Ready
        && let Some(payment) = payments::of_order(&core.db, id).await?
    {
        follow::follow(core, &payment).await?;
    }
    find_own(core, caller, id).await
}

/// Cancels an order whose payment is not under way.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; a conflict `ORDER_NOT_CANCELABLE`.
pub async fn cancel(core: &Core, caller: &Caller, id: OrderId) -> Result<Order> {
    let order = own_row(core, caller, id).await?;
    let payment = payments::of_order(&core.db, id).await?.ok_or(UNKNOWN)?;
    if order.status == OrderStatus::Canceled {
        return Ok(order);
    }
    if !cancel_payment(core, &payment).await? {
        let message = "this order is paid, has ended, or is being charged";
        return Err(Error::conflict(Code::OrderNotCancelable, message));
    }
    find_own(core, caller, id).await
}

/// Cancels the orders of packs that a user may still approve, so that a deleted account is not charged. Payments that are
/// under way go on to their end.
pub async fn cancel_open_of(core: &Core, user: UserId) -> Result<()> {
    for payment in payments::open_of(&core.db, user).await? {
        cancel_payment(core, &payment).await?;
    }
    Ok(())
}

/// Ends a payment, also at its provider, and cancels its order; false if it is under way or has ended.
async fn cancel_payment(core: &Core, payment: &Payment) -> Result<bool> {
    let id = payment.order;
    if !follow::end(core, payment, CANCELED, &[PaymentState::Opening, PaymentState::Open]).await? {
        return Ok(false);
    }
    if let Some(call) = payment.call(None)
        && let Err(error) = payment.provider.drop_payment(core, &call).await
    {
        // Without a charge it ends by itself. If it was charged after all, the next question finds out.
        tracing::warn!(?error, order.id = %id, "the payment of canceled order {id} could not be ended");
        payments::ask_at_once(&core.db, payment.provider, call.reference, core.clock.now()).await?;
    }
    Ok(true)
}

/// Answers a payment at the test provider, which then gives notice as any provider.
///
/// # Errors
/// [`Error::NotFound`]; a conflict `TEST_PAYMENT_ANSWERED`.
pub async fn answer_test_payment(core: &Core, id: Uuid, answer: TestAnswer) -> Result<TestPayment> {
    let (payment, notices) = providers::answer_test_payment(core, id, answer).await?;
    for _ in 0..notices {
        follow::note_notice(core, ProviderName::Test, &id.to_string()).await?;
    }
    Ok(payment)
}
