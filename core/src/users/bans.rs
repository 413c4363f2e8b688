//! Bans: whoever is banned reads on, signs in and out, takes away and exports what is theirs; they publish nothing, say
//! nothing, like nothing and run nothing. What runs already goes on.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{User, store};
use crate::ids::UserId;
use crate::{Caller, Core, Error, Result};

/// A ban.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ban {
    pub since: DateTime<Utc>,
    /// `None` for good.
    pub until: Option<DateTime<Utc>>,
    /// What the person is told.
    pub reason: String,
}

impl User {
    /// The ban that holds at this time.
    #[must_use]
    pub fn ban_at(&self, now: DateTime<Utc>) -> Option<&Ban> {
        self.ban.as_ref().filter(|ban| ban.until.is_none_or(|until| until > now))
    }
}

/// Demands that the caller may take part. Guests are for the verb to refuse.
///
/// # Errors
/// [`Error::Banned`].
pub async fn must_not_be_banned(core: &Core, caller: &Caller) -> Result<()> {
    let Some(user) = caller.user else { return Ok(()) };
    let user = match super::find(core, user).await {
        Ok(user) => user,
        // Whoever has left is signed in nowhere; the verb finds that out.
        Err(Error::NotFound { .. }) => return Ok(()),
        Err(error) => return Err(error),
    };
    match user.ban_at(core.clock.now()) {
        Some(ban) => Err(Error::Banned { until: ban.until, reason: ban.reason.clone() }),
        None => Ok(()),
    }
}

/// Bans somebody, in the place of an earlier ban; tells whether there is such a person who is no admin. Call
/// [`super::changed`] after the commit.
///
/// # Errors
/// Database errors.
pub async fn ban_within(tx: &mut PgConnection, user: UserId, ban: &Ban) -> Result<bool> {
    Ok(store::bans::set(tx, user, ban).await?)
}

/// Lifts a ban; tells whether there was one. Call [`super::changed`] after the commit.
///
/// # Errors
/// Database errors.
pub async fn lift_ban_within(tx: &mut PgConnection, user: UserId) -> Result<bool> {
    Ok(store::bans::lift(tx, user).await?)
}
