//! What the shop sells: packs of credits and months of plans, with a price in each currency. Admins edit them; an order
//! keeps what it bought.

mod item;
mod store;

use std::ops::RangeInclusive;

use serde_json::json;

pub use item::{NewShopItem, Prices, Product, ProductKind, ShopItem, ShopItemChange};

use crate::audit::{self, Act, Action};
use crate::billing::money::Currency;
use crate::billing::text::visible_name;
use crate::ids::ShopItemId;
use crate::list::{Cursor, ListQuery, Page};
use crate::settings::Plan;
use crate::{Caller, Code, Core, Error, Result, database};

/// The most items that are offered at once.
const MAX_OFFERED: i64 = 100;
/// The most credits of an item.
const MAX_CREDITS: i64 = 1_000_000_000;
/// In won.
const KRW: RangeInclusive<i64> = Currency::Krw.least_charge()..=1_000_000_000;
/// In cents.
const USD: RangeInclusive<i64> = Currency::Usd.least_charge()..=10_000_000;

/// The items that are offered: plans in the order of the settings, then packs, fewest credits first. Plans that are not
/// configured are left out.
pub async fn offered(core: &Core) -> Result<Vec<ShopItem>> {
    let mut items = store::offered(&core.db, MAX_OFFERED).await?;
    items.retain(|item| item.product.plan().is_none_or(|plan| core.settings.plan(plan).is_some()));
    items.sort_by_key(|item| match &item.product {
        Product::Subscription(name) => (0, Plan::rank(&core.settings.plans, name).unwrap_or(0) as i64),
        Product::Credit(credits) => (1, *credits),
    });
    Ok(items)
}

/// An item that is offered.
///
/// # Errors
/// [`Error::NotFound`] also for an item that is not active.
pub(in crate::billing) async fn find_offered(core: &Core, id: ShopItemId) -> Result<ShopItem> {
    store::find_offered(&core.db, id).await?.ok_or(UNKNOWN)
}

/// Items, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a cursor that this
/// list did not return.
pub async fn list(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<ShopItem>> {
    caller.must_be_admin()?.read_only();
    let keyset = query.keyset()?;
    let items = store::list(&core.db, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(items, |last| Cursor::of(last.id)))
}

/// Creates an item.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a field; a conflict
/// `PLAN_IS_OFFERED` if another active item has this plan.
pub async fn create(core: &Core, caller: &Caller, new: NewShopItem) -> Result<ShopItem> {
    let by = caller.must_be_admin()?;
    let NewShopItem { name, product, prices, is_active } = new;
    let item = ShopItem { id: ShopItemId::new(), name, product, prices, is_active, created_at: core.clock.now() };
    let item = checked(core, item)?;
    let mut tx = database::begin(&core.db).await?;
    store::insert(&mut tx, &item).await.map_err(plan_is_offered)?;
    let act = Act::new(Action::ShopItemCreate, item.id).after(described(&item));
    audit::record(&mut tx, by, act, item.created_at).await?;
    tx.commit().await?;
    Ok(item)
}

/// Changes an item. Orders keep what they bought.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`]; [`Error::Invalid`]
/// for a field; a conflict `PLAN_IS_OFFERED`.
pub async fn change(core: &Core, caller: &Caller, id: ShopItemId, change: ShopItemChange) -> Result<ShopItem> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let before = store::lock(&mut tx, id).await?.ok_or(UNKNOWN)?;
    let kept = before.clone();
    let after = ShopItem {
        name: change.name.unwrap_or(kept.name),
        product: change.product.unwrap_or(kept.product),
        prices: change.prices.unwrap_or(kept.prices),
        is_active: change.is_active.unwrap_or(kept.is_active),
        ..before.clone()
    };
    let after = checked(core, after)?;
    if after == before {
        by.read_only();
        return Ok(before);
    }
    store::update(&mut tx, &after).await.map_err(plan_is_offered)?;
    let [was, is] = audit::changed(described(&before), described(&after));
    let act = Act::new(Action::ShopItemChange, id).before(was).after(is);
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(after)
}

/// An item, offered or not.
///
/// # Errors
/// [`Error::NotFound`].
pub(in crate::billing) async fn find(core: &Core, id: ShopItemId) -> Result<ShopItem> {
    store::find(&core.db, id).await?.ok_or(UNKNOWN)
}

pub(in crate::billing) const UNKNOWN: Error = Error::NotFound { what: "item" };

fn plan_is_offered(error: sqlx::Error) -> Error {
    if database::violates(&error, "shop_items_plan_idx") {
        let message = "another active item has this plan; make it inactive first";
        return Error::conflict(Code::PlanIsOffered, message);
    }
    error.into()
}

fn checked(core: &Core, item: ShopItem) -> Result<ShopItem> {
    let name = visible_name(&item.name)?;
    match &item.product {
        Product::Credit(credits) if !(1..=MAX_CREDITS).contains(credits) => {
            return Err(Error::invalid("credits", format!("must be between 1 and {MAX_CREDITS}")));
        }
        Product::Subscription(plan) => {
            // The first plan is everyone's.
            let sold: Vec<&str> = core.settings.plans.iter().skip(1).map(|plan| plan.name.as_str()).collect();
            if !sold.contains(&plan.as_str()) {
                return Err(Error::invalid("plan", format!("must be one of {}", sold.join(", "))));
            }
        }
        Product::Credit(_) => {}
    }
    let prices = [("prices.KRW", item.prices.krw, KRW), ("prices.USD", item.prices.usd, USD)];
    for (field, price, allowed) in &prices {
        if price.is_some_and(|price| !allowed.contains(&price)) {
            let message = format!("must be between {} and {} of the smallest unit", allowed.start(), allowed.end());
            return Err(Error::invalid(*field, message));
        }
    }
    if prices.iter().all(|(_, price, _)| price.is_none()) {
        return Err(Error::invalid("prices", "at least one price is needed"));
    }
    Ok(ShopItem { name, ..item })
}

/// An item for the log.
fn described(item: &ShopItem) -> serde_json::Value {
    json!({
        "name": item.name, "credits": item.product.credits(), "plan": item.product.plan(), "priceKrw": item.prices.krw,
        "priceUsd": item.prices.usd, "isActive": item.is_active,
    })
}

#[cfg(test)]
mod tests;
