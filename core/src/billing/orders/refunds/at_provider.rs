//! Money that a provider gives back without our request: at its own site, or after a dispute.
//!
//! The provider's sum is compared with that of our refunds, and the difference becomes a refund that is done. Its credits
//! are taken back in proportion, as far as they are left; with the rest of the money, all that are left. A repetition
//! finds no difference. A refund that is under way ends first, because the provider's sum may or may not have it.

use super::writers::{NewRefund, RefundByProvider, post};
use crate::billing::orders::lists::left_of;
use crate::billing::orders::order::{OrderRefund, OrderStatus, Payment, RefundStatus};
use crate::billing::orders::receipts;
use crate::billing::orders::state::{CreditsLeft, credits_to_take};
use crate::billing::orders::store::{self, orders, payments};
use crate::billing::providers::{ProviderName, ProviderSale, RefundExtent};
use crate::ids::OrderId;
use crate::ledger::{Denial, PostError};
use crate::{Core, Result, mail, users};

/// How often a refund is written again whose order or credits have changed since they were read.
const RECORDINGS: usize = 3;

/// A provider says that money of a charge was given back; `charge` is its id, or that of its payment. The provider's word is
/// only a hint: it is asked.
pub(in crate::billing) async fn note_refund(
    core: &Core,
    provider: ProviderName,
    charge: &str,
    refund: Option<&str>,
) -> Result<()> {
    payments::ask_of_refund(&core.db, provider, charge, refund, core.clock.now()).await?;
    core.payments.wake_up().notify_one();
    Ok(())
}

/// A provider lists a booked sale. If it has given back more than the order says, it is asked.
pub(in crate::billing) async fn note_refunded_sale(
    core: &Core,
    provider: ProviderName,
    sale: &ProviderSale,
) -> Result<()> {
    if sale.refund != RefundExtent::Nothing
        && payments::ask_of_refunded_sale(&core.db, provider, sale, core.clock.now()).await?
    {
        core.payments.wake_up().notify_one();
    }
    Ok(())
}

/// Asks the provider how much of a taken payment was given back, and records what is new. If it does not answer, nothing
/// changes.
pub(in crate::billing::orders) async fn follow(core: &Core, payment: &Payment) -> Result<()> {
    let Payment { id, order, provider, price, .. } = payment;
    if store::refunds::is_asked(&core.db, *order).await? {
        return Ok(());
    }
    let Some((charge, refunds)) = payments::told_refunds(&core.db, *id).await? else { return Ok(()) };
    let is_recorded = match provider.refunded_amount(core, &charge, &refunds, *price).await {
        Ok(Some(amount)) => record(core, *order, amount).await?,
        Ok(None) => {
            tell_of_unknown_part(core, *order, &charge).await?;
            true
        }
        Err(error) => {
            tracing::warn!(?error, order.id = %order, "{} gave no answer about refunds of order {order}", provider.name());
            false
        }
    };
    if is_recorded {
        payments::ask_no_more(&core.db, payment).await?;
    }
    Ok(())
}

/// Writes the difference to what is refunded of an order; false if the order changes all the time.
async fn record(core: &Core, id: OrderId, refunded: i64) -> Result<bool> {
    for _ in 0..RECORDINGS {
        let Some(order) = orders::find(&core.db, id).await? else { return Ok(true) };
        let (before, now) = (order.refunded_amount, core.clock.now());
        let amount = refunded.min(order.price.amount) - before;
        if order.status != OrderStatus::Paid || amount <= 0 {
            return Ok(true);
        }
        let CreditsLeft { pack, bonus } = credits_to_take(&order, amount, left_of(core, &order).await?);
        let provider = order.provider.name();
        let reason = format!("refunded at {provider}");
        let asked = OrderRefund::asked(id, amount, (pack, bonus), reason, now);
        let refund = OrderRefund { status: RefundStatus::Done, ended_at: Some(now), ..asked };
        let receipt = receipts::of_refund(core, &order, &refund, now).await?;
        let made = Some(RefundByProvider { before, receipt });
        match post(core, &order, NewRefund { refund, act: None, made }).await {
            Ok(_) => {
                tracing::warn!(
                    order.id = %id, amount,
                    "{provider} has given back money of order {id} without our request"
                );
                mail::wake_sending(core);
                users::invalidate(core, order.user).await;
                // The agreement of a month that has ended is stopped.
                core.payments.wake_up().notify_one();
                return Ok(true);
            }
            Err(PostError::Refused(_) | PostError::Denied(Denial::LotTooSmall { .. })) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(false)
}

/// A provider has given back a part without a notice that names it. A part that is refunded here explains it.
async fn tell_of_unknown_part(core: &Core, id: OrderId, charge: &str) -> Result<()> {
    if let Some(order) = orders::find(&core.db, id).await?.filter(|order| order.refunded_amount == 0) {
        tracing::error!(
            order.id = %id,
            charge,
            "{} has given back a part of order {id}, and no notice says how much: resend the notice of charge {charge}",
            order.provider.name()
        );
    }
    Ok(())
}
