//! Credits and plan, as official clients show them. These clients read amounts of money in cents and convert them to
//! credits at one fixed rate. The amounts here are those that become the credits of the account.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde_json::{Value, json};
use verdigraph_core::billing::{self, Product};
use verdigraph_core::settings::Plan;
use verdigraph_core::{Core, users};

use crate::caller::Caller;
use crate::error::Result;
use crate::routes::credits::allowed_balance;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/billing/status").get(status))
        .service(web::resource("/billing/balance").get(balance))
        .service(web::resource("/billing/plans").get(plans))
        .service(web::resource("/workspaces/current").get(workspace));
}

/// Credits of a dollar in the clients.
const CREDITS_PER_DOLLAR: i64 = 211;

/// The amount that clients show as so many credits, in cents. Rounded down, so that no client shows too many.
fn cents(credits: i64) -> i64 {
    credits.saturating_mul(100) / CREDITS_PER_DOLLAR
}

/// Every account has a plan, so every subscription is active.
async fn status(core: Data<Core>, caller: Caller) -> Result<Json<Value>> {
    let plan = users::plan(&core, caller.signed_in()?).await?;
    let balance = allowed_balance(&core, &caller).await?;
    Ok(Json(json!({
        "is_active": true,
        "subscription_status": "active",
        "subscription_tier": plan.name.to_uppercase(),
        "plan_slug": slug(plan),
        "has_funds": balance.available > 0,
    })))
}

/// Credits that a job can spend, and those that jobs hold.
async fn balance(core: Data<Core>, caller: Caller) -> Result<Json<Value>> {
    caller.signed_in()?;
    let balance = allowed_balance(&core, &caller).await?;
    let amount = cents(balance.available);
    Ok(Json(json!({
        "currency": "usd",
        "amount_micros": amount,
        "effective_balance_micros": amount,
        "pending_charges_micros": cents(balance.held),
        // The exact number.
        "credits": balance.available,
    })))
}

fn slug(plan: &Plan) -> String {
    plan.name.to_lowercase().replace(' ', "-")
}

/// The plans of this installation. A plan without a price in dollars has none.
async fn plans(core: Data<Core>, caller: Caller) -> Result<Json<Value>> {
    let current = slug(users::plan(&core, caller.signed_in()?).await?);
    let offered = billing::offered_items(&core).await?;
    let price_of = |plan: &Plan| {
        let item =
            offered.iter().find(|item| matches!(&item.product, Product::Subscription(name) if *name == plan.name));
        item.and_then(|item| item.prices.usd)
    };
    let is_first = |plan: &Plan| core.settings.plans.first().is_some_and(|first| first.name == plan.name);
    let plans = core.settings.plans.iter().map(|plan| {
        let price = price_of(plan).or(is_first(plan).then_some(0));
        json!({
            "slug": slug(plan),
            "name": plan.name,
            "price_cents": price,
            "credits_cents": cents(plan.monthly_credits),
            "duration": "MONTHLY",
            "availability": { "available": price.is_some(), "reason": null },
        })
    });
    Ok(Json(json!({ "current_plan_slug": current, "plans": plans.collect::<Vec<_>>() })))
}

/// Each account is a workspace of its own.
async fn workspace(core: Data<Core>, caller: Caller) -> Result<Json<Value>> {
    let user = users::current(&core, &caller).await?;
    Ok(Json(json!({ "id": user.id, "name": user.name, "type": "personal", "role": "owner" })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_show_no_more_credits_than_there_are() {
        for credits in [0, 1, 2, 3, 211, 1000, 999_999, i64::MAX / 100] {
            let shown = i128::from(cents(credits)) * i128::from(CREDITS_PER_DOLLAR) / 100;
            let missing = i128::from(credits) - shown;
            assert!((0..=3).contains(&missing), "{credits} are shown as {shown}");
        }
    }
}
