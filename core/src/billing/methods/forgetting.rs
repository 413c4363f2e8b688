//! Billing keys that no method has any more are deleted at their provider.
//!
//! A key is queued in the transaction in which its method loses it. An upkeep task asks the provider. If an answer is
//! lost, the provider is asked again; a key that it does not know is deleted. After a week the key is given up.

use futures_util::future::join_all;

use super::seal;
use super::state::is_forgetting_over;
use super::store::{self, ForgottenKey};
use crate::billing::providers::CallError;
use crate::metrics::{self, Counters};
use crate::{Core, Result};

/// Billing keys of one round.
pub const FORGOTTEN_AT_ONCE: i64 = 20;

static GIVEN_UP: Counters<1> = Counters::new(metrics::BILLING_KEYS_GIVEN_UP, "", || [""]);

/// Asks the providers to delete due billing keys; returns their number. An error of one does not stop the others.
///
/// # Errors
/// If the due ones cannot be read.
pub async fn forget_due(core: &Core) -> Result<u64> {
    GIVEN_UP.begin();
    let due = store::claim_keys(&core.db, core.clock.now(), FORGOTTEN_AT_ONCE).await?;
    for (key, done) in due.iter().zip(join_all(due.iter().map(|key| forget(core, key))).await) {
        if let Err(error) = done {
            let id = key.method;
            tracing::warn!(%error, method.id = %id, "the deleted billing key of payment method {id} was not recorded");
        }
    }
    Ok(due.len() as u64)
}

async fn forget(core: &Core, key: &ForgottenKey) -> sqlx::Result<()> {
    let (id, provider) = (key.method, key.provider.name());
    if let Err(why) = ask(core, key).await {
        if !is_forgetting_over(core.clock.now() - key.created_at) {
            tracing::warn!(why, method.id = %id, "{provider} has not deleted the billing key of payment method {id}");
            return Ok(());
        }
        tracing::error!(why, method.id = %id, "{provider} keeps the billing key of payment method {id}: given up");
        GIVEN_UP.add(0, 1);
    }
    store::delete_key(&core.db, key.id).await
}

/// Why not, if the provider has not deleted the key.
async fn ask(core: &Core, key: &ForgottenKey) -> std::result::Result<(), String> {
    let operator_key = core.settings.payments.key.as_ref();
    let secret = seal::unseal(operator_key, key.method, &key.secret).map_err(|error| error.to_string())?;
    match key.provider.forget_card(core, &secret).await {
        Ok(()) => Ok(()),
        Err(CallError::Refused(why) | CallError::Unknown(why)) => Err(why),
    }
}
