//! Uploads that expire at a time that their owner chose. `account_deletion::expire_uploads` deletes them.

mod store;

use chrono::{DateTime, TimeDelta, Utc};

use super::asset::Asset;
use crate::ids::{AssetId, UserId};
use crate::{Caller, Core, Result, users};

/// Uploads of one round.
pub const ENDING_AT_ONCE: i64 = 100;
/// How long before its end an upload is looked at for the first time.
const AHEAD: TimeDelta = TimeDelta::minutes(1);

/// An upload that has expired, or will soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndingUpload {
    pub id: AssetId,
    pub owner: UserId,
    pub has_ended: bool,
}

/// What was there before an upload.
#[derive(Debug)]
pub struct UploadBefore {
    /// The ids of later uploads are greater.
    pub marker: AssetId,
    /// The caller's upload of the same bytes.
    pub known: Option<Asset>,
}

/// Gives an upload of the caller an expiry if it is new or was to expire before, then no earlier. One that was to stay
/// still does, because its owner has it for something else.
///
/// # Errors
/// As [`users::may_take_part`].
pub async fn expire(
    core: &Core,
    caller: &Caller,
    asset: Asset,
    before: &UploadBefore,
    expires_at: DateTime<Utc>,
) -> Result<Asset> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let known = before.known.as_ref().filter(|known| known.id == asset.id);
    let earlier = known.and_then(|known| known.expires_at);
    if asset.user != user || (asset.id <= before.marker && earlier.is_none()) {
        return Ok(asset);
    }
    let expires_at = earlier.map_or(expires_at, |earlier| earlier.max(expires_at));
    store::set(&core.db, &permit, asset.id, expires_at).await?;
    Ok(Asset { expires_at: Some(expires_at), ..asset })
}

/// Lets an upload stay for good; returns 1 if it would have expired.
pub async fn keep(core: &Core, id: AssetId) -> Result<u64> {
    Ok(store::unset(&core.db, id).await?)
}

/// Uploads that have expired, or will within a minute.
pub async fn ending(core: &Core) -> Result<Vec<EndingUpload>> {
    let now = core.clock.now();
    let found = store::ending(&core.db, (now, now + AHEAD), ENDING_AT_ONCE).await?;
    Ok(found.into_iter().map(|(id, owner, has_ended)| EndingUpload { id, owner, has_ended }).collect())
}
