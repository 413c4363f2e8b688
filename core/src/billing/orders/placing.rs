//! Placing an order: its rows are committed before the provider is called. A saved card is charged at once.

use chrono::TimeDelta;
use sqlx::PgConnection;

use super::follow;
use super::lists::UNKNOWN;
use super::order::{Order, Payment, PaymentState};
use super::purchase::CHARGE_QUESTION;
use super::state::NOT_OPENED;
use super::store::{orders, payments};
use crate::billing::coupons::DiscountCode;
use crate::billing::methods::{self, PaymentMethod};
use crate::billing::providers::NewPayment;
use crate::users::WritePermit;
use crate::{Core, Result, database};

/// When a new payment's provider is asked first, if the buyer does not come back.
const FIRST_QUESTION: TimeDelta = TimeDelta::minutes(1);

/// Inserts an order with the use of its code, and opens its payment. Without a method, the order's `pay_at` is where the
/// buyer approves it. With one, the order is paid, has failed, or waits for the provider's answer (`is_settling`).
///
/// # Errors
/// As [`DiscountCode::reserve`]; [`crate::Error::Unavailable`] if the provider does not answer: then the order has
/// failed, and nothing is charged.
pub(super) async fn place(
    core: &Core,
    permit: &WritePermit,
    order: &Order,
    code: Option<&DiscountCode>,
    method: Option<&PaymentMethod>,
) -> Result<Order> {
    let payment = payment_of(order, method);
    let mut tx = database::begin(&core.db).await?;
    insert(&mut tx, Some(permit), order, &payment).await?;
    if let Some(code) = code {
        code.reserve(&mut tx, permit, (order.user, order.id), order.created_at).await?;
    }
    tx.commit().await?;
    open(core, order, &payment, method).await
}

/// The payment of a new order.
pub(in crate::billing) fn payment_of(order: &Order, method: Option<&PaymentMethod>) -> Payment {
    Payment::new(order, method.map(|method| method.id))
}

/// Inserts an order and its payment. A renewal, which is not the act of a caller, needs no permit.
pub(in crate::billing) async fn insert(
    connection: &mut PgConnection,
    permit: Option<&WritePermit>,
    order: &Order,
    payment: &Payment,
) -> sqlx::Result<()> {
    orders::insert(connection, permit, order).await?;
    payments::insert(connection, payment, order.created_at + FIRST_QUESTION).await
}

/// Opens the payment of an inserted order; see [`place`].
///
/// # Errors
/// [`crate::Error::Unavailable`] if the provider does not answer: then the order has failed, and nothing is charged.
pub(in crate::billing) async fn open(
    core: &Core,
    order: &Order,
    payment: &Payment,
    method: Option<&PaymentMethod>,
) -> Result<Order> {
    let card = match method {
        Some(method) => Some(methods::saved_card(core, method.id).await?),
        None => None,
    };
    let page = format!("/account?tab=orders&order={}", order.id);
    let new = NewPayment {
        key: payment.id.0,
        description: &order.name,
        price: order.price,
        return_path: &page,
        cancel_path: &format!("{page}&canceled=1"),
        card: card.as_ref(),
    };
    let opened = match order.provider.open(core, &new).await {
        Ok(opened) => opened,
        Err(error) => {
            // The buyer cannot approve it, because its address is lost.
            follow::end(core, payment, NOT_OPENED, &[PaymentState::Opening]).await?;
            return Err(error.into());
        }
    };
    // The charge of a saved card needs no approval, so it is under way at once and cannot be canceled.
    let (state, pause) = match method {
        Some(_) => (PaymentState::Charging, CHARGE_QUESTION),
        None => (PaymentState::Open, FIRST_QUESTION),
    };
    let is_open = payments::open(&core.db, payment.id, state, &opened, core.clock.now() + pause).await?;
    if method.is_none() {
        return Ok(Order { pay_at: opened.pay_at, ..order.clone() });
    }
    if is_open {
        let payment = Payment { state, reference: Some(opened.reference), ..payment.clone() };
        if let Err(error) = follow::follow(core, &payment).await {
            // The upkeep task goes on.
            tracing::warn!(%error, order.id = %order.id, "the payment of order {} was not followed", order.id);
        }
    }
    orders::find(&core.db, order.id).await?.ok_or(UNKNOWN)
}
