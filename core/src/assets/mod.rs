//! Files by content hash, with sizes, media renditions and expiry.
//!
//! Bytes are stored once, under their SHA-256; an asset is a user's name for them. The bytes decide a file's type.
//! Pictures are decoded within limits before they are shown.

mod asset;
mod clean;
mod cleaning;
mod embedded;
mod expiry;
mod ffmpeg;
mod file_name;
pub mod life;
mod links;
mod locks;
mod masked;
mod media;
mod own;
mod pictures;
mod portrait;
mod processing;
mod storage;
mod store;
mod texts;

use std::collections::HashMap;

use serde_json::json;
use sqlx::PgConnection;

pub use asset::{Asset, FileKey, Quality, StoredFile};
pub use cleaning::{CLEANED_AT_ONCE, clean_now, clean_uploads, moved_to, record_move_tx};
pub use embedded::EmbeddedMetadata;
pub use expiry::{ENDING_AT_ONCE, EndingUpload, UploadBefore, ending, expire, keep};
pub use file_name::{content_type, ending_of, file_name};
pub use links::{FileLink, LinkSigner, check_link};
pub use locks::{
    Exposure, asset_exists_tx, contents_of, delete_tx, hide_contents_tx, is_locked, lock_contents_tx, locked_among,
    must_be_usable, must_not_be_locked, record_pixels, same_pixels_tx, shown_by_others, unlock_contents_tx,
};
pub use masked::upload_masked;
pub use media::{AssetKind, MediaType, sniff};
pub use own::{blake3_of, own_by_blake3, own_by_hash};
pub use pictures::channel::PictureChannel;
pub use pictures::picture::Measures;
pub use pictures::sandbox::{run_sandbox, set_sandbox_program};
pub use portrait::{PORTRAIT_BYTES, check_portrait, import_portrait, set_portrait};
pub use processing::renditions::Rendition;
pub use processing::{MediaCapabilities, MediaProcessor, VideoSupport};
pub use storage::Storage;
pub use storage::blake3_hash::Blake3Hash;
pub use storage::content_hash::ContentHash;
pub use storage::health::StorageHealth;
pub use storage::spool::{Spool, SpoolWriter};
pub use texts::{
    RichText, delete_text_tx, hide_text_tx, hide_tx, in_texts, kept_by_texts_tx, pictures_of_text, show_text_tx,
    write_text_tx,
};

use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::{AssetId, UserId};
use crate::{Caller, Core, Error, Result, names, users};

const IDS_AT_ONCE: usize = 500;
const NAME_CHARACTERS: usize = 200;

/// Uploads a picture, without its metadata. Uploading the same picture under the same name returns the same asset. The
/// asset is private.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::FileTooLarge`]; as [`MediaProcessor::store_picture`];
/// [`Error::StorageFull`] if the plan has no space left; as [`users::may_take_part`] and [`must_be_usable`].
pub async fn upload(core: &Core, caller: &Caller, name: &str, file: impl Into<Spool>) -> Result<Asset> {
    let file = file.into();
    let pending = begin_upload(core, caller, &file, core.settings.limits.upload_bytes).await?;
    let permit = core.files.user_queues.wait(pending.user).await?;
    let stored = core.files.store_picture(file).await?;
    drop(permit);
    let source = (pending.content.clone(), pending.blake3.clone());
    let asset = finish_upload(core, caller, pending, name, &stored).await?;
    record_source(core, source, asset).await
}

/// Uploads a sound or a video, like [`upload`].
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::FileTooLarge`]; [`Error::FileNotMedia`] if the file is not of this
/// `kind`; as [`MediaProcessor::store_media`]; [`Error::StorageFull`] if the plan has no space left; as
/// [`users::may_take_part`] and [`must_be_usable`].
pub async fn upload_media(
    core: &Core,
    caller: &Caller,
    name: &str,
    kind: AssetKind,
    file: impl Into<Spool>,
) -> Result<Asset> {
    let file = file.into();
    let pending = begin_upload(core, caller, &file, core.settings.limits.media_bytes).await?;
    let permit = core.files.user_queues.wait(pending.user).await?;
    let stored = core.files.store_media(file, kind).await?;
    drop(permit);
    let source = (pending.content.clone(), pending.blake3.clone());
    let asset = finish_upload(core, caller, pending, name, &stored).await?;
    record_source(core, source, asset).await
}

/// Uploads a text file, like [`upload`]. It is stored in UTF-8.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::FileTooLarge`]; as [`MediaProcessor::store_text`];
/// [`Error::StorageFull`] if the plan has no space left; as [`users::may_take_part`] and [`must_be_usable`].
pub async fn upload_text(core: &Core, caller: &Caller, name: &str, file: impl Into<Spool>) -> Result<Asset> {
    let file = file.into();
    let pending = begin_upload(core, caller, &file, core.settings.limits.text_bytes).await?;
    let stored = core.files.store_text(file).await?;
    let source = (pending.content.clone(), pending.blake3.clone());
    let asset = finish_upload(core, caller, pending, name, &stored).await?;
    record_source(core, source, asset).await
}

/// An upload that passed its first checks.
struct PendingUpload {
    user: UserId,
    permit: users::WritePermit,
    /// Hashes and size of the original bytes, before they are cleaned.
    content: ContentHash,
    size_bytes: u64,
    blake3: Blake3Hash,
}

/// Checks an upload before it is processed.
async fn begin_upload(core: &Core, caller: &Caller, file: &Spool, limit_bytes: u64) -> Result<PendingUpload> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let size_bytes = file.len();
    if size_bytes > limit_bytes {
        return Err(Error::FileTooLarge { limit_bytes });
    }
    must_have_space(core, caller, size_bytes).await?;
    Ok(PendingUpload { user, permit, content: file.hash().await?, size_bytes, blake3: file.blake3().await? })
}

/// Refuses a file that moderators have hidden, by its original and by its cleaned bytes. A video can grow when it is
/// remuxed; the larger file needs its space too.
async fn finish_upload(
    core: &Core,
    caller: &Caller,
    pending: PendingUpload,
    name: &str,
    stored: &StoredFile,
) -> Result<Asset> {
    let PendingUpload { user, permit, content, size_bytes, .. } = pending;
    locks::record_stored_pixels(core, stored).await?;
    must_be_usable(core, caller, &[content, stored.content.clone()]).await?;
    let kept_bytes = u64::try_from(stored.size_bytes).unwrap_or(0);
    if kept_bytes > size_bytes {
        must_have_space(core, caller, kept_bytes).await?;
    }
    store::insert(&core.db, &permit, user, stored, &safe_name(name, stored.media), core.clock.now()).await
}

/// Records the hashes of the bytes that were sent.
async fn record_source(core: &Core, (source, blake3): (ContentHash, Blake3Hash), asset: Asset) -> Result<Asset> {
    store::sources::record(&core.db, asset.user, (&source, &blake3), asset.id).await?;
    Ok(asset)
}

/// Gives the caller an asset for stored bytes. The calling room has checked that the caller may see them. The same
/// bytes under the same name return the same asset.
///
/// # Errors
/// As [`users::may_take_part`] and [`must_be_usable`]; [`Error::StorageFull`] if the plan has no space left.
pub async fn create_from_stored(core: &Core, caller: &Caller, name: &str, stored: &StoredFile) -> Result<Asset> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    must_have_space(core, caller, u64::try_from(stored.size_bytes).unwrap_or(0)).await?;
    record_pixels(core, std::slice::from_ref(&stored.content)).await?;
    must_be_usable(core, caller, std::slice::from_ref(&stored.content)).await?;
    store::insert(&core.db, &permit, user, stored, &safe_name(name, stored.media), core.clock.now()).await
}

/// Total size of a user's uploads, counting each file once.
pub async fn used_bytes(core: &Core, user: UserId) -> Result<u64> {
    Ok(u64::try_from(store::used_bytes(&core.db, user).await?).unwrap_or(0))
}

/// Enforces the storage limit of the user's plan. Admins have none, because they maintain public content.
async fn must_have_space(core: &Core, caller: &Caller, more: u64) -> Result<()> {
    let user = caller.signed_in()?;
    if caller.admin {
        return Ok(());
    }
    let limit_bytes = users::plan(core, user).await?.storage_bytes;
    let used_bytes = used_bytes(core, user).await?;
    if used_bytes.saturating_add(more) > limit_bytes {
        return Err(Error::StorageFull { used_bytes, limit_bytes });
    }
    Ok(())
}

/// An asset that the caller may see: their own or a public one; admins see all.
///
/// # Errors
/// [`Error::NotFound`] if it does not exist, or is private and owned by another user.
pub async fn find(core: &Core, caller: &Caller, id: AssetId) -> Result<Asset> {
    readable(core, caller, &[id]).await?.remove(&id).ok_or(Error::NotFound { what: "asset" })
}

/// Those of these assets that the caller may see.
///
/// # Errors
/// [`Error::Invalid`] for more than 500 ids.
pub async fn readable(core: &Core, caller: &Caller, ids: &[AssetId]) -> Result<HashMap<AssetId, Asset>> {
    let mut found = find_all(core, ids).await?;
    found.retain(|_, asset| !asset.is_private || caller.owns_or_admin(asset.user));
    Ok(found)
}

/// Assets of any owner. The calling room has checked that the caller may see them.
///
/// # Errors
/// [`Error::Invalid`] for more than 500 ids.
pub async fn find_all(core: &Core, ids: &[AssetId]) -> Result<HashMap<AssetId, Asset>> {
    if ids.len() > IDS_AT_ONCE {
        return Err(Error::invalid("ids", format!("at most {IDS_AT_ONCE} at once")));
    }
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = store::find(&core.db, ids, core.clock.now()).await?;
    Ok(found.into_iter().map(|asset| (asset.id, asset)).collect())
}

/// One page of the caller's assets, newest first, and the total count. Pages count from 1.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a page or limit below 1, or a limit above 100.
pub async fn mine(core: &Core, caller: &Caller, page: u32, limit: u32) -> Result<(Vec<Asset>, u64)> {
    let user = caller.signed_in()?;
    if page == 0 {
        return Err(Error::invalid("page", "must be at least 1"));
    }
    if !(1..=100).contains(&limit) {
        return Err(Error::invalid("limit", "must be between 1 and 100"));
    }
    let offset = i64::from(page - 1) * i64::from(limit);
    let (ids, count) = store::of_user(&core.db, user, core.clock.now(), i64::from(limit), offset).await?;
    let mut found = find_all(core, &ids).await?;
    let assets = ids.iter().filter_map(|id| found.remove(id)).collect();
    Ok((assets, u64::try_from(count).unwrap_or(0)))
}

/// Makes the caller's assets public or private. Assets of other users are skipped, except for admins.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; as [`must_not_be_locked`].
pub async fn set_private(core: &Core, caller: &Caller, ids: &[AssetId], exposure: Exposure<'_>) -> Result<()> {
    let is_private = exposure.is_private();
    let foreign: Vec<Asset> = match caller.admin {
        true => find_all(core, ids).await?.into_values().filter(|asset| caller.user != Some(asset.user)).collect(),
        false => Vec::new(),
    };
    let mut tx = database::begin(&core.db).await?;
    set_private_tx(&mut tx, caller, ids, exposure).await?;
    for asset in foreign.iter().filter(|asset| asset.is_private != is_private) {
        let act = Act::new(Action::UploadUpdate, asset.id).of(asset.user);
        let act = act.before(json!({ "isPrivate": asset.is_private })).after(json!({ "isPrivate": is_private }));
        audit::record_if_admin(&mut tx, caller.authority_over(asset.user)?, act, core.clock.now()).await?;
    }
    Ok(tx.commit().await?)
}

/// Deletes assets of one user, even if other things show them, and releases their bytes. Returns how many were deleted.
pub async fn delete(core: &Core, owner: UserId, ids: &[AssetId]) -> Result<u64> {
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let contents = store::delete(&mut tx, owner, ids, now).await?;
    life::mark_orphaned_tx(&mut tx, &contents, now).await?;
    tx.commit().await?;
    Ok(contents.len() as u64)
}

/// Ids of a user's assets after this one, in order; for rooms that clean up.
pub async fn ids_of(core: &Core, owner: UserId, after: Option<AssetId>, most: i64) -> Result<Vec<AssetId>> {
    Ok(store::ids_of(&core.db, owner, after, most).await?)
}

/// As [`set_private`], in the transaction that shows or hides the thing that uses them.
///
/// # Errors
/// As [`set_private`].
pub async fn set_private_tx(
    connection: &mut PgConnection,
    caller: &Caller,
    ids: &[AssetId],
    exposure: Exposure<'_>,
) -> Result<()> {
    let owner = if caller.admin { None } else { Some(caller.signed_in()?) };
    if !exposure.is_private() {
        let contents = contents_of(&mut *connection, ids).await?;
        must_not_be_locked(&mut *connection, exposure, &contents).await?;
        texts::store::forget_revealed(&mut *connection, ids).await?;
    }
    Ok(store::set_private(connection, ids, owner, exposure.is_private()).await?)
}

/// Whether the caller may see an asset with this content.
pub async fn may_see_content(core: &Core, caller: &Caller, content: &ContentHash) -> Result<bool> {
    let includes_media = core.files.video_support() == VideoSupport::Enabled;
    Ok(store::visible(&core.db, content, caller.user, caller.admin, includes_media, core.clock.now()).await?)
}

/// A file name that is safe to show and to save: no folders and no hidden characters. An empty name becomes kind and
/// extension.
fn safe_name(name: &str, media: MediaType) -> String {
    let last = names::composed(name.rsplit(['/', '\\']).next().unwrap_or(""));
    let shown: String = last.chars().filter(|c| !names::is_hidden(*c)).take(NAME_CHARACTERS).collect();
    let shown = shown.trim().trim_start_matches('.');
    if shown.is_empty() {
        format!("{}.{}", media.kind().as_str().to_lowercase(), media.extension())
    } else {
        shown.to_owned()
    }
}

#[cfg(test)]
mod tests;
