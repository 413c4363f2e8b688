//! Following payments: asking the provider, and doing what its report demands.
//!
//! A call has its row before it is made: an open payment, one that is charged, a refund that is asked for. If the call's
//! answer is lost, the next question finds out. Buyers who come back, notices and the upkeep task may follow one payment
//! at a time; its state in the database and the ledger decide which of them has an effect.

use futures_util::future::join_all;
use tokio::sync::Notify;

use super::order::{Payment, PaymentState};
use super::purchase;
use super::refunds;
use super::state::{NOT_OPENED, PaymentEnd, PaymentStep, is_opening_over, step};
use super::store::{self, orders, payments};
use crate::billing::providers::{CallError, ProviderName};
use crate::billing::subscriptions::settle;
use crate::billing::{coupons, methods};
use crate::{Core, Result, database, users};

/// Payments and refunds of one round.
pub const FOLLOWED_AT_ONCE: i64 = 50;
/// Reports after which a charge is not tried again in one go.
const STEPS: usize = 3;

/// Wakes the upkeep task after a provider's notice.
#[derive(Debug, Default)]
pub struct PaymentNotifier(Notify);

impl PaymentNotifier {
    pub fn wake_up(&self) -> &Notify {
        &self.0
    }
}

/// A provider says that something happened to a payment. Its word is only a hint: the provider is asked.
pub(in crate::billing) async fn note_notice(core: &Core, provider: ProviderName, reference: &str) -> Result<()> {
    payments::ask_at_once(&core.db, provider, reference, core.clock.now()).await?;
    core.payments.0.notify_one();
    Ok(())
}

/// Whether a provider's payment is one of ours, by its id or that of its charge.
pub(in crate::billing) async fn is_known(core: &Core, provider: ProviderName, reference: &str) -> Result<bool> {
    Ok(payments::is_known(&core.db, provider, reference).await?)
}

/// Follows due payments and refunds; returns their number. An error of one does not stop the others.
///
/// # Errors
/// If the due ones cannot be read.
pub async fn follow_due(core: &Core) -> Result<u64> {
    let now = core.clock.now();
    let due = payments::claim(&core.db, now, FOLLOWED_AT_ONCE).await?;
    for (payment, done) in due.iter().zip(join_all(due.iter().map(|payment| follow(core, payment))).await) {
        if let Err(error) = done {
            tracing::warn!(%error, order.id = %payment.order, "the payment of order {} was not followed", payment.order);
        }
    }
    let asked = store::refunds::claim(&core.db, now, FOLLOWED_AT_ONCE).await?;
    for (refund, done) in asked.iter().zip(join_all(asked.iter().map(|refund| refunds::give(core, refund))).await) {
        if let Err(error) = done {
            tracing::warn!(%error, order.id = %refund.order, "a refund of order {} was not followed", refund.order);
        }
    }
    Ok((due.len() + asked.len()) as u64)
}

/// Asks the provider about a payment and does what follows. If the provider does not answer, nothing changes.
pub(super) async fn follow(core: &Core, payment: &Payment) -> Result<()> {
    if payment.state == PaymentState::Taken {
        return refunds::follow(core, payment).await;
    }
    let age = core.clock.now() - payment.created_at;
    let card = match payment.method {
        Some(method) => Some(methods::saved_card(core, method).await?),
        None => None,
    };
    let Some(call) = payment.call(card.as_ref()) else {
        if payment.state == PaymentState::Opening && is_opening_over(age) {
            end(core, payment, NOT_OPENED, &[PaymentState::Opening]).await?;
        }
        return Ok(());
    };
    let mut state = payment.state;
    let Some(mut report) = answered(payment, payment.provider.report(core, &call).await) else { return Ok(()) };
    for _ in 0..STEPS {
        match step(state, &report, age) {
            PaymentStep::Wait => return Ok(payments::ask_no_more(&core.db, payment).await?),
            PaymentStep::Take { charge } => return purchase::take(core, payment, charge).await,
            PaymentStep::End(how) => {
                return end(core, payment, how, &[PaymentState::Open, PaymentState::Charging]).await.map(drop);
            }
            PaymentStep::Charge => {
                if !payments::begin_charge(&core.db, payment.id, core.clock.now() + purchase::CHARGE_QUESTION).await? {
                    return Ok(());
                }
                state = PaymentState::Charging;
                match answered(payment, payment.provider.charge(core, &call).await) {
                    Some(charged) => report = charged,
                    None => return Ok(()),
                }
            }
        }
    }
    Ok(())
}

/// Ends a payment in one of the states `from`, and its order; false if it is in another state.
pub(super) async fn end(core: &Core, payment: &Payment, how: PaymentEnd, from: &[PaymentState]) -> Result<bool> {
    let from: Vec<String> = from.iter().map(|state| state.name().to_owned()).collect();
    let (mut told, mut subscriber) = (None, None);
    let mut tx = database::begin(&core.db).await?;
    let is_ended = payments::end(&mut tx, payment.id, how.state.name(), &from).await?;
    if is_ended {
        orders::end(&mut tx, payment.order, how).await?;
        coupons::free_use(&mut tx, payment.order).await?;
        if let Some(order) = orders::lock(&mut tx, payment.order).await? {
            told = settle::unpaid(core, &mut tx, &order, how.failure).await?;
            subscriber = order.period.map(|_| order.user);
        }
    }
    tx.commit().await?;
    if let Some(subscriber) = subscriber {
        users::invalidate(core, subscriber).await;
    }
    if let Some(told) = told {
        told.announce(core).await;
    }
    Ok(is_ended)
}

fn answered<T>(payment: &Payment, answer: std::result::Result<T, CallError>) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(error) => {
            let provider = payment.provider.name();
            tracing::warn!(?error, provider, order.id = %payment.order, "{provider} gave no answer about a payment");
            None
        }
    }
}
