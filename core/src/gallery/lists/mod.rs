//! Lists of outputs, a page at a time.

pub(in crate::gallery) mod cursor;
pub(in crate::gallery) mod filter;
pub(in crate::gallery) mod filtered;
pub(in crate::gallery) mod store;

use std::collections::HashMap;

use uuid::Uuid;

use super::likes;
use super::output_asset::OutputAsset;
use crate::filter::Nsfw;
use crate::ids::{OutputAssetId, UserId};
use crate::{Caller, Core, Error, Result, gallery};
use cursor::{Cursor, Order};

/// Items of one page at most.
pub const MAX_PAGE: i64 = 100;

/// Which page of a list is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    pub order: Order,
    /// [`Page::next`] of the page before; `None` for the first.
    pub cursor: Option<&'a str>,
    /// Items, 1 to [`MAX_PAGE`].
    pub limit: i64,
    /// What of the published ones; where it is left out, what is not safe for work is hidden from all but admins and
    /// whose it is.
    pub nsfw: Option<Nsfw>,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where the list goes on; `None` at its end.
    pub next: Option<String>,
}

/// Somebody's favourite: the output as it is, or what has become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Favourite {
    Seen(Box<OutputAsset>),
    /// Its owner hid it since.
    Hidden(OutputAssetId),
    /// It was deleted since.
    Deleted(OutputAssetId),
}

/// The caller's own, private or not, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a cursor that no list gave.
pub async fn mine(core: &Core, caller: &Caller, wanted: Wanted<'_>) -> Result<Page<OutputAsset>> {
    let user = caller.signed_in()?;
    let wanted = Wanted { order: Order::Newest, ..wanted };
    let ids = store::of_user(&core.db, user, wanted.after()?, wanted.one_more()).await?;
    page(core, ids, wanted).await
}

/// What people published. What is not safe for work is there for whoever asks for it, and for admins.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that this list did not give.
pub async fn published(core: &Core, caller: &Caller, wanted: Wanted<'_>) -> Result<Page<OutputAsset>> {
    let nsfw = wanted.nsfw(caller.admin);
    let ids = store::published(&core.db, wanted.order, wanted.after()?, nsfw, wanted.one_more()).await?;
    page(core, ids, wanted).await
}

/// What one person published. What is not safe for work is there for whoever asks for it, for that person and for
/// admins.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that this list did not give.
pub async fn published_of(core: &Core, caller: &Caller, user: UserId, wanted: Wanted<'_>) -> Result<Page<OutputAsset>> {
    let nsfw = wanted.nsfw(caller.owns_or_admin(user));
    let ids = store::published_of(&core.db, user, wanted.order, wanted.after()?, nsfw, wanted.one_more()).await?;
    page(core, ids, wanted).await
}

/// What one person keeps private, by age.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for what is somebody else's; [`Error::Invalid`] for a
/// cursor that this list did not give.
pub async fn unpublished_of(
    core: &Core,
    caller: &Caller,
    user: UserId,
    wanted: Wanted<'_>,
) -> Result<Page<OutputAsset>> {
    only_owner(caller, user)?;
    let order = if wanted.order == Order::Oldest { Order::Oldest } else { Order::Newest };
    let wanted = Wanted { order, ..wanted };
    let ids = store::unpublished_of(&core.db, user, order, wanted.after()?, wanted.one_more()).await?;
    page(core, ids, wanted).await
}

/// What somebody likes, the latest like first. What was hidden or deleted since keeps its place.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for somebody else's; [`Error::Invalid`] for a cursor that
/// this list did not give.
pub async fn favourites(core: &Core, caller: &Caller, user: UserId, wanted: Wanted<'_>) -> Result<Page<Favourite>> {
    only_owner(caller, user)?;
    let before = Cursor::parse(wanted.cursor, Order::Newest)?.id;
    let mut likes = likes::store::of_user(&core.db, user, before, wanted.one_more()).await?;
    let next = wanted.cut(&mut likes).then(|| likes.last().map(|(_, like)| like.to_string())).flatten();
    let ids: Vec<OutputAssetId> = likes.iter().map(|(id, _)| *id).collect();
    let mut found: HashMap<Uuid, OutputAsset> = by_id(core, &ids).await?;
    let shown = |id: OutputAssetId, asset: Option<OutputAsset>| match asset {
        None => Favourite::Deleted(id),
        Some(asset) if asset.is_private && !caller.owns_or_admin(asset.user) => Favourite::Hidden(id),
        Some(asset) => Favourite::Seen(Box::new(asset)),
    };
    let items = ids.into_iter().map(|id| shown(id, found.remove(&id.0))).collect();
    Ok(Page { items, next })
}

fn only_owner(caller: &Caller, user: UserId) -> Result<()> {
    if caller.owns_or_admin(user) {
        return Ok(());
    }
    caller.signed_in()?;
    Err(Error::Forbidden)
}

/// The outputs of these ids, in their order; those that went meanwhile are left out.
pub(super) async fn in_order(core: &Core, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    let mut found = by_id(core, ids).await?;
    Ok(ids.iter().filter_map(|id| found.remove(&id.0)).collect())
}

async fn by_id(core: &Core, ids: &[OutputAssetId]) -> Result<HashMap<Uuid, OutputAsset>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(gallery::store::find(&core.db, ids, &core.files.means())
        .await?
        .into_iter()
        .map(|asset| (asset.id.0, asset))
        .collect())
}

pub(super) async fn page(core: &Core, mut ids: Vec<OutputAssetId>, wanted: Wanted<'_>) -> Result<Page<OutputAsset>> {
    let more = wanted.cut(&mut ids);
    let items = in_order(core, &ids).await?;
    let next = more.then(|| items.last().map(|last| Cursor::of(last, wanted.order).cursor(wanted.order))).flatten();
    Ok(Page { items, next })
}

impl Wanted<'_> {
    pub(super) fn after(&self) -> Result<Cursor> {
        Cursor::parse(self.cursor, self.order)
    }

    /// What was asked for; where nothing was, all for those who look after it, and what is safe for others.
    fn nsfw(&self, theirs: bool) -> Nsfw {
        self.nsfw.unwrap_or(if theirs { Nsfw::View } else { Nsfw::Hide })
    }

    /// One item too many tells that there is more.
    pub(super) fn one_more(&self) -> i64 {
        self.limit.clamp(1, MAX_PAGE) + 1
    }

    fn cut<T>(&self, items: &mut Vec<T>) -> bool {
        let limit = usize::try_from(self.limit.clamp(1, MAX_PAGE)).unwrap_or(usize::MAX);
        let more = items.len() > limit;
        items.truncate(limit);
        more
    }
}

#[cfg(test)]
mod tests;
