//! What the shop sells: packs of credits, with a price in each currency. Admins edit them; an order keeps what it bought.

mod item;
mod store;

use serde_json::json;

pub use item::{NewShopItem, Prices, ShopItem, ShopItemChange};

use crate::audit::{self, Act, Action};
use crate::billing::text::visible_name;
use crate::ids::ShopItemId;
use crate::list::{Cursor, ListQuery, Page};
use crate::{Caller, Core, Error, Result, database};

/// The most items that are offered at once.
const MAX_OFFERED: i64 = 100;
/// The most credits of an item.
const MAX_CREDITS: i64 = 1_000_000_000;
/// Cards are charged from 100 won.
const KRW: std::ops::RangeInclusive<i64> = 100..=1_000_000_000;
/// In cents.
const USD: std::ops::RangeInclusive<i64> = 50..=10_000_000;

/// The items that are offered, fewest credits first.
pub async fn offered(core: &Core) -> Result<Vec<ShopItem>> {
    Ok(store::offered(&core.db, MAX_OFFERED).await?)
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
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a field.
pub async fn create(core: &Core, caller: &Caller, new: NewShopItem) -> Result<ShopItem> {
    let by = caller.must_be_admin()?;
    let NewShopItem { name, credits, prices, is_active } = new;
    let item = ShopItem { id: ShopItemId::new(), name, credits, prices, is_active, created_at: core.clock.now() };
    let item = checked(item)?;
    let mut tx = database::begin(&core.db).await?;
    store::insert(&mut tx, &item).await?;
    let act = Act::new(Action::ShopItemCreate, item.id).after(described(&item));
    audit::record(&mut tx, by, act, item.created_at).await?;
    tx.commit().await?;
    Ok(item)
}

/// Changes an item. Orders keep what they bought.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`]; [`Error::Invalid`]
/// for a field.
pub async fn change(core: &Core, caller: &Caller, id: ShopItemId, change: ShopItemChange) -> Result<ShopItem> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let before = store::lock(&mut tx, id).await?.ok_or(UNKNOWN)?;
    let kept = before.clone();
    let after = checked(ShopItem {
        name: change.name.unwrap_or(kept.name),
        credits: change.credits.unwrap_or(kept.credits),
        prices: change.prices.unwrap_or(kept.prices),
        is_active: change.is_active.unwrap_or(kept.is_active),
        ..before.clone()
    })?;
    if after == before {
        by.read_only();
        return Ok(before);
    }
    store::update(&mut tx, &after).await?;
    let [was, is] = audit::changed(described(&before), described(&after));
    let act = Act::new(Action::ShopItemChange, id).before(was).after(is);
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(after)
}

const UNKNOWN: Error = Error::NotFound { what: "item" };

fn checked(item: ShopItem) -> Result<ShopItem> {
    let name = visible_name(&item.name)?;
    if !(1..=MAX_CREDITS).contains(&item.credits) {
        return Err(Error::invalid("credits", format!("must be between 1 and {MAX_CREDITS}")));
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
        "name": item.name, "credits": item.credits, "priceKrw": item.prices.krw, "priceUsd": item.prices.usd,
        "isActive": item.is_active,
    })
}
