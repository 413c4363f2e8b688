//! The one gate for writes.
//!
//! Whoever makes, changes or says something needs a [`Permit`], and whoever lets others see it a [`PublishPermit`]. The
//! gate alone gives them, and the functions that write rows demand them, so that a verb which forgets to ask does not
//! compile. What stays open to whoever is banned needs none: reading, signing in and out, taking away, exporting, hiding
//! and deleting what is theirs, cancelling their jobs, ending sessions and revoking keys.
//!
//! The third thing that is asked before others see something, whether a moderator has hidden the same bytes, belongs to
//! the room that keeps them: `assets::Exposure`.

mod permit;

use std::sync::Arc;

pub use permit::{Permit, PublishPermit};

use super::user::User;
use super::{current, find};
use crate::caller::Via;
use crate::ids::UserId;
use crate::{Caller, Code, Core, Error, Result};

/// Asks for a permit to take part.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Banned`].
pub async fn may_take_part(core: &Core, caller: &Caller) -> Result<Permit> {
    if caller.via == Via::System {
        return Ok(Permit::new());
    }
    let id = caller.signed_in()?;
    let Some(user) = person(core, id).await? else { return Ok(Permit::new()) };
    match user.ban_at(core.clock.now()) {
        Some(ban) => Err(Error::Banned { until: ban.until, reason: ban.reason.clone() }),
        None => Ok(Permit::new()),
    }
}

/// Asks for a permit to reach others. Where mail reaches nobody (no SMTP server is set), nobody could prove an address,
/// and none is demanded. Operators and the platform itself need no proof.
///
/// # Errors
/// As [`may_take_part`]; [`Error::Refused`] with `AUTH_EMAIL_UNVERIFIED`.
pub async fn may_publish(core: &Core, caller: &Caller) -> Result<PublishPermit> {
    let permit = may_take_part(core, caller).await?;
    if !caller.admin && core.mail.reaches_people() && !current(core, caller).await?.email_verified {
        return Err(Error::refused(Code::AuthEmailUnverified, "confirm your e-mail address first"));
    }
    Ok(PublishPermit::new(permit, caller.admin))
}

/// Whoever has left is signed in nowhere; the verb finds that out.
async fn person(core: &Core, id: UserId) -> Result<Option<Arc<User>>> {
    match find(core, id).await {
        Ok(user) => Ok(Some(user)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
