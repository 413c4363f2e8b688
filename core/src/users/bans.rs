//! Bans: whoever is banned reads on, signs in and out, takes away and exports what is theirs; they publish nothing, say
//! nothing, like nothing and run nothing. What runs already goes on. The gate (`gate.rs`) holds them off.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{User, store};
use crate::Result;
use crate::ids::UserId;

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
