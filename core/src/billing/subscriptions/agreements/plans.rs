//! PayPal's plans: made when a price of a month is first bought, and kept. A product stands for each of them.

use super::store;
use crate::billing::providers::{self, ProviderName};
use crate::billing::subscriptions::subscription::Subscription;
use crate::{Core, Result};

/// PayPal's id of the plan of a new subscription. The row is there before PayPal is called, and its id is the idempotency
/// key, so that buyers at one time get one plan. The test provider has no plans: the plan's name stands for it.
///
/// # Errors
/// [`crate::Error::Unavailable`] if PayPal does not answer: the next buyer goes on.
pub(in crate::billing::subscriptions) async fn plan_of(
    core: &Core,
    new: &Subscription,
    provider: ProviderName,
) -> Result<String> {
    if provider == ProviderName::Test {
        return Ok(new.plan.clone());
    }
    let found = store::find_plan(&core.db, &new.plan, new.price, core.clock.now()).await?;
    if let Some(reference) = found.reference {
        return Ok(reference);
    }
    let paypal = providers::paypal(core)?;
    let product = match found.product {
        Some(product) => product,
        None => {
            let product = paypal.create_product(found.id, &new.plan).await?;
            store::set_plan(&core.db, found.id, &product, None).await?;
            product
        }
    };
    let reference = paypal.create_plan(found.id, &product, &new.plan, new.price).await?;
    store::set_plan(&core.db, found.id, &product, Some(&reference)).await?;
    Ok(reference)
}
