//! The picture beside a person's name: one of their own assets, which everybody may see from then on.

use super::storage::content_hash;
use super::{AssetKind, Exposure, find, locks, must_be_free, set_private, store};
use crate::ids::{AssetId, UserId};
use crate::{Caller, Core, Error, Result, users};

/// The largest picture that somebody may put beside their name (the specification's 10 MB).
pub const PORTRAIT_BYTES: u64 = 10_485_760;
/// The largest picture that is fetched from a sign-in provider.
const FETCHED_BYTES: usize = 5 << 20;

/// Puts a picture of the caller's beside their name, or takes it away.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] for an asset that is not the caller's;
/// [`Error::Invalid`] for one that is no picture; [`Error::FileTooLarge`] for one of more than 10 MB; for a picture as [`users::may_publish`],
/// because everybody will see it.
pub async fn set_portrait(core: &Core, caller: &Caller, asset: Option<AssetId>) -> Result<()> {
    let user = caller.signed_in()?;
    if let Some(id) = asset {
        let permit = users::may_publish(core, caller).await?;
        let asset = find(core, caller, id).await?;
        if asset.user != user {
            return Err(Error::NotFound { what: "asset" });
        }
        if asset.kind != AssetKind::Image {
            return Err(Error::invalid("assetId", "must be a picture"));
        }
        if u64::try_from(asset.stored.size_bytes).unwrap_or(u64::MAX) > PORTRAIT_BYTES {
            return Err(Error::FileTooLarge { limit_bytes: PORTRAIT_BYTES });
        }
        set_private(core, &Caller::customer(user), &[id], Exposure::Everybody(&permit)).await?;
    }
    users::set_profile(core, user, asset).await?;
    Ok(())
}

/// Takes over a picture from a sign-in provider, beside the request. Where that fails the person has no picture until
/// they sign in the next time, or choose one.
pub fn take_over(core: &Core, user: UserId, url: String) {
    let core = core.clone();
    tokio::spawn(async move {
        if let Err(error) = fetch(&core, user, &url).await {
            tracing::warn!(%error, user.id = %user, "a provider's picture was not taken over");
        }
    });
}

async fn fetch(core: &Core, user: UserId, url: &str) -> Result<()> {
    let fetched = core.outbound.get(url, FETCHED_BYTES).await;
    let bytes = fetched.map_err(|blocked| Error::FileNotAnImage { reason: blocked.to_string() })?;
    let came = content_hash::hash(bytes.clone()).await?;
    let turn = core.files.turns.wait(user).await?;
    let stored = core.files.store_picture(bytes).await?;
    drop(turn);
    let name = format!("portrait.{}", stored.media.extension());
    let caller = Caller::customer(user);
    let permit = users::may_take_part(core, &caller).await?;
    locks::note_stored(core, &stored).await?;
    must_be_free(core, &caller, &[came, stored.content.clone()]).await?;
    let asset = store::insert(&core.db, &permit, user, &stored, &name, core.clock.now()).await?;
    // Somebody who has chosen one meanwhile keeps it.
    if users::find(core, user).await?.profile.is_some() {
        return Ok(());
    }
    set_portrait(core, &caller, Some(asset.id)).await
}
