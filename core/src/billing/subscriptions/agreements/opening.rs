//! Opening an agreement: its row is committed with the subscription, before the provider is called.

use chrono::TimeDelta;
use sqlx::PgConnection;

use super::agreement::{AgreementState, ProviderAgreement};
use super::follow;
use super::store;
use crate::billing::providers::{self, CallError, NewAgreement, ProviderName};
use crate::billing::subscriptions::subscription::{EndReason, Subscription};
use crate::users::WritePermit;
use crate::{Core, Result};

/// When the provider is asked first, if the buyer does not come back.
const FIRST_QUESTION: TimeDelta = TimeDelta::minutes(1);

/// Inserts the agreement of a new subscription.
pub(in crate::billing::subscriptions) async fn insert(
    connection: &mut PgConnection,
    permit: &WritePermit,
    new: &Subscription,
    provider: ProviderName,
) -> sqlx::Result<()> {
    let agreement = ProviderAgreement {
        subscription: new.id,
        provider,
        state: AgreementState::Opening,
        reference: None,
        created_at: new.created_at,
        ask_at: Some(new.created_at + FIRST_QUESTION),
    };
    store::insert(connection, permit, &agreement).await
}

/// Opens an inserted agreement with this plan of its provider. The buyer approves it at its `pay_at`.
///
/// # Errors
/// [`crate::Error::Unavailable`] if the provider does not answer: then the subscription has ended, and nothing is
/// charged.
pub(in crate::billing::subscriptions) async fn open(
    core: &Core,
    new: &Subscription,
    provider: ProviderName,
    plan: &str,
) -> Result<()> {
    let page = "/account?tab=subscription&paypal";
    let agreement = NewAgreement {
        key: new.id.0,
        plan,
        price: new.price,
        return_path: &format!("{page}=returned"),
        cancel_path: &format!("{page}=canceled"),
    };
    let opened = match providers::agreements_at(core, provider) {
        Ok(provider) => provider.open(core, &agreement).await,
        Err(error) => Err(error),
    };
    let error = match opened {
        Ok(Some(opened)) => {
            store::open(&core.db, new.id, &opened, core.clock.now() + FIRST_QUESTION).await?;
            return Ok(());
        }
        Ok(None) => {
            store::forget_plan(&core.db, plan).await?;
            CallError::Refused(format!("PayPal does not know the plan {plan}"))
        }
        Err(error) => error,
    };
    // The buyer cannot approve it, because its address is lost.
    follow::stop(core, new.id, EndReason::NotApproved).await?;
    Err(error.into())
}
