//! Files by content hash, sizes, media variants, expiry.
//!
//! Bytes are kept once under their SHA-256; an asset is somebody's name for them. What a file is, its bytes decide;
//! pictures are decoded within limits before anybody can see them.

mod asset;
mod clean;
mod cleaning;
mod embedded;
mod ffmpeg;
mod file_name;
pub mod life;
mod locks;
mod masked;
mod media;
mod pictures;
mod portrait;
mod storage;
mod store;
mod texts;
mod workshop;

use std::collections::HashMap;

use serde_json::json;
use sqlx::PgConnection;

pub use asset::{Asset, Key, Quality, Stored};
pub use cleaning::{CLEANED_AT_ONCE, clean_now, clean_uploads, moved, note_move};
pub use embedded::Embedded;
pub use file_name::{content_type, ending_of, file_name};
pub use locks::{
    Exposure, contents_of, delete_within, hide_contents_within, is_locked, is_there_within, lock_contents_within,
    locked_among, must_be_free, must_not_be_locked, note_pixels, shown_by_others, twins_within, unlock_contents_within,
};
pub use masked::upload_masked;
pub use media::{AssetKind, MediaType, sniff};
pub use pictures::apart::{work, work_with};
pub use pictures::picture::Measures;
pub use portrait::{PORTRAIT_BYTES, set_portrait, take_over};
pub use storage::Storage;
pub use storage::content_hash::ContentHash;
pub use storage::reach::Reach;
pub use storage::spool::{Spool, SpoolWriter};
pub use texts::{
    Text, delete_text_within, hide_text_within, hide_within, in_texts, kept_by_texts_within, pictures_of_text,
    show_text_within, write_text_within,
};
pub use workshop::renditions::Rendition;
pub use workshop::{Means, Videos, Workshop};

use crate::audit::{self, Act, Action};
use crate::ids::{AssetId, UserId};
use crate::{Caller, Core, Error, Result, names, users};

/// Ids that one call may name.
const IDS_AT_ONCE: usize = 500;
/// Characters of an asset's name.
const NAME_CHARACTERS: usize = 200;

/// Keeps a picture that somebody uploaded, clean of everything that its file tells beside it. The same picture under the
/// same name gives the same asset again. It is private.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::FileTooLarge`]; what [`Workshop::store_picture`] finds wrong with it;
/// [`Error::StorageFull`] where the plan has no space for it; as [`users::may_take_part`] and [`must_be_free`].
pub async fn upload(core: &Core, caller: &Caller, name: &str, file: impl Into<Spool>) -> Result<Asset> {
    let file = file.into();
    let came = begin(core, caller, &file, core.settings.limits.upload_bytes).await?;
    let turn = core.files.turns.wait(came.user).await?;
    let stored = core.files.store_picture(file).await?;
    drop(turn);
    finish(core, caller, came, name, &stored).await
}

/// Keeps a sound or a film that somebody uploaded, in the same way.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::FileTooLarge`]; [`Error::FileNotMedia`] for a sound where a film is asked
/// for, and the other way round; what [`Workshop::store_played`] finds wrong with it; [`Error::StorageFull`] where the plan
/// has no space for it; as [`users::may_take_part`] and [`must_be_free`].
pub async fn upload_played(
    core: &Core,
    caller: &Caller,
    name: &str,
    kind: AssetKind,
    file: impl Into<Spool>,
) -> Result<Asset> {
    let file = file.into();
    let came = begin(core, caller, &file, core.settings.limits.media_bytes).await?;
    let turn = core.files.turns.wait(came.user).await?;
    let stored = core.files.store_played(file, kind).await?;
    drop(turn);
    finish(core, caller, came, name, &stored).await
}

/// An upload that may be worked on.
struct Came {
    user: UserId,
    permit: users::Permit,
    /// The name of the bytes as they came, before they are cleaned, and how many they are.
    content: ContentHash,
    size_bytes: u64,
}

/// What is asked before an upload is worked on.
async fn begin(core: &Core, caller: &Caller, file: &Spool, limit_bytes: u64) -> Result<Came> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let size_bytes = file.len();
    if size_bytes > limit_bytes {
        return Err(Error::FileTooLarge { limit_bytes });
    }
    must_have_space(core, caller, size_bytes).await?;
    Ok(Came { user, permit, content: file.hash().await?, size_bytes })
}

/// What was hidden may not come back, neither as it was before it was cleaned nor as it is now. A film that became larger
/// as it was copied needs the space that it has.
async fn finish(core: &Core, caller: &Caller, came: Came, name: &str, stored: &Stored) -> Result<Asset> {
    let Came { user, permit, content, size_bytes } = came;
    locks::note_stored(core, stored).await?;
    must_be_free(core, caller, &[content, stored.content.clone()]).await?;
    let kept_bytes = u64::try_from(stored.size_bytes).unwrap_or(0);
    if kept_bytes > size_bytes {
        must_have_space(core, caller, kept_bytes).await?;
    }
    store::insert(&core.db, &permit, user, stored, &cleaned(name, stored.media), core.clock.now()).await
}

/// Gives the caller a name of their own for bytes that are kept already; for rooms that decided that the caller may see
/// them. The same bytes under the same name give the same asset again.
///
/// # Errors
/// As [`users::may_take_part`] and [`must_be_free`]; [`Error::StorageFull`] where the plan has no space for it.
pub async fn keep(core: &Core, caller: &Caller, name: &str, stored: &Stored) -> Result<Asset> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    must_have_space(core, caller, u64::try_from(stored.size_bytes).unwrap_or(0)).await?;
    note_pixels(core, std::slice::from_ref(&stored.content)).await?;
    must_be_free(core, caller, std::slice::from_ref(&stored.content)).await?;
    store::insert(&core.db, &permit, user, stored, &cleaned(name, stored.media), core.clock.now()).await
}

/// Bytes that somebody's uploads have together, each file counted once.
///
/// # Errors
/// Database errors.
pub async fn used_bytes(core: &Core, user: UserId) -> Result<u64> {
    Ok(u64::try_from(store::used_bytes(&core.db, user).await?).unwrap_or(0))
}

/// Uploads of one person have a limit, which their plan says. Admins, who look after what everybody sees, have none.
async fn must_have_space(core: &Core, caller: &Caller, more: u64) -> Result<()> {
    let user = caller.signed_in()?;
    if caller.admin {
        return Ok(());
    }
    let plan = users::plan(core, user).await?;
    let plan = core.settings.plan(&plan).or_else(|| core.settings.first_plan());
    let limit_bytes = plan.map_or(0, |plan| plan.storage_bytes);
    let used_bytes = used_bytes(core, user).await?;
    if used_bytes.saturating_add(more) > limit_bytes {
        return Err(Error::StorageFull { used_bytes, limit_bytes });
    }
    Ok(())
}

/// One that the caller may see: their own, a public one, or any for an admin.
///
/// # Errors
/// [`Error::NotFound`] where there is none, or it is somebody else's and private.
pub async fn find(core: &Core, caller: &Caller, id: AssetId) -> Result<Asset> {
    readable(core, caller, &[id]).await?.remove(&id).ok_or(Error::NotFound { what: "asset" })
}

/// Those of the named assets that the caller may see; the others are missing in the answer.
///
/// # Errors
/// [`Error::Invalid`] for more than 500 ids.
pub async fn readable(core: &Core, caller: &Caller, ids: &[AssetId]) -> Result<HashMap<AssetId, Asset>> {
    let mut found = find_all(core, ids).await?;
    found.retain(|_, asset| !asset.is_private || caller.owns_or_admin(asset.user));
    Ok(found)
}

/// Several by id, whoever they belong to; for rooms that decided already that the caller may see them.
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

/// One page of the caller's own assets, newest first, and how many there are in all. Pages count from 1.
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

/// Makes the caller's own assets public or private; those of others stay as they are.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; as [`must_not_be_locked`].
pub async fn set_private(core: &Core, caller: &Caller, ids: &[AssetId], exposure: Exposure<'_>) -> Result<()> {
    let is_private = exposure.is_private();
    let foreign: Vec<Asset> = match caller.admin {
        true => find_all(core, ids).await?.into_values().filter(|asset| caller.user != Some(asset.user)).collect(),
        false => Vec::new(),
    };
    let mut tx = core.db.begin().await?;
    set_private_within(&mut tx, caller, ids, exposure).await?;
    for asset in foreign.iter().filter(|asset| asset.is_private != is_private) {
        let act = Act::new(Action::UploadUpdate, asset.id).of(asset.user);
        let act = act.before(json!({ "isPrivate": asset.is_private })).after(json!({ "isPrivate": is_private }));
        audit::record_over(&mut tx, caller.authority_over(asset.user)?, act, core.clock.now()).await?;
    }
    Ok(tx.commit().await?)
}

/// Deletes assets of one person, whatever they stand on, and lets go of their bytes; tells how many went.
///
/// # Errors
/// Database errors.
pub async fn delete(core: &Core, owner: UserId, ids: &[AssetId]) -> Result<u64> {
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let contents = store::delete(&mut tx, owner, ids, now).await?;
    life::let_go(&mut tx, &contents, now).await?;
    tx.commit().await?;
    Ok(contents.len() as u64)
}

/// Assets of one person after this one, in the order of their ids; for rooms that clear up.
///
/// # Errors
/// Database errors.
pub async fn ids_of(core: &Core, owner: UserId, after: Option<AssetId>, most: i64) -> Result<Vec<AssetId>> {
    Ok(store::ids_of(&core.db, owner, after, most).await?)
}

/// As [`set_private`], within the transaction that shows or hides what they stand on.
///
/// # Errors
/// As [`set_private`].
pub async fn set_private_within(
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

/// Whether the caller may see a file with this content as somebody's asset.
///
/// # Errors
/// Database errors.
pub async fn may_see_content(core: &Core, caller: &Caller, content: &ContentHash) -> Result<bool> {
    let played = core.files.videos() == Videos::Read;
    Ok(store::visible(&core.db, content, caller.user, caller.admin, played, core.clock.now()).await?)
}

/// A file name that is safe to show and to save: no folders, no hidden characters, and the extension of what the
/// file is.
fn cleaned(name: &str, media: MediaType) -> String {
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
