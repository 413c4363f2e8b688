//! Coupons: codes that give credits or days of a plan, or lower the price of a purchase.
//!
//! An admin makes a coupon with one code that users share, or with many codes that are used once each. Its limits hold
//! although many users redeem at the same time; see `redemption`, and `discount` for lower prices.

mod code;
mod coupon;
mod discount;
mod redemption;
mod state;
mod store;

use std::collections::HashSet;

use serde_json::{Value, json};

pub use coupon::{
    Coupon, CouponBenefit, CouponChange, CouponCode, CouponFilter, CouponRedemption, CouponUse, NewCodes, NewCoupon,
};
pub use discount::OrderDiscount;
pub(in crate::billing) use discount::{DiscountCode, free_use, keep_use};
pub use redemption::redeem;

use crate::audit::{self, Act, Action};
use crate::billing::text::visible_name;
use crate::ids::CouponId;
use crate::ledger::MAX_GRANT;
use crate::list::{Cursor, ListQuery, Page};
use crate::{Caller, Code, Core, Error, Result, database, names};

/// Characters of a search text.
const MAX_SEARCH_CHARS: usize = 80;
/// Codes of one coupon.
const MAX_CODES: i32 = 10_000;
/// Uses of one coupon by one account.
const MAX_USES_PER_ACCOUNT: i32 = 100;
/// The largest limit of all uses of a coupon.
const MAX_USES: i32 = 1_000_000_000;
/// The most days of a plan, and of credits before they expire.
const MAX_DAYS: i32 = 3650;
/// The most percent off a price, so that a charge remains.
const MAX_PERCENT_OFF: i32 = 90;

/// Creates a coupon with its codes.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a field;
/// [`Error::Conflict`] with `COUPON_CODE_TAKEN`.
pub async fn create(core: &Core, caller: &Caller, new: NewCoupon) -> Result<Coupon> {
    let by = caller.must_be_admin()?;
    let coupon = checked(core, new)?;
    let after = json!({
        "name": coupon.name, "benefit": described(&coupon.benefit), "code": coupon.code, "codeCount": coupon.code_count,
        "usesPerAccount": coupon.uses_per_account, "maxUses": coupon.max_uses, "startsAt": coupon.starts_at,
        "endsAt": coupon.ends_at,
    });
    let mut tx = database::begin(&core.db).await?;
    store::coupons::insert(&mut tx, &coupon).await?;
    match coupon.code.as_deref().and_then(|shown| Some((code::key(shown)?, shown.to_owned()))) {
        Some((key, shown)) => {
            if store::coupons::insert_codes(&mut tx, coupon.id, &[key], &[shown]).await? == 0 {
                return Err(Error::conflict(Code::CouponCodeTaken, "another coupon has this code"));
            }
        }
        None => {
            let mut missing = usize::try_from(coupon.code_count).unwrap_or_default();
            // A second round is needed only if another coupon has one of the codes.
            while missing > 0 {
                let codes: HashSet<String> = (0..missing).map(|_| code::random()).collect();
                let (keys, shown): (Vec<String>, Vec<String>) =
                    codes.into_iter().filter_map(|shown| Some((code::key(&shown)?, shown))).unzip();
                let inserted = store::coupons::insert_codes(&mut tx, coupon.id, &keys, &shown).await?;
                missing = missing.saturating_sub(usize::try_from(inserted).unwrap_or(missing));
            }
        }
    }
    audit::record(&mut tx, by, Act::new(Action::CouponCreate, coupon.id).after(after), coupon.created_at).await?;
    tx.commit().await?;
    Ok(coupon)
}

/// Coupons, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a search text that
/// is too long, or a cursor that this list did not return.
pub async fn list(core: &Core, caller: &Caller, query: ListQuery<'_, CouponFilter<'_>>) -> Result<Page<Coupon>> {
    caller.must_be_admin()?.read_only();
    let keyset = query.keyset()?;
    let CouponFilter { search, is_active } = query.filter;
    let search = search.map(|text| names::search_text("search", text, MAX_SEARCH_CHARS)).transpose()?;
    let search = search.filter(|text| !text.is_empty());
    let key = search.as_deref().and_then(code::key);
    let searched = (search.as_deref(), key.as_deref());
    let coupons = store::coupons::list(&core.db, searched, is_active, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(coupons, |last| Cursor::of(last.id)))
}

/// Changes a coupon. A coupon that is not active can no longer be redeemed; what was redeemed stays.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`]; [`Error::Invalid`]
/// for a field: there are never fewer uses than were made, and never more than codes that are used once.
pub async fn change(core: &Core, caller: &Caller, id: CouponId, change: CouponChange) -> Result<Coupon> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let before = store::coupons::lock(&mut tx, &[id.0]).await?.pop().ok_or(UNKNOWN)?;
    let mut after = before.clone();
    if let Some(name) = change.name {
        after.name = visible_name(&name)?;
    }
    if let Some(is_active) = change.is_active {
        after.is_active = is_active;
    }
    if let Some(max_uses) = change.max_uses {
        after.max_uses = max_uses;
        check_max_uses(&before, max_uses)?;
    }
    if let Some(ends_at) = change.ends_at {
        after.ends_at = ends_at;
        check_dates(&after)?;
    }
    if after == before {
        by.read_only();
        return Ok(before);
    }
    store::coupons::update(&mut tx, &after).await?;
    let state = |coupon: &Coupon| {
        json!({
            "name": coupon.name, "isActive": coupon.is_active, "maxUses": coupon.max_uses, "endsAt": coupon.ends_at,
        })
    };
    let [was, is] = audit::changed(state(&before), state(&after));
    let act = Act::new(Action::CouponChange, id).before(was).after(is);
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(after)
}

/// Codes of a coupon in the order of their keys: at most `limit` after the key `after`, from the first one after an
/// empty key.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`] for the first codes of
/// no coupon.
pub async fn codes(core: &Core, caller: &Caller, id: CouponId, after: &str, limit: i64) -> Result<Vec<CouponCode>> {
    caller.must_be_admin()?.read_only();
    let codes = store::coupons::codes(&core.db, id, after, limit).await?;
    // Every coupon has a code.
    if after.is_empty() && codes.is_empty() { Err(UNKNOWN) } else { Ok(codes) }
}

/// Uses of a coupon, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`]; [`Error::Invalid`]
/// for a cursor that this list did not return.
pub async fn uses(core: &Core, caller: &Caller, id: CouponId, query: ListQuery<'_>) -> Result<Page<CouponRedemption>> {
    caller.must_be_admin()?.read_only();
    let keyset = query.keyset()?;
    must_exist(core, id).await?;
    let rows = store::uses::of_coupon(&core.db, id, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(rows, |last| Cursor::of(last.id)))
}

/// What the caller has redeemed, newest first.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a cursor that this list did not return.
pub async fn own_uses(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<CouponUse>> {
    let user = caller.signed_in()?;
    let keyset = query.keyset()?;
    let uses = store::uses::of_user(&core.db, user, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(uses, |last| Cursor::of(last.id)))
}

const UNKNOWN: Error = Error::NotFound { what: "coupon" };

async fn must_exist(core: &Core, id: CouponId) -> Result<()> {
    store::coupons::find(&core.db, id).await?.map(drop).ok_or(UNKNOWN)
}

fn checked(core: &Core, new: NewCoupon) -> Result<Coupon> {
    let NewCoupon { name, benefit, codes, uses_per_account, max_uses, starts_at, ends_at } = new;
    check_benefit(core, &benefit)?;
    if !(1..=MAX_USES_PER_ACCOUNT).contains(&uses_per_account) {
        return Err(Error::invalid("usesPerAccount", format!("must be between 1 and {MAX_USES_PER_ACCOUNT}")));
    }
    let (code, code_count) = match codes {
        NewCodes::Shared(text) => {
            let wrong = || Error::invalid("code", "must have 4 to 40 of A-Z, 0-9 and hyphens, and 4 without hyphens");
            (Some(code::shared(&text).ok_or_else(wrong)?), 1)
        }
        NewCodes::Single(count @ 1..=MAX_CODES) => (None, count),
        NewCodes::Single(_) => return Err(Error::invalid("codeCount", format!("must be between 1 and {MAX_CODES}"))),
    };
    let mut coupon = Coupon {
        id: CouponId::new(),
        name: visible_name(&name)?,
        benefit,
        code,
        code_count,
        uses_per_account,
        max_uses: None,
        use_count: 0,
        starts_at,
        ends_at,
        is_active: true,
        created_at: core.clock.now(),
    };
    check_dates(&coupon)?;
    if ends_at.is_some_and(|ends_at| ends_at <= coupon.created_at) {
        return Err(Error::invalid("endsAt", "must be in the future"));
    }
    coupon.max_uses = match (&coupon.code, max_uses) {
        (None, None) => Some(code_count),
        (_, max_uses) => {
            check_max_uses(&coupon, max_uses)?;
            max_uses
        }
    };
    Ok(coupon)
}

fn check_benefit(core: &Core, benefit: &CouponBenefit) -> Result<()> {
    let (days, amount) = match benefit {
        CouponBenefit::Credits { amount, days } => (*days, *amount),
        CouponBenefit::Plan { plan, days } => {
            if core.settings.plan(plan).is_none() {
                let plans: Vec<&str> = core.settings.plans.iter().map(|plan| plan.name.as_str()).collect();
                return Err(Error::invalid("benefit.plan", format!("must be one of {}", plans.join(", "))));
            }
            (Some(*days), 1)
        }
        CouponBenefit::PercentOff { percent } => {
            if !(1..=MAX_PERCENT_OFF).contains(percent) {
                return Err(Error::invalid("benefit.percent", format!("must be between 1 and {MAX_PERCENT_OFF}")));
            }
            (None, 1)
        }
    };
    if !(1..=MAX_GRANT).contains(&amount) {
        return Err(Error::invalid("benefit.amount", format!("must be between 1 and {MAX_GRANT}")));
    }
    match days {
        None | Some(1..=MAX_DAYS) => Ok(()),
        Some(_) => Err(Error::invalid("benefit.days", format!("must be between 1 and {MAX_DAYS}"))),
    }
}

fn check_max_uses(coupon: &Coupon, max_uses: Option<i32>) -> Result<()> {
    if coupon.code.is_none() && max_uses != Some(coupon.code_count) {
        return Err(Error::invalid("maxUses", "is the number of codes if each is used once"));
    }
    if max_uses.is_some_and(|max| !(coupon.use_count.max(1)..=MAX_USES).contains(&max)) {
        let message = format!("must be between {} and {MAX_USES}", coupon.use_count.max(1));
        return Err(Error::invalid("maxUses", message));
    }
    Ok(())
}

fn check_dates(coupon: &Coupon) -> Result<()> {
    let (Some(starts_at), Some(ends_at)) = (coupon.starts_at, coupon.ends_at) else { return Ok(()) };
    if ends_at > starts_at { Ok(()) } else { Err(Error::invalid("endsAt", "must be after startsAt")) }
}

/// A benefit for the log, as in the API.
fn described(benefit: &CouponBenefit) -> Value {
    match benefit {
        CouponBenefit::Credits { amount, days } => json!({ "kind": "Credits", "amount": amount, "days": days }),
        CouponBenefit::Plan { plan, days } => json!({ "kind": "Plan", "plan": plan, "days": days }),
        CouponBenefit::PercentOff { percent } => json!({ "kind": "PercentOff", "percent": percent }),
    }
}

#[cfg(test)]
mod tests;
