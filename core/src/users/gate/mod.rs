//! Permits for writes.
//!
//! Creating, changing or saying something requires a [`WritePermit`], and publishing requires a [`PublishPermit`]. Only this
//! gate issues them, and the functions that write rows demand them: a function that forgets the check does not compile.
//! Actions that a banned user keeps need no permit: reading, signing in and out, exporting, hiding and deleting their
//! things, canceling their jobs, ending sessions and revoking keys.
//!
//! A third check before publishing, whether a moderator has hidden the same bytes, belongs to the room that stores
//! them: `assets::Exposure`.

mod permit;

use std::sync::Arc;

pub use permit::{PublishPermit, WritePermit};

use super::user::User;
use super::{current, find};
use crate::caller::AuthMethod;
use crate::ids::UserId;
use crate::{Caller, Code, Core, Error, Result};

/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Banned`].
pub async fn may_take_part(core: &Core, caller: &Caller) -> Result<WritePermit> {
    if caller.auth_method == AuthMethod::System {
        return Ok(WritePermit::new());
    }
    let id = caller.signed_in()?;
    let Some(user) = person(core, id).await? else { return Ok(WritePermit::new()) };
    match user.ban_at(core.clock.now()) {
        Some(ban) => Err(Error::Banned { until: ban.until, reason: ban.reason.clone() }),
        None => Ok(WritePermit::new()),
    }
}

/// Issues a permit to publish. Without SMTP no address can be verified, and none needs to be. Admins and the platform
/// itself need no verified address.
///
/// # Errors
/// As [`may_take_part`]; [`Error::Refused`] with `AUTH_EMAIL_UNVERIFIED`.
pub async fn may_publish(core: &Core, caller: &Caller) -> Result<PublishPermit> {
    let permit = may_take_part(core, caller).await?;
    if !caller.admin && core.mail.uses_smtp() && !current(core, caller).await?.email_verified {
        return Err(Error::refused(Code::AuthEmailUnverified, "confirm your e-mail address first"));
    }
    Ok(PublishPermit::new(permit, caller.admin))
}

/// `None` for a deleted user; the calling function handles that.
async fn person(core: &Core, id: UserId) -> Result<Option<Arc<User>>> {
    match find(core, id).await {
        Ok(user) => Ok(Some(user)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
