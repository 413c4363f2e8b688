//! Promotions: banners at the head of the pages, and bonus credits with the first pack that an account pays.
//!
//! A bonus is promised with the order and given in the transaction that makes it paid, once per account: the table
//! `purchase_bonuses` has one row for each. A promotion that is not active is not offered; orders keep what was promised.

mod promotion;
mod store;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

pub use promotion::{
    BannerAudience, CurrentPromotions, NewPromotion, Promotion, PromotionBanner, PromotionChange, PromotionKind,
    PromotionOffer, PurchaseBonus,
};

use crate::audit::{self, Act, Action};
use crate::billing::text::visible_name;
use crate::ids::{OrderId, PromotionId, UserId};
use crate::list::{Cursor, ListQuery, Page};
use crate::settings::Plan;
use crate::{Caller, Core, Error, Result, database, names, users};

/// Characters of a banner's text, of its link's text, and of its link.
const MAX_TEXT_CHARS: usize = 160;
const MAX_LABEL_CHARS: usize = 40;
const MAX_LINK_CHARS: usize = 200;
/// The largest bonus.
const MAX_PERCENT: i32 = 100;

/// The promotions that the caller is offered now. Of several banners it is the newest one, of several bonuses the
/// largest.
pub async fn current(core: &Core, caller: &Caller) -> Result<CurrentPromotions> {
    let now = core.clock.now();
    let found = store::in_effect(&core.db, now).await?;
    let mut current = CurrentPromotions::default();
    if found.is_empty() {
        return Ok(current);
    }
    let (is_without_plan, has_bought) = match caller.user {
        Some(user) => {
            let owner = users::find(core, user).await?;
            let plan = owner.plan_at(&core.settings.plans, now);
            let is_first = Plan::rank(&core.settings.plans, plan).unwrap_or(0) == 0;
            (is_first, store::has_bought(&core.db, user).await?)
        }
        None => (false, false),
    };
    for promotion in found {
        match promotion.offer {
            PromotionOffer::Banner(banner) => {
                let is_seen = banner.audience == BannerAudience::Everyone || is_without_plan;
                let is_newer = current.banner.as_ref().is_none_or(|(id, _)| *id < promotion.id);
                if is_seen && is_newer {
                    current.banner = Some((promotion.id, banner));
                }
            }
            PromotionOffer::FirstPurchase { percent } => current.first_purchase = (!has_bought).then_some(percent),
        }
    }
    Ok(current)
}

/// The bonus that an account is promised with a pack of so many credits; `None` without a promotion, for an account that
/// has bought one, and where it would be less than one credit.
pub(in crate::billing) async fn bonus_for(core: &Core, user: UserId, credits: i64) -> Result<Option<PurchaseBonus>> {
    let found = store::in_effect(&core.db, core.clock.now()).await?;
    let best = found.into_iter().find_map(|promotion| match promotion.offer {
        PromotionOffer::FirstPurchase { percent } => {
            Some(PurchaseBonus { promotion: promotion.id, credits: bonus_of(credits, percent) })
        }
        PromotionOffer::Banner(_) => None,
    });
    let Some(bonus) = best.filter(|bonus| bonus.credits > 0) else { return Ok(None) };
    let has_bought = store::has_bought(&core.db, user).await?;
    Ok((!has_bought).then_some(bonus))
}

/// Notes that an order gives its account the bonus; false if the account had one or has paid another pack of credits.
/// Then it must not be given.
pub(in crate::billing) async fn claim_bonus(
    connection: &mut PgConnection,
    account: (UserId, OrderId),
    bonus: PurchaseBonus,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    store::insert_bonus(connection, account, bonus, now).await
}

/// So many percent of the credits, rounded down.
fn bonus_of(credits: i64, percent: i32) -> i64 {
    i64::try_from(i128::from(credits) * i128::from(percent) / 100).unwrap_or(0)
}

/// Promotions, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a cursor that this
/// list did not return.
pub async fn list(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<Promotion>> {
    caller.must_be_admin()?.read_only();
    let keyset = query.keyset()?;
    let promotions = store::list(&core.db, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(promotions, |last| Cursor::of(last.id)))
}

/// Creates a promotion.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a field.
pub async fn create(core: &Core, caller: &Caller, new: NewPromotion) -> Result<Promotion> {
    let by = caller.must_be_admin()?;
    let NewPromotion { name, offer, is_active, starts_at, ends_at } = new;
    let created_at = core.clock.now();
    let promotion =
        checked(Promotion { id: PromotionId::new(), name, offer, is_active, starts_at, ends_at, created_at })?;
    if ends_at.is_some_and(|ends_at| ends_at <= created_at) {
        return Err(Error::invalid("endsAt", "must be in the future"));
    }
    let mut tx = database::begin(&core.db).await?;
    store::insert(&mut tx, &promotion).await?;
    let act = Act::new(Action::PromotionCreate, promotion.id).after(described(&promotion));
    audit::record(&mut tx, by, act, created_at).await?;
    tx.commit().await?;
    Ok(promotion)
}

/// Changes a promotion. Its kind stays. Orders keep what they were promised.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`]; [`Error::Invalid`]
/// for a field.
pub async fn change(core: &Core, caller: &Caller, id: PromotionId, change: PromotionChange) -> Result<Promotion> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let before = store::lock(&mut tx, id).await?.ok_or(Error::NotFound { what: "promotion" })?;
    let kept = before.clone();
    let after = checked(Promotion {
        name: change.name.unwrap_or(kept.name),
        offer: change.offer.unwrap_or(kept.offer),
        is_active: change.is_active.unwrap_or(kept.is_active),
        starts_at: change.starts_at.unwrap_or(kept.starts_at),
        ends_at: change.ends_at.unwrap_or(kept.ends_at),
        ..before
    })?;
    if after.offer.kind() != before.offer.kind() {
        return Err(Error::invalid("kind", "cannot be changed"));
    }
    if after == before {
        by.read_only();
        return Ok(before);
    }
    store::update(&mut tx, &after).await?;
    let [was, is] = audit::changed(described(&before), described(&after));
    let act = Act::new(Action::PromotionChange, id).before(was).after(is);
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(after)
}

fn checked(promotion: Promotion) -> Result<Promotion> {
    let name = visible_name(&promotion.name)?;
    let offer = match promotion.offer {
        PromotionOffer::Banner(banner) => PromotionOffer::Banner(PromotionBanner {
            audience: banner.audience,
            text_en: line("textEn", &banner.text_en, MAX_TEXT_CHARS)?,
            text_ko: line("textKo", &banner.text_ko, MAX_TEXT_CHARS)?,
            label_en: line("labelEn", &banner.label_en, MAX_LABEL_CHARS)?,
            label_ko: line("labelKo", &banner.label_ko, MAX_LABEL_CHARS)?,
            link: site_path(&banner.link)?,
        }),
        PromotionOffer::FirstPurchase { percent } => {
            if !(1..=MAX_PERCENT).contains(&percent) {
                return Err(Error::invalid("percent", format!("must be between 1 and {MAX_PERCENT}")));
            }
            PromotionOffer::FirstPurchase { percent }
        }
    };
    if let (Some(starts_at), Some(ends_at)) = (promotion.starts_at, promotion.ends_at)
        && ends_at <= starts_at
    {
        return Err(Error::invalid("endsAt", "must be after startsAt"));
    }
    Ok(Promotion { name, offer, ..promotion })
}

/// A text of one line.
fn line(field: &str, text: &str, most: usize) -> Result<String> {
    let text = names::trimmed(text, 1..=most);
    let text = text.filter(|text| !names::is_blank(text) && !text.chars().any(names::is_hidden));
    text.ok_or_else(|| Error::invalid(field, format!("must have 1 to {most} visible characters in one line")))
}

/// A path of the site. Browsers read `//` and `/\` as the beginning of another host, and drop tabs and line breaks.
fn site_path(link: &str) -> Result<String> {
    let link = link.trim();
    let is_short = link.chars().count() <= MAX_LINK_CHARS;
    let is_plain = link.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    if is_short && is_plain && link.starts_with('/') && !link.starts_with("//") {
        return Ok(link.to_owned());
    }
    let message = format!("must be a path of this site: one / first, and at most {MAX_LINK_CHARS} characters");
    Err(Error::invalid("link", message))
}

/// A promotion for the log.
fn described(promotion: &Promotion) -> serde_json::Value {
    let Promotion { name, is_active, starts_at, ends_at, .. } = promotion;
    match &promotion.offer {
        PromotionOffer::Banner(PromotionBanner { audience, text_en, text_ko, label_en, label_ko, link }) => json!({
            "name": name, "kind": PromotionKind::Banner.name(), "isActive": is_active, "startsAt": starts_at,
            "endsAt": ends_at, "audience": audience.name(), "textEn": text_en, "textKo": text_ko, "labelEn": label_en,
            "labelKo": label_ko, "link": link,
        }),
        PromotionOffer::FirstPurchase { percent } => json!({
            "name": name, "kind": PromotionKind::FirstPurchase.name(), "isActive": is_active, "startsAt": starts_at,
            "endsAt": ends_at, "percent": percent,
        }),
    }
}

#[cfg(test)]
mod tests;
