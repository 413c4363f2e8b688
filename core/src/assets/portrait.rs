//! Profile pictures: one of the user's assets, which is public from then on.

use super::storage::content_hash;
use super::{AssetKind, Exposure, find, locks, must_be_usable, set_private, store};
use crate::ids::{AssetId, UserId};
use crate::{Caller, Core, Error, Result, users};

/// Maximum size of a profile picture (the specification's 10 MB).
pub const PORTRAIT_BYTES: u64 = 10_485_760;
/// Maximum size of a picture fetched from a sign-in provider.
const FETCHED_BYTES: usize = 5 << 20;

/// Sets or removes the caller's profile picture.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] for an asset of another user; [`Error::Invalid`] if it is
/// not a picture; [`Error::FileTooLarge`] above 10 MB; for a picture as [`users::may_publish`], because it becomes
/// public.
pub async fn set_portrait(core: &Core, caller: &Caller, asset: Option<AssetId>) -> Result<()> {
    let user = caller.signed_in()?;
    if let Some(id) = asset {
        let permit = portrait_permit(core, caller, id).await?;
        set_private(core, &Caller::customer(user), &[id], Exposure::Everybody(&permit)).await?;
    }
    users::set_profile(core, user, asset).await?;
    Ok(())
}

/// Refuses an asset as [`set_portrait`] does, and changes nothing.
pub async fn check_portrait(core: &Core, caller: &Caller, id: AssetId) -> Result<()> {
    portrait_permit(core, caller, id).await.map(drop)
}

async fn portrait_permit(core: &Core, caller: &Caller, id: AssetId) -> Result<users::PublishPermit> {
    let permit = users::may_publish(core, caller).await?;
    let asset = find(core, caller, id).await?;
    if asset.user != caller.signed_in()? {
        return Err(Error::NotFound { what: "asset" });
    }
    if asset.kind != AssetKind::Image {
        return Err(Error::invalid("assetId", "must be a picture"));
    }
    if u64::try_from(asset.stored.size_bytes).unwrap_or(u64::MAX) > PORTRAIT_BYTES {
        return Err(Error::FileTooLarge { limit_bytes: PORTRAIT_BYTES });
    }
    let contents = std::slice::from_ref(&asset.stored.content);
    locks::must_not_be_locked(&mut *core.db.acquire().await?, Exposure::Everybody(&permit), contents).await?;
    Ok(permit)
}

/// Imports a picture from a sign-in provider in the background. If that fails, the user has none until the next
/// sign-in, or until they choose one.
pub fn import_portrait(core: &Core, user: UserId, url: String) {
    let core = core.clone();
    tokio::spawn(async move {
        if let Err(error) = fetch_portrait(&core, user, &url).await {
            tracing::warn!(%error, user.id = %user, "cannot import the picture of a sign-in provider");
        }
    });
}

async fn fetch_portrait(core: &Core, user: UserId, url: &str) -> Result<()> {
    let fetched = core.outbound.get(url, FETCHED_BYTES).await;
    let bytes = fetched.map_err(|blocked| Error::FileNotAnImage { reason: blocked.to_string() })?;
    let original = content_hash::hash(bytes.clone()).await?;
    let queue_permit = core.files.user_queues.wait(user).await?;
    let stored = core.files.store_picture(bytes).await?;
    drop(queue_permit);
    let name = format!("portrait.{}", stored.media.extension());
    let caller = Caller::customer(user);
    let permit = users::may_take_part(core, &caller).await?;
    locks::record_stored_pixels(core, &stored).await?;
    must_be_usable(core, &caller, &[original, stored.content.clone()]).await?;
    let asset = store::insert(&core.db, &permit, user, &stored, &name, core.clock.now()).await?;
    // The user may have chosen a picture in the meantime.
    if users::find(core, user).await?.profile.is_some() {
        return Ok(());
    }
    set_portrait(core, &caller, Some(asset.id)).await
}
