//! Output assets: what jobs made, who may see it, and how long it is kept.
//!
//! A picture is private until its owner publishes it. Private ones expire; published ones stay.

mod cleaning;
mod expiry;
mod files;
mod inputs;
mod labels;
mod likes;
mod lists;
mod locking;
mod output_asset;
mod store;
mod videos;
mod views;

use std::collections::{BTreeSet, HashSet};

use serde_json::json;
use sqlx::PgConnection;

pub use cleaning::{clean_now, clean_outputs};
pub use expiry::{expiry, warn_of_expiry};
pub use files::{EXPIRED_AT_ONCE, OUTPUTS};
pub use inputs::input_asset::{InputAsset, InputFilter};
pub use inputs::{
    InputPage, count_inputs, find_input, forget_inputs, input_counts, inputs, keep_input, mask_input, my_inputs,
    set_inputs_private,
};
pub use labels::{LABELLED_AT_ONCE, set_labels, similar, unlabelled};
pub use likes::{Liked, Wish, like, liked_among, toggle_like};
pub use lists::cursor::Order;
pub use lists::filter::Filter;
pub use lists::filtered::{Asked, count, counts, filtered, public_counts};
pub use lists::{Favourite, MAX_PAGE, Page, Wanted, favourites, mine, published, published_of, unpublished_of};
pub use locking::{content_within, delete_within, hide_contents_within, lock_within, shown_by_others, unlock_within};
pub use output_asset::{NewOutputAsset, OutputAsset};
pub use videos::{MEASURED_AT_ONCE, measure_videos};
pub use views::{settle_views, view};

use crate::assets::{self, Asset, AssetKind, ContentHash, Exposure, MediaType, Stored, Videos};
use crate::audit::{self, Act, Action};
use crate::ids::{OutputAssetId, UserId};
use crate::{Caller, Code, Core, Error, Result, users};

/// Ids that one call may name.
const IDS_AT_ONCE: usize = 500;

/// Who may see an output, and what of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visibility {
    pub is_private: bool,
    /// Whether others are told what it was made with; `None` leaves that as it is.
    pub shows_origin: Option<bool>,
}

/// Keeps the outputs of jobs, within the transaction that ends them.
///
/// # Errors
/// Database errors.
pub async fn insert_batch(connection: &mut PgConnection, outputs: &[NewOutputAsset]) -> sqlx::Result<()> {
    store::insert_batch(connection, outputs).await
}

/// One that the caller may see: published, their own, or any for an admin.
///
/// # Errors
/// [`Error::NotFound`] where there is none or it is somebody else's and private.
pub async fn find(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<OutputAsset> {
    let found = find_all(core, &[id]).await?.pop();
    found
        .filter(|asset| !asset.is_private || caller.owns_or_admin(asset.user))
        .ok_or(Error::NotFound { what: "output asset" })
}

/// Several by id, whoever they belong to; for rooms that decided already that the caller may see them.
///
/// # Errors
/// Database errors.
pub async fn find_all(core: &Core, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    Ok(store::find(&core.db, ids, &core.files.means()).await?)
}

/// Whether the caller may see a file with this content as somebody's output.
///
/// # Errors
/// Database errors.
pub async fn may_see_content(core: &Core, caller: &Caller, content: &ContentHash) -> Result<bool> {
    let (one, played) = (std::slice::from_ref(content), core.files.videos() == Videos::Read);
    let found = store::visible_contents(&core.db, one, caller.user, caller.admin, played).await?;
    Ok(!found.is_empty())
}

/// What the file of one of the caller's outputs is that has this name, of anybody's for an admin.
///
/// # Errors
/// [`Error::NotFound`] where there is none, and for a guest.
pub async fn named(core: &Core, caller: &Caller, content: &ContentHash, name: &str) -> Result<MediaType> {
    let gone = Error::NotFound { what: "file" };
    let Some(user) = caller.user else { return Err(gone) };
    store::named(&core.db, content, name, user, caller.admin).await?.ok_or(gone)
}

/// Several whose files the caller gets one by one too, in the order of their ids here: what moderators have hidden is
/// there for admins alone, and what was not cleaned for its owner. The others are missing in the answer.
///
/// # Errors
/// As [`readable`].
pub async fn downloadable(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    let mut found = readable(core, caller, ids).await?;
    let contents: Vec<ContentHash> = found.iter().map(|asset| asset.content.clone()).collect();
    let played = core.files.videos() == Videos::Read;
    let visible = store::visible_contents(&core.db, &contents, caller.user, caller.admin, played).await?;
    let locked = if caller.admin { HashSet::new() } else { assets::locked_among(core, &contents).await? };
    found.retain(|asset| visible.contains(&asset.content) && !locked.contains(&asset.content));
    Ok(found.into_iter().map(|asset| asset.told_to(caller)).collect())
}

/// Several that the caller may see, in the order of their ids here; the others are missing in the answer.
///
/// # Errors
/// [`Error::Invalid`] for more than 500.
pub async fn readable(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    if ids.len() > IDS_AT_ONCE {
        return Err(Error::invalid("ids", format!("at most {IDS_AT_ONCE} at once")));
    }
    let mut found = lists::in_order(core, ids).await?;
    found.retain(|asset| !asset.is_private || caller.owns_or_admin(asset.user));
    Ok(found)
}

/// Says whether outputs are safe for work; for admins, all of them or none.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody else; [`Error::NotFound`] where one is gone;
/// [`Error::Invalid`] for more than 500.
pub async fn set_nsfw(core: &Core, caller: &Caller, ids: &[OutputAssetId], is_nsfw: bool) -> Result<Vec<OutputAsset>> {
    caller.must_be_admin()?.to_read();
    own_only(caller, ids)?;
    let mut tx = core.db.begin().await?;
    // In one order, so that two calls never wait for each other.
    for id in ids.iter().copied().collect::<BTreeSet<_>>() {
        let Some(owner) = store::set_nsfw(&mut tx, id, is_nsfw).await? else {
            return Err(Error::NotFound { what: "output asset" });
        };
        let act = Act::new(Action::OutputAssetUpdate, id).of(owner).after(json!({ "isNsfw": is_nsfw }));
        audit::record(&mut tx, caller.must_be_admin()?, act, core.clock.now()).await?;
    }
    tx.commit().await?;
    lists::in_order(core, ids).await
}

/// [`set_visibility`] that leaves open what is told of an output's making.
///
/// # Errors
/// As [`set_visibility`].
pub async fn set_private(
    core: &Core,
    caller: &Caller,
    ids: &[OutputAssetId],
    is_private: bool,
) -> Result<Vec<OutputAsset>> {
    set_visibility(core, caller, ids, Visibility { is_private, shows_origin: None }).await
}

/// Publishes or hides the caller's own outputs (anybody's for an admin); all of them or none.
///
/// What a job made is private on every plan until it was published. To hide a published one again is what the
/// specification calls a private post, and needs Stealth Mode; an admin hides whatever must be hidden.
///
/// # Errors
/// [`Error::StealthModeRequired`]; [`Error::NotFound`] where one does not exist or is not the caller's;
/// [`Error::Invalid`] for more than 500; to publish also as [`users::may_publish`], and [`Error::Refused`] with
/// `GALLERY_PAUSED` while operators let nothing in, or `NOT_PUBLISHABLE` where others could not see one of them.
pub async fn set_visibility(
    core: &Core,
    caller: &Caller,
    ids: &[OutputAssetId],
    visibility: Visibility,
) -> Result<Vec<OutputAsset>> {
    let Visibility { is_private, shows_origin } = visibility;
    let owner = own_only(caller, ids)?;
    let permit = match is_private {
        true => None,
        false => {
            must_not_be_paused(core, caller)?;
            Some(users::may_publish(core, caller).await?)
        }
    };
    let exposure = permit.as_ref().map_or(Exposure::Owner, Exposure::Everybody);
    if let Some(owner) = owner.filter(|_| is_private)
        && store::count_public(&core.db, owner, ids).await? > 0
    {
        users::Stealth::of(core, owner).await?.must_have()?;
    }
    if !is_private {
        must_be_publishable(core, ids, owner).await?;
        let contents = store::locks::own_contents(&core.db, ids, owner).await?;
        assets::note_pixels(core, &contents).await?;
    }
    let now = core.clock.now();
    let expires_at = expiry(now, core.settings.outputs.days);
    let mut tx = core.db.begin().await?;
    let touched = store::lock(&mut tx, ids, owner).await?;
    if touched.len() != ids.iter().collect::<HashSet<_>>().len() {
        return Err(Error::NotFound { what: "output asset" });
    }
    if !is_private && !caller.admin && touched.iter().any(|one| one.is_locked) {
        return Err(locking::locked());
    }
    let contents = store::locks::contents_of(&mut tx, ids).await?;
    assets::must_not_be_locked(&mut tx, exposure, &contents).await?;
    if !is_private {
        // Only admins get here with what is locked.
        for one in touched.iter().filter(|one| one.is_locked) {
            assets::unlock_contents_within(&mut tx, one.id.0).await?;
        }
    }
    store::set_private(&mut tx, &touched, exposure, expires_at).await?;
    if let Some(shows_origin) = shows_origin {
        store::set_shows_origin(&mut tx, &touched, shows_origin).await?;
    }
    for one in touched.iter().filter(|one| one.is_private != is_private) {
        let (before, after) = (json!({ "isPrivate": one.is_private }), json!({ "isPrivate": is_private }));
        let act = Act::new(Action::OutputAssetUpdate, one.id).of(one.user).before(before).after(after);
        audit::record_over(&mut tx, caller.authority_over(one.user)?, act, now).await?;
    }
    tx.commit().await?;
    find_all(core, ids).await
}

/// Deletes the caller's own outputs (anybody's for an admin); what is gone already is no error. Tells how many went.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for more than 500.
pub async fn delete(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<u64> {
    let owner = own_only(caller, ids)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let touched = store::lock(&mut tx, ids, owner).await?;
    let deleted = files::delete(&mut tx, &touched, now).await?;
    for one in &touched {
        let act =
            Act::new(Action::OutputAssetDelete, one.id).of(one.user).before(json!({ "isPrivate": one.is_private }));
        audit::record_over(&mut tx, caller.authority_over(one.user)?, act, now).await?;
    }
    tx.commit().await?;
    Ok(deleted)
}

/// Deletes outputs whose time has come; returns how many.
///
/// # Errors
/// Database errors.
pub async fn delete_expired(core: &Core) -> Result<u64> {
    files::delete_expired(core).await
}

/// Refuses what others could not see, were it published.
async fn must_be_publishable(core: &Core, ids: &[OutputAssetId], owner: Option<UserId>) -> Result<()> {
    let mut found = find_all(core, ids).await?;
    found.retain(|one| one.is_private && !one.is_publishable && owner.is_none_or(|owner| owner == one.user));
    let Some(first) = found.first() else { return Ok(()) };
    let message = match first.media.kind() {
        AssetKind::File => "only pictures, films and sounds can be published",
        AssetKind::Image if !first.has_preview => "the picture is too large to be shown to others",
        _ => "the file still tells what it was made with, so that only its owner sees it",
    };
    let ids: Vec<OutputAssetId> = found.iter().map(|one| one.id).collect();
    Err(Error::Refused { code: Code::NotPublishable, message: message.to_owned(), details: json!({ "ids": ids }) })
}

/// Admins go on: they look after what is there.
fn must_not_be_paused(core: &Core, caller: &Caller) -> Result<()> {
    match &core.settings.announcements.gallery_pause {
        Some(text) if !caller.admin => {
            let details = json!({ "en": text.en, "ko": text.ko });
            Err(Error::Refused { code: Code::GalleryPaused, message: text.en.clone(), details })
        }
        Some(_) | None => Ok(()),
    }
}

/// Keeps a picture that the caller may see among their uploads, so that a form can take it: the same bytes, once more
/// under a name of the caller's.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] as [`find`]; [`Error::FileNotAnImage`] for anything else
/// than a picture; as [`assets::keep`].
pub async fn as_upload(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<Asset> {
    caller.signed_in()?;
    let output = find(core, caller, id).await?;
    // What could not be cleaned is its owner's alone, whoever sees that it is there.
    if !may_see_content(core, caller, &output.content).await? {
        return Err(Error::NotFound { what: "output asset" });
    }
    if output.media.kind() != AssetKind::Image {
        return Err(Error::FileNotAnImage { reason: "only a picture can be taken as an input".to_owned() });
    }
    if !output.has_preview {
        return Err(Error::FileSidesUnsupported { reason: "the picture is larger than inputs may be".to_owned() });
    }
    let name = format!("{}.{}", output.created_at.format("%Y%m%d_%H%M%S"), output.media.extension());
    let stored = Stored {
        content: output.content,
        media: output.media,
        size_bytes: output.size_bytes,
        width: output.width,
        height: output.height,
        blur_hash: output.blur_hash,
        duration_ms: None,
        embedded: output.embedded,
        pixels: None,
    };
    assets::keep(core, caller, &name, &stored).await
}

/// Whose outputs the caller may change: `None` for an admin, who may change all.
fn own_only(caller: &Caller, ids: &[OutputAssetId]) -> Result<Option<UserId>> {
    if ids.len() > IDS_AT_ONCE {
        return Err(Error::invalid("ids", format!("at most {IDS_AT_ONCE} at once")));
    }
    caller.own_or_all()
}

#[cfg(feature = "testing")]
pub mod factory;

#[cfg(test)]
mod tests;
