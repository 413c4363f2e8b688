//! Lists of outputs, a page at a time.

pub(in crate::gallery) mod filter;
pub(in crate::gallery) mod filtered;
pub(in crate::gallery) mod store;

use std::collections::HashMap;

use uuid::Uuid;

use super::likes;
use super::output_asset::OutputAsset;
use crate::filter::Nsfw;
use crate::ids::{OutputAssetId, UserId};
use crate::list::{Cursor, Keyset, ListQuery, Page};
use crate::{Caller, Core, Error, Result, gallery};
use filter::OutputOrder;

/// A page of published outputs. Without a filter, outputs that are not safe for work are listed for their owner and for
/// admins.
pub type OutputQuery<'a> = ListQuery<'a, Option<Nsfw>, OutputOrder>;

/// A favourite: the output, or why it is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Favourite {
    Shown(Box<OutputAsset>),
    /// Its owner hid it since.
    Hidden(OutputAssetId),
    Deleted(OutputAssetId),
}

/// The caller's outputs, private or not, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a cursor that this list did not return.
pub async fn mine(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<OutputAsset>> {
    let user = caller.signed_in()?;
    let keyset = query.sorted(OutputOrder::Newest).keyset()?;
    page(core, store::of_user(&core.db, user, keyset).await?, keyset).await
}

/// Published outputs.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that this list did not return.
pub async fn published(core: &Core, caller: &Caller, query: OutputQuery<'_>) -> Result<Page<OutputAsset>> {
    let (nsfw, keyset) = (nsfw(query, caller.admin), query.keyset()?);
    page(core, store::published(&core.db, nsfw, keyset).await?, keyset).await
}

/// Published outputs of one user.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that this list did not return.
pub async fn published_of(
    core: &Core,
    caller: &Caller,
    user: UserId,
    query: OutputQuery<'_>,
) -> Result<Page<OutputAsset>> {
    let (nsfw, keyset) = (nsfw(query, caller.owns_or_admin(user)), query.keyset()?);
    page(core, store::published_of(&core.db, user, nsfw, keyset).await?, keyset).await
}

/// Private outputs of one user, by age in any other order too.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for another user's; [`Error::Invalid`] for a cursor that
/// this list did not return.
pub async fn unpublished_of(
    core: &Core,
    caller: &Caller,
    user: UserId,
    query: OutputQuery<'_>,
) -> Result<Page<OutputAsset>> {
    only_owner(caller, user)?;
    let order = if query.sort == OutputOrder::Oldest { OutputOrder::Oldest } else { OutputOrder::Newest };
    let keyset = query.sorted(order).keyset()?;
    page(core, store::unpublished_of(&core.db, user, keyset).await?, keyset).await
}

/// Favourites of a user, the latest like first. Outputs that were hidden or deleted since keep their places.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for another user's; [`Error::Invalid`] for a cursor that
/// this list did not return.
pub async fn favourites(core: &Core, caller: &Caller, user: UserId, query: ListQuery<'_>) -> Result<Page<Favourite>> {
    only_owner(caller, user)?;
    let keyset = query.keyset()?;
    let likes = likes::store::of_user(&core.db, user, keyset.after.id, keyset.limit).await?;
    let Page { items: likes, next_cursor } = keyset.page(likes, |(_, like)| Cursor::of(*like));
    let ids: Vec<OutputAssetId> = likes.iter().map(|(id, _)| *id).collect();
    let mut found: HashMap<Uuid, OutputAsset> = by_id(core, &ids).await?;
    let shown = |id: OutputAssetId, asset: Option<OutputAsset>| match asset {
        None => Favourite::Deleted(id),
        Some(asset) if asset.is_private && !caller.owns_or_admin(asset.user) => Favourite::Hidden(id),
        Some(asset) => Favourite::Shown(Box::new(asset)),
    };
    let items = ids.into_iter().map(|id| shown(id, found.remove(&id.0))).collect();
    Ok(Page { items, next_cursor })
}

fn only_owner(caller: &Caller, user: UserId) -> Result<()> {
    if caller.owns_or_admin(user) {
        return Ok(());
    }
    caller.signed_in()?;
    Err(Error::Forbidden)
}

fn nsfw(query: OutputQuery<'_>, is_owner: bool) -> Nsfw {
    query.filter.unwrap_or(if is_owner { Nsfw::View } else { Nsfw::Hide })
}

/// The outputs in the order of the ids, without those that were deleted.
pub(super) async fn in_order(core: &Core, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    let mut found = by_id(core, ids).await?;
    Ok(ids.iter().filter_map(|id| found.remove(&id.0)).collect())
}

async fn by_id(core: &Core, ids: &[OutputAssetId]) -> Result<HashMap<Uuid, OutputAsset>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = gallery::store::find(&core.db, ids, &core.files.capabilities()).await?;
    Ok(found.into_iter().map(|asset| (asset.id.0, asset)).collect())
}

pub(super) async fn page(
    core: &Core,
    mut ids: Vec<OutputAssetId>,
    keyset: Keyset<OutputOrder>,
) -> Result<Page<OutputAsset>> {
    let has_more = keyset.cut(&mut ids);
    let items = in_order(core, &ids).await?;
    let next_cursor = items.last().filter(|_| has_more).map(|last| place(last, keyset.sort).text(keyset.sort));
    Ok(Page { items, next_cursor })
}

fn place(asset: &OutputAsset, sort: OutputOrder) -> Cursor {
    let key = match sort {
        OutputOrder::Newest | OutputOrder::Oldest => 0,
        OutputOrder::Like => asset.like_count,
        OutputOrder::View => asset.view_count,
    };
    Cursor { key, id: asset.id.0 }
}

#[cfg(test)]
mod tests;
