//! Output assets: the results of jobs, who may see them, and when they expire.
//!
//! An output is private until its owner publishes it. Private outputs expire; published ones stay.

mod cleaning;
mod expiry;
mod files;
mod inputs;
mod labels;
mod library;
mod likes;
mod lists;
mod locking;
mod named_inputs;
mod output_asset;
mod own;
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
    count_inputs, find_input, forget_inputs, input_counts, inputs, keep_input, mask_input, my_inputs,
    set_inputs_private,
};
pub use labels::{LABELLED_AT_ONCE, set_labels, similar, unlabelled};
pub use library::item::{LibraryChange, LibraryFile, LibraryFilter, LibraryItem, LibraryOrder, LibraryPlace, TagEdit};
pub use library::{change_library_item, forget_library, library, library_item, library_tags};
pub use likes::{like, liked_among, toggle_like};
pub use lists::filter::{OutputFilter, OutputOrder};
pub use lists::filtered::{count, counts, filtered, public_counts};
pub use lists::{Favourite, OutputQuery, favourites, mine, published, published_of, unpublished_of};
pub use locking::{content_tx, delete_tx, hide_contents_tx, lock_tx, shown_by_others, unlock_tx};
pub use named_inputs::{NameClash, NamedInput, forget_named_inputs, inputs_at, name_input, named_inputs};
pub use output_asset::{NewOutputAsset, OutputAsset};
pub use own::{own_by_content, own_by_name};
pub use videos::{MEASURED_AT_ONCE, measure_videos};
pub use views::{settle_views, view};

use crate::assets::{self, Asset, AssetKind, ContentHash, Exposure, MediaType, StoredFile, VideoSupport};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::{OutputAssetId, UserId};
use crate::{Caller, Code, Core, Error, Result, users};

/// Ids that one call may name.
const IDS_AT_ONCE: usize = 500;

/// Who may see an output, and what of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visibility {
    pub is_private: bool,
    /// Whether others see what made it; `None` keeps the setting.
    pub shows_origin: Option<bool>,
}

/// Inserts the outputs of jobs in the transaction that ends the jobs.
pub async fn insert_batch(connection: &mut PgConnection, outputs: &[NewOutputAsset]) -> sqlx::Result<()> {
    store::insert_batch(connection, outputs).await
}

/// One output that the caller may see: published, the caller's own, or any for an admin.
///
/// # Errors
/// [`Error::NotFound`] where it is missing, or private and another user's.
pub async fn find(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<OutputAsset> {
    let found = find_all(core, &[id]).await?.pop();
    found
        .filter(|asset| !asset.is_private || caller.owns_or_admin(asset.user))
        .ok_or(Error::NotFound { what: "output asset" })
}

/// Outputs of any owner, for rooms that have checked that the caller may see them.
pub async fn find_all(core: &Core, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    Ok(store::find(&core.db, ids, &core.files.capabilities()).await?)
}

/// Whether the caller may see this content as an output of any user.
pub async fn may_see_content(core: &Core, caller: &Caller, content: &ContentHash) -> Result<bool> {
    let (one, played) = (std::slice::from_ref(content), core.files.video_support() == VideoSupport::Enabled);
    let found = store::visible_contents(&core.db, one, caller.user, caller.admin, played).await?;
    Ok(!found.is_empty())
}

/// The media type of a file by its content and the name of the caller's output; of any user's for an admin.
///
/// # Errors
/// [`Error::NotFound`] where there is none, and for a guest.
pub async fn named(core: &Core, caller: &Caller, content: &ContentHash, name: &str) -> Result<MediaType> {
    let gone = Error::NotFound { what: "file" };
    let Some(user) = caller.user else { return Err(gone) };
    store::named(&core.db, content, name, user, caller.admin).await?.ok_or(gone)
}

/// Outputs whose files the caller may download, in the order of the ids. Outputs hidden by moderators are included for
/// admins only, and uncleaned ones for their owners only.
///
/// # Errors
/// As [`readable`].
pub async fn downloadable(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    let mut found = readable(core, caller, ids).await?;
    let contents: Vec<ContentHash> = found.iter().map(|asset| asset.content.clone()).collect();
    let played = core.files.video_support() == VideoSupport::Enabled;
    let visible = store::visible_contents(&core.db, &contents, caller.user, caller.admin, played).await?;
    let locked = if caller.admin { HashSet::new() } else { assets::locked_among(core, &contents).await? };
    found.retain(|asset| visible.contains(&asset.content) && !locked.contains(&asset.content));
    Ok(found.into_iter().map(|asset| asset.redacted_for(caller)).collect())
}

/// Outputs that the caller may see, in the order of the ids; others are missing.
///
/// # Errors
/// [`Error::Invalid`] for more than 500 ids.
pub async fn readable(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<Vec<OutputAsset>> {
    if ids.len() > IDS_AT_ONCE {
        return Err(Error::invalid("ids", format!("at most {IDS_AT_ONCE} at once")));
    }
    let mut found = lists::in_order(core, ids).await?;
    found.retain(|asset| !asset.is_private || caller.owns_or_admin(asset.user));
    Ok(found)
}

/// Marks outputs as safe for work or not, all of them or none; for admins.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::NotFound`] where one is
/// missing; [`Error::Invalid`] for more than 500 ids.
pub async fn set_nsfw(core: &Core, caller: &Caller, ids: &[OutputAssetId], is_nsfw: bool) -> Result<Vec<OutputAsset>> {
    caller.must_be_admin()?.read_only();
    own_only(caller, ids)?;
    let mut tx = database::begin(&core.db).await?;
    // Sorted, so that two calls cannot deadlock.
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

/// [`set_visibility`] without a change of what others see of the origin.
pub async fn set_private(
    core: &Core,
    caller: &Caller,
    ids: &[OutputAssetId],
    is_private: bool,
) -> Result<Vec<OutputAsset>> {
    set_visibility(core, caller, ids, Visibility { is_private, shows_origin: None }).await
}

/// Publishes or hides the caller's outputs (any user's, for an admin); all of them or none.
///
/// Outputs are private on every plan until they are published. Hiding a published output again is the specification's
/// private post and needs Stealth Mode, except for admins.
///
/// # Errors
/// [`Error::StealthModeRequired`]; [`Error::NotFound`] where one is missing or not the caller's; [`Error::Invalid`] for
/// more than 500 ids; to publish also as [`users::may_publish`], and [`Error::Refused`] with `GALLERY_PAUSED` while
/// operators pause the gallery, or `NOT_PUBLISHABLE` where others could not see one of them.
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
        users::StealthMode::of(core, owner).await?.must_have()?;
    }
    if !is_private {
        must_be_publishable(core, ids, owner).await?;
        let contents = store::locks::own_contents(&core.db, ids, owner).await?;
        assets::record_pixels(core, &contents).await?;
    }
    let now = core.clock.now();
    let expires_at = expiry(now, core.settings.outputs.days);
    let mut tx = database::begin(&core.db).await?;
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
        // Only admins reach this with locked outputs.
        for one in touched.iter().filter(|one| one.is_locked) {
            assets::unlock_contents_tx(&mut tx, one.id.0).await?;
        }
    }
    store::set_private(&mut tx, &touched, exposure, expires_at).await?;
    if let Some(shows_origin) = shows_origin {
        store::set_shows_origin(&mut tx, &touched, shows_origin).await?;
    }
    for one in touched.iter().filter(|one| one.is_private != is_private) {
        let (before, after) = (json!({ "isPrivate": one.is_private }), json!({ "isPrivate": is_private }));
        let act = Act::new(Action::OutputAssetUpdate, one.id).of(one.user).before(before).after(after);
        audit::record_if_admin(&mut tx, caller.authority_over(one.user)?, act, now).await?;
    }
    tx.commit().await?;
    find_all(core, ids).await
}

/// Deletes the caller's outputs (any user's, for an admin) and returns their number. Missing ones are skipped.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for more than 500 ids.
pub async fn delete(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<u64> {
    let owner = own_only(caller, ids)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let touched = store::lock(&mut tx, ids, owner).await?;
    let deleted = files::delete(&mut tx, &touched, now).await?;
    for one in &touched {
        let act =
            Act::new(Action::OutputAssetDelete, one.id).of(one.user).before(json!({ "isPrivate": one.is_private }));
        audit::record_if_admin(&mut tx, caller.authority_over(one.user)?, act, now).await?;
    }
    tx.commit().await?;
    Ok(deleted)
}

/// Deletes expired outputs; returns their number.
pub async fn delete_expired(core: &Core) -> Result<u64> {
    files::delete_expired(core).await
}

/// Refuses outputs that others could not see once published.
async fn must_be_publishable(core: &Core, ids: &[OutputAssetId], owner: Option<UserId>) -> Result<()> {
    let mut found = find_all(core, ids).await?;
    found.retain(|one| owner.is_none_or(|owner| owner == one.user));
    refuse_unpublishable(&found)
}

fn refuse_unpublishable(outputs: &[OutputAsset]) -> Result<()> {
    let refused: Vec<&OutputAsset> =
        outputs.iter().filter(|output| output.is_private && !output.is_publishable).collect();
    let Some(first) = refused.first() else { return Ok(()) };
    let message = match first.media.kind() {
        AssetKind::Text | AssetKind::File => "only pictures, films and sounds can be published",
        AssetKind::Image if !first.has_preview => "the picture is too large to be shown to others",
        _ => "the file still tells what it was made with, so that only its owner sees it",
    };
    let ids: Vec<OutputAssetId> = refused.iter().map(|output| output.id).collect();
    Err(Error::Refused { code: Code::NotPublishable, message: message.to_owned(), details: json!({ "ids": ids }) })
}

/// Admins may publish during a pause.
fn must_not_be_paused(core: &Core, caller: &Caller) -> Result<()> {
    match &core.settings.announcements.gallery_pause {
        Some(text) if !caller.admin => {
            let details = json!({ "en": text.en, "ko": text.ko });
            Err(Error::Refused { code: Code::GalleryPaused, message: text.en.clone(), details })
        }
        Some(_) | None => Ok(()),
    }
}

/// Adds a picture that the caller may see to the caller's uploads, so that a form accepts it. The upload shares the
/// bytes of the output.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] as [`find`]; [`Error::FileNotAnImage`] for anything but a
/// picture; as [`assets::create_from_stored`].
pub async fn as_upload(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<Asset> {
    caller.signed_in()?;
    upload(core, caller, find(core, caller, id).await?).await
}

async fn upload(core: &Core, caller: &Caller, output: OutputAsset) -> Result<Asset> {
    // Only the owner may see the content of an uncleaned output.
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
    let stored = StoredFile {
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
    assets::create_from_stored(core, caller, &name, &stored).await
}

/// Adds one of the caller's own pictures to their uploads, for the pictures of a workflow. The upload is private until
/// the workflow is published, and stays when the output expires or is deleted.
///
/// # Errors
/// [`Error::Forbidden`] for another user's picture, also for an admin; [`Error::Refused`] with `NOT_PUBLISHABLE` where
/// viewers of the workflow could not see it; as [`as_upload`].
pub async fn as_thumbnail(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<Asset> {
    let user = caller.signed_in()?;
    let output = find(core, caller, id).await?;
    if output.user != user {
        return Err(Error::Forbidden);
    }
    refuse_unpublishable(std::slice::from_ref(&output))?;
    upload(core, caller, output).await
}

/// The owner whose outputs the caller may change: `None` for an admin, who may change all.
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
