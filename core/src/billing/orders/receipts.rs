//! Receipts by mail, of payments and of refunds. They are records, so no user can switch them off. Each is queued in
//! the transaction that settles its money, and so exactly once.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::order::{Order, OrderRefund};
use super::store::payments;
use crate::billing::methods;
use crate::billing::money::Money;
use crate::ids::PaymentMethodId;
use crate::mail::{Content, Email, Receipt, ReceiptPeriod, ReceiptRefund};
use crate::users::{self, DELETED_NAME, User};
use crate::{Core, Error, Result};

/// The mail for an order that becomes paid; `None` if the buyer has no verified address.
pub(super) async fn of_payment(
    core: &Core,
    order: &Order,
    method: Option<PaymentMethodId>,
    paid_at: DateTime<Utc>,
) -> Result<Option<Email>> {
    let Some(buyer) = mailed_buyer(core, order).await? else { return Ok(None) };
    let receipt = Box::new(receipt_of(core, order, method, paid_at).await?);
    Ok(Some(mail_to(&buyer, Content::PaymentReceipt { name: buyer.name.clone(), receipt })))
}

/// The mail for a refund that the provider has made; `None` if the buyer has no verified address.
pub(super) async fn of_refund(
    core: &Core,
    order: &Order,
    refund: &OrderRefund,
    at: DateTime<Utc>,
) -> Result<Option<Email>> {
    let Some(buyer) = mailed_buyer(core, order).await? else { return Ok(None) };
    let method = payments::of_order(&core.db, order.id).await?.and_then(|payment| payment.method);
    let paid_at = order.paid_at.unwrap_or(order.created_at);
    let receipt = Box::new(receipt_of(core, order, method, paid_at).await?);
    let amount = Money { amount: refund.amount, currency: order.price.currency }.to_string();
    let refund = ReceiptRefund { at, amount, credits: refund.credits + refund.bonus_credits };
    Ok(Some(mail_to(&buyer, Content::RefundReceipt { name: buyer.name.clone(), receipt, refund })))
}

async fn mailed_buyer(core: &Core, order: &Order) -> Result<Option<Arc<User>>> {
    match users::find(core, order.user).await {
        Ok(buyer) if buyer.name == DELETED_NAME || !users::can_be_mailed(core, &buyer) => Ok(None),
        Ok(buyer) => Ok(Some(buyer)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn mail_to(buyer: &User, content: Content) -> Email {
    Email { to: buyer.email.clone(), language: buyer.language, content }
}

async fn receipt_of(
    core: &Core,
    order: &Order,
    method: Option<PaymentMethodId>,
    paid_at: DateTime<Utc>,
) -> Result<Receipt> {
    let card = match method {
        Some(method) => methods::last_four(core, method).await?,
        None => None,
    };
    let period = order.period.as_ref().map(|period| ReceiptPeriod {
        plan: period.plan.clone(),
        from: period.from,
        until: period.until,
        is_change: period.is_change,
    });
    Ok(Receipt {
        order: order.id.0,
        paid_at,
        item: order.name.clone(),
        period,
        credits: order.credits,
        bonus_credits: order.bonus_credits(),
        list_price: order.list_price().to_string(),
        amount: order.price.to_string(),
        card,
        provider: order.provider.name().to_owned(),
    })
}
