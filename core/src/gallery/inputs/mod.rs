//! Input assets: uploads that users keep for later runs. Only the owner lists them; `is_private` decides who may see
//! the file itself.

pub(in crate::gallery) mod input_asset;
pub(in crate::gallery) mod store;

use std::collections::BTreeSet;

use serde_json::json;

use super::{IDS_AT_ONCE, OutputOrder};
use crate::assets::{self, AssetKind, Exposure, Spool};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::filter::check_ids;
use crate::ids::{AssetId, InputAssetId};
use crate::list::{AgeOrder, Cursor, Keyset, ListQuery, MAX_COUNT, MAX_PAGE, NumberedPage, Page};
use crate::periods::{PeriodCount, Periods};
use crate::users::{self, PublishPermit};
use crate::{Caller, Core, Error, Result, workflows};
use input_asset::{InputAsset, InputFilter};
use store::InputRow;

/// Keeps one of the caller's uploads as an input asset. A repeated call returns the same input asset with the new
/// privacy. Callers who may see the input asset may see the file. A picture on a published workflow stays public there.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the asset is not the caller's; as
/// [`users::may_take_part`], and to make it public as [`users::may_publish`] and [`assets::must_not_be_locked`].
pub async fn keep_input(core: &Core, caller: &Caller, asset: AssetId, is_private: bool) -> Result<InputAsset> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    if assets::find(core, caller, asset).await?.user != user {
        return Err(Error::NotFound { what: "asset" });
    }
    let to_show = permit_to_show(core, caller, is_private).await?;
    let mut tx = database::begin(&core.db).await?;
    show(&mut tx, caller, &[asset], exposure(&to_show)).await?;
    let row = store::keep(&mut tx, &permit, user, asset, is_private, core.clock.now()).await?;
    tx.commit().await?;
    found(core, vec![row]).await?.pop().ok_or(GONE)
}

/// Applies a mask to one of the caller's pictures and keeps the result as a private input asset. The mask is a PNG of
/// the picture's size with alpha 0 where the user drew.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the picture is not the caller's; as
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

/// A page of the caller's input assets, of one kind or all, the newest first. Pages start at 1.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a page below 1, or a limit outside of 1 to 100.
pub async fn my_inputs(
    core: &Core,
    caller: &Caller,
    kind: Option<AssetKind>,
    (page, limit): (i64, i64),
) -> Result<NumberedPage<InputAsset>> {
    let mine = InputFilter { user: Some(caller.signed_in()?), kind, ..InputFilter::default() };
    if page < 1 {
        return Err(Error::invalid("page", "pages count from 1"));
    }
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    let skip = page.saturating_sub(1).saturating_mul(limit);
    let total = store::count(&core.db, &mine, i64::MAX).await?;
    let keyset = Keyset { sort: AgeOrder::Newest, after: Cursor::start(AgeOrder::Newest), skip, limit };
    let rows = store::list(&core.db, &mine, keyset).await?;
    Ok(NumberedPage { items: found(core, rows).await?, total })
}

/// The caller's input assets, for an admin those of all users. Only orders by age are allowed.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for another user's; [`Error::Invalid`] for another order,
/// too many ids, too large a skip, or a cursor that no list in this order returned.
pub async fn inputs(
    core: &Core,
    caller: &Caller,
    query: ListQuery<'_, &InputFilter, Option<OutputOrder>>,
) -> Result<Page<InputAsset>> {
    let filter = own(caller, query.filter)?;
    query.check_skip()?;
    let Some(filter) = filter else { return Ok(Page::empty()) };
    let keyset = query.sorted(by_age(query.sort.unwrap_or_default())?).keyset()?;
    let rows = store::list(&core.db, &filter, keyset).await?;
    let Page { items, next_cursor } = keyset.page(rows, |last| Cursor::of(last.id));
    Ok(Page { items: found(core, items).await?, next_cursor })
}

/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the input is missing or another user's.
pub async fn find_input(core: &Core, caller: &Caller, id: InputAssetId) -> Result<InputAsset> {
    let filter = InputFilter { ids: Some(vec![id]), ..InputFilter::default() };
    inputs(core, caller, ListQuery::at(&filter, None, 1).sorted(None)).await?.items.pop().ok_or(GONE)
}

/// Counts what [`inputs`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`inputs`].
pub async fn count_inputs(core: &Core, caller: &Caller, filter: &InputFilter) -> Result<i64> {
    match own(caller, filter)? {
        Some(filter) => Ok(store::count(&core.db, &filter, MAX_COUNT).await?),
        None => Ok(0),
    }
}

/// Counts the caller's input assets by the period in which they were kept; for an admin, those of all users.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn input_counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::counts(&core.db, owner, periods).await?))
}

/// Sets who may see the files of the caller's input assets (any user's, for an admin); all of them or none.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where one is deleted or another user's; [`Error::Invalid`]
/// for too many ids; to make them public as [`keep_input`].
pub async fn set_inputs_private(
    core: &Core,
    caller: &Caller,
    ids: &[InputAssetId],
    is_private: bool,
) -> Result<Vec<InputAsset>> {
    let owner = caller.own_or_all()?;
    let ids = once(ids)?;
    let permit = permit_to_show(core, caller, is_private).await?;
    let mut tx = database::begin(&core.db).await?;
    let mut rows = store::set_private(&mut tx, &ids, owner, exposure(&permit)).await?;
    if rows.len() != ids.len() {
        return Err(GONE);
    }
    let pictures: Vec<AssetId> = rows.iter().map(|row| row.asset).collect();
    show(&mut tx, caller, &pictures, exposure(&permit)).await?;
    for row in &rows {
        let act = Act::new(Action::UploadUpdate, row.asset).of(row.user).after(json!({ "isPrivate": is_private }));
        audit::record_if_admin(&mut tx, caller.authority_over(row.user)?, act, core.clock.now()).await?;
    }
    tx.commit().await?;
    rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.id));
    found(core, rows).await
}

/// Deletes the caller's input assets and returns their uploads, because the calling room knows what else shows these.
/// Missing ones and other users' are skipped.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for too many ids.
pub async fn forget_inputs(core: &Core, caller: &Caller, ids: &[InputAssetId]) -> Result<Vec<AssetId>> {
    let owner = caller.signed_in()?;
    Ok(store::delete(&core.db, &once(ids)?, owner).await?)
}

const GONE: Error = Error::NotFound { what: "input asset" };

/// The filter limited to the caller's own inputs; an admin's is not. `None` where it cannot match.
fn own(caller: &Caller, filter: &InputFilter) -> Result<Option<InputFilter>> {
    let can_match = check_ids(filter.ids.as_ref())?;
    let user = match (caller.own_or_all()?, filter.user) {
        (Some(owner), Some(asked)) if owner != asked => return Err(Error::Forbidden),
        (Some(owner), _) => Some(owner),
        (None, asked) => asked,
    };
    Ok(can_match.then(|| InputFilter { user, ..filter.clone() }))
}

/// The ids of one call without duplicates.
fn once(ids: &[InputAssetId]) -> Result<Vec<InputAssetId>> {
    if ids.len() > IDS_AT_ONCE {
        return Err(Error::invalid("ids", format!("at most {IDS_AT_ONCE} at once")));
    }
    Ok(ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect())
}

/// The permit to publish, where the call publishes.
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
        Exposure::Everybody(_) => assets::set_private_tx(tx, caller, pictures, exposure).await,
    }
}

fn by_age(order: OutputOrder) -> Result<AgeOrder> {
    match order {
        OutputOrder::Newest => Ok(AgeOrder::Newest),
        OutputOrder::Oldest => Ok(AgeOrder::Oldest),
        OutputOrder::Like | OutputOrder::View => Err(Error::invalid("options.sort", "must be newest or oldest")),
    }
}

/// The rows with their uploads, without those whose upload was deleted.
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
