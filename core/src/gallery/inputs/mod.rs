//! Input assets: pictures that somebody keeps at hand for the next run. They are their owner's alone to list; whether
//! they are private says who may see the picture itself.

pub(in crate::gallery) mod input_asset;
pub(in crate::gallery) mod store;

use std::collections::BTreeSet;

use serde_json::json;
use uuid::Uuid;

use super::lists::Page;
use super::{IDS_AT_ONCE, Order};
use crate::assets::{self, AssetKind, Exposure, Spool};
use crate::audit::{self, Act, Action};
use crate::filter::{self, MAX_COUNT, MAX_IDS};
use crate::ids::{AssetId, InputAssetId};
use crate::periods::{PeriodCount, Periods};
use crate::users::{self, PublishPermit};
use crate::{Caller, Core, Error, Result, cursor, workflows};
use input_asset::{InputAsset, InputFilter};
use store::{After, InputRow};

/// The largest page of a list.
const PAGE_LIMIT: i64 = 100;

/// One page of a list that shows pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputPage {
    pub items: Vec<InputAsset>,
    /// All there are, on all pages.
    pub total: i64,
}

/// Keeps one of the caller's assets at hand. Keeping it again gives the same input asset, with the new privacy. Whoever
/// may see the input may see the picture; a picture that stands on a published workflow stays where it is shown.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the asset is none of theirs; as
/// [`users::may_take_part`], and to show it to everybody as [`users::may_publish`] and [`assets::must_not_be_locked`].
pub async fn keep_input(core: &Core, caller: &Caller, asset: AssetId, is_private: bool) -> Result<InputAsset> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    if assets::find(core, caller, asset).await?.user != user {
        return Err(Error::NotFound { what: "asset" });
    }
    let to_show = permit_to_show(core, caller, is_private).await?;
    let mut tx = core.db.begin().await?;
    show(&mut tx, caller, &[asset], exposure(&to_show)).await?;
    let row = store::keep(&mut tx, &permit, user, asset, is_private, core.clock.now()).await?;
    tx.commit().await?;
    found(core, vec![row]).await?.pop().ok_or(GONE)
}

/// Lays a mask into one of the caller's pictures and keeps what comes of it at hand, a picture of its own that is private.
/// The mask is a PNG of the picture's size whose alpha is 0 where something was drawn.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the picture is none of theirs; as
/// [`assets::upload_masked`] and [`keep_input`].
pub async fn mask_input(
    core: &Core,
    caller: &Caller,
    original: AssetId,
    name: &str,
    mask: Spool,
) -> Result<InputAsset> {
    let user = caller.signed_in()?;
    let original = assets::find(core, caller, original).await?;
    if original.user != user {
        return Err(Error::NotFound { what: "asset" });
    }
    let masked = assets::upload_masked(core, caller, &original, name, mask).await?;
    keep_input(core, caller, masked.id, true).await
}

/// A page of what the caller keeps at hand, or of what is of one kind, the newest first. Pages count from 1; a page has at most 100.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a page below 1, or a limit outside of 1 to 100.
pub async fn my_inputs(
    core: &Core,
    caller: &Caller,
    kind: Option<AssetKind>,
    (page, limit): (i64, i64),
) -> Result<InputPage> {
    let mine = InputFilter { user: Some(caller.signed_in()?), kind, ..InputFilter::default() };
    if page < 1 {
        return Err(Error::invalid("page", "pages count from 1"));
    }
    if !(1..=PAGE_LIMIT).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {PAGE_LIMIT}")));
    }
    let skip = page.saturating_sub(1).saturating_mul(limit);
    let total = store::count(&core.db, &mine, i64::MAX).await?;
    let rows = store::list(&core.db, &mine, top(Order::Newest)?, (skip, limit)).await?;
    Ok(InputPage { items: found(core, rows).await?, total })
}

/// Those that the caller keeps, everybody's for an admin; by age, whatever other order is asked for.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for somebody else's; [`Error::Invalid`] for too many ids,
/// too much to pass over, or a cursor that no list gave.
pub async fn inputs(
    core: &Core,
    caller: &Caller,
    filter: InputFilter,
    asked: super::Asked<'_>,
) -> Result<Page<InputAsset>> {
    let filter = own(caller, filter)?;
    filter::check_skip(asked.skip, asked.cursor)?;
    if filter.ids.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Page { items: Vec::new(), next: None });
    }
    let order = asked.order.unwrap_or_default();
    let after = match asked.cursor {
        None => top(order)?,
        Some(cursor) => at(order, Uuid::parse_str(cursor).map_err(|_| cursor::refused())?)?,
    };
    let limit = asked.limit.clamp(1, PAGE_LIMIT);
    let mut rows = store::list(&core.db, &filter, after, (asked.skip, limit + 1)).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|last| last.id.to_string());
    Ok(Page { items: found(core, rows).await?, next })
}

/// One of those.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where there is none or it is somebody else's.
pub async fn find_input(core: &Core, caller: &Caller, id: InputAssetId) -> Result<InputAsset> {
    let filter = InputFilter { ids: Some(vec![id]), ..InputFilter::default() };
    inputs(core, caller, filter, super::Asked { limit: 1, ..Default::default() }).await?.items.pop().ok_or(GONE)
}

/// How many there are of what [`inputs`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`inputs`].
pub async fn count_inputs(core: &Core, caller: &Caller, filter: InputFilter) -> Result<i64> {
    let filter = own(caller, filter)?;
    if filter.ids.as_ref().is_some_and(Vec::is_empty) {
        return Ok(0);
    }
    Ok(store::count(&core.db, &filter, MAX_COUNT).await?)
}

/// How many the caller keeps since each period; an admin counts everybody's.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn input_counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::counts(&core.db, owner, periods).await?))
}

/// Says who may see the pictures of inputs that the caller keeps (of anybody's, for an admin); all of them or none.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where one is gone or somebody else's; [`Error::Invalid`] for
/// too many ids; to show them to everybody as [`keep_input`].
pub async fn set_inputs_private(
    core: &Core,
    caller: &Caller,
    ids: &[InputAssetId],
    is_private: bool,
) -> Result<Vec<InputAsset>> {
    let owner = caller.own_or_all()?;
    let ids = once(ids)?;
    let permit = permit_to_show(core, caller, is_private).await?;
    let mut tx = core.db.begin().await?;
    let mut rows = store::set_private(&mut tx, &ids, owner, exposure(&permit)).await?;
    if rows.len() != ids.len() {
        return Err(GONE);
    }
    let pictures: Vec<AssetId> = rows.iter().map(|row| row.asset).collect();
    show(&mut tx, caller, &pictures, exposure(&permit)).await?;
    for row in &rows {
        let act = Act::new(Action::UploadUpdate, row.asset).of(row.user).after(json!({ "isPrivate": is_private }));
        audit::record_over(&mut tx, caller.authority_over(row.user)?, act, core.clock.now()).await?;
    }
    tx.commit().await?;
    rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.id));
    found(core, rows).await
}

/// Takes inputs of the caller's away, and names their pictures, for the room that knows what else shows them. What is gone
/// already, or somebody else's, is passed over.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for too many ids.
pub async fn forget_inputs(core: &Core, caller: &Caller, ids: &[InputAssetId]) -> Result<Vec<AssetId>> {
    let owner = caller.signed_in()?;
    Ok(store::delete(&core.db, &once(ids)?, owner).await?)
}

const GONE: Error = Error::NotFound { what: "input asset" };

/// What somebody keeps at hand is theirs alone to look through, and the admins'.
fn own(caller: &Caller, filter: InputFilter) -> Result<InputFilter> {
    if filter.ids.as_ref().is_some_and(|ids| ids.len() > MAX_IDS) {
        return Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")));
    }
    match (caller.own_or_all()?, filter.user) {
        (Some(owner), Some(asked)) if owner != asked => Err(Error::Forbidden),
        (Some(owner), _) => Ok(InputFilter { user: Some(owner), ..filter }),
        (None, _) => Ok(filter),
    }
}

/// Ids of one call, each once.
fn once(ids: &[InputAssetId]) -> Result<Vec<InputAssetId>> {
    if ids.len() > IDS_AT_ONCE {
        return Err(Error::invalid("ids", format!("at most {IDS_AT_ONCE} at once")));
    }
    Ok(ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect())
}

/// The proof that it may be shown to everybody, where that is wanted.
async fn permit_to_show(core: &Core, caller: &Caller, is_private: bool) -> Result<Option<PublishPermit>> {
    if is_private { Ok(None) } else { Ok(Some(users::may_publish(core, caller).await?)) }
}

fn exposure(permit: &Option<PublishPermit>) -> Exposure<'_> {
    permit.as_ref().map_or(Exposure::Owner, Exposure::Everybody)
}

async fn show(
    tx: &mut sqlx::PgConnection,
    caller: &Caller,
    pictures: &[AssetId],
    exposure: Exposure<'_>,
) -> Result<()> {
    match exposure {
        Exposure::Owner => workflows::hide_pictures(tx, caller, pictures).await,
        Exposure::Everybody(_) => assets::set_private_within(tx, caller, pictures, exposure).await,
    }
}

fn top(order: Order) -> Result<After> {
    at(order, if order == Order::Oldest { Uuid::nil() } else { Uuid::max() })
}

fn at(order: Order, id: Uuid) -> Result<After> {
    match order {
        Order::Newest => Ok(After::Below(InputAssetId(id))),
        Order::Oldest => Ok(After::Above(InputAssetId(id))),
        Order::Like | Order::View => Err(Error::invalid("options.sort", "must be newest or oldest")),
    }
}

/// The rows with their pictures; those whose picture went meanwhile are left out.
async fn found(core: &Core, rows: Vec<InputRow>) -> Result<Vec<InputAsset>> {
    let ids: Vec<AssetId> = rows.iter().map(|row| row.asset).collect();
    let pictures = assets::find_all(core, &ids).await?;
    let input = |row: InputRow| {
        let InputRow { id, user, asset, is_private, created_at } = row;
        Some(InputAsset { id, user, asset: pictures.get(&asset)?.clone(), is_private, created_at })
    };
    Ok(rows.into_iter().filter_map(input).collect())
}

#[cfg(test)]
mod tests;
