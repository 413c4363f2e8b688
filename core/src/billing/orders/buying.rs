//! What a buyer does: order, come back from the provider, cancel.

use chrono::TimeDelta;
use uuid::Uuid;

use super::follow;
use super::lists::{UNKNOWN, find_own, own_row};
use super::order::{Order, OrderStatus, Payment, PaymentState};
use super::state::{CANCELED, NOT_OPENED};
use super::store::{orders, payments};
use crate::billing::items;
use crate::billing::money::BillingCountry;
use crate::billing::providers::{self, NewPayment, TestAnswer, TestPayment};
use crate::ids::{OrderId, PaymentId, ShopItemId};
use crate::{Caller, Code, Core, Error, Result, database, users};

/// Orders that an account may begin per hour.
const ORDERS_PER_HOUR: u32 = 60;
/// When a new payment's provider is asked first, if the buyer does not come back.
const FIRST_QUESTION: TimeDelta = TimeDelta::minutes(1);

/// Orders an item, and opens its payment at the provider of the country. The order's `pay_at` is where the buyer
/// approves it.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Banned`]; [`Error::NotFound`] for an item that is not offered; a conflict
/// `BUYING_NOT_SET_UP` if it cannot be bought in the country's currency; [`Error::RateLimited`];
/// [`Error::Unavailable`] if the provider does not answer: then the order has failed, and nothing is charged.
pub async fn buy(core: &Core, caller: &Caller, item: ShopItemId, country: BillingCountry) -> Result<Order> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let item = items::find_offered(core, item).await?;
    let currency = country.currency();
    let (Some(provider), Some(price)) = (providers::provider_for(core, currency), item.prices.in_currency(currency))
    else {
        let message = format!("this cannot be bought in {} here", currency.name());
        return Err(Error::conflict(Code::BuyingNotSetUp, message));
    };
    users::take_quota(core, "order", &user.to_string(), ORDERS_PER_HOUR).await?;
    let now = core.clock.now();
    let order = Order {
        id: OrderId::new(),
        user,
        item: item.id,
        name: item.name,
        credits: item.credits,
        price,
        provider,
        status: OrderStatus::Ready,
        failure: None,
        refunded_amount: 0,
        refunded_credits: 0,
        created_at: now,
        paid_at: None,
        expires_at: None,
        pay_at: None,
        is_settling: false,
        refundable_until: None,
    };
    let payment = Payment {
        id: PaymentId::new(),
        order: order.id,
        user,
        credits: order.credits,
        provider,
        state: PaymentState::Opening,
        reference: None,
        created_at: now,
    };
    let mut tx = database::begin(&core.db).await?;
    orders::insert(&mut tx, &permit, &order).await?;
    payments::insert(&mut tx, &payment, now + FIRST_QUESTION).await?;
    tx.commit().await?;
    let page = format!("/account?tab=orders&order={}", order.id);
    let new = NewPayment {
        key: payment.id.0,
        description: &order.name,
        price,
        return_path: &page,
        cancel_path: &format!("{page}&canceled=1"),
    };
    match provider.open(core, &new).await {
        Ok(opened) => {
            payments::open(&core.db, payment.id, &opened, now + FIRST_QUESTION).await?;
            Ok(Order { pay_at: Some(opened.pay_at), ..order })
        }
        Err(error) => {
            // Nobody can approve it, because its address is lost.
            follow::end(core, &payment, NOT_OPENED, &[PaymentState::Opening]).await?;
            Err(error.into())
        }
    }
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
    let from = [PaymentState::Opening, PaymentState::Open];
    if order.status == OrderStatus::Canceled {
        return Ok(order);
    }
    if !follow::end(core, &payment, CANCELED, &from).await? {
        let message = "this order is paid, has ended, or is being charged";
        return Err(Error::conflict(Code::OrderNotCancelable, message));
    }
    if let Some(reference) = &payment.reference
        && let Err(error) = payment.provider.drop_payment(core, reference).await
    {
        // Without a charge it ends by itself. If it was charged after all, the next question finds out.
        tracing::warn!(?error, order.id = %id, "the payment of canceled order {id} could not be ended");
        payments::ask_at_once(&core.db, reference, core.clock.now()).await?;
    }
    find_own(core, caller, id).await
}

/// Answers a payment at the test provider, which then gives notice as any provider.
///
/// # Errors
/// [`Error::NotFound`]; a conflict `TEST_PAYMENT_ANSWERED`.
pub async fn answer_test_payment(core: &Core, id: Uuid, answer: TestAnswer) -> Result<TestPayment> {
    let (payment, notices) = providers::answer_test_payment(core, id, answer).await?;
    for _ in 0..notices {
        follow::note_notice(core, &id.to_string()).await?;
    }
    Ok(payment)
}
