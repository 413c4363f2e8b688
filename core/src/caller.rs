//! Who asks. `http` finds out who it is; the rooms decide what they may.

use crate::error::{Error, Result};
use crate::ids::{ApiKeyId, UserId};

/// How the caller proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Nobody signed in.
    Guest,
    /// A session cookie.
    Session,
    /// An API key; `Lane::Api` by default.
    ApiKey(ApiKeyId),
    /// The platform itself (start-up, sweeps, the command line).
    System,
}

/// Whoever asks for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The person, where one is signed in.
    pub user: Option<UserId>,
    /// Whether the person's roles include Admin.
    pub admin: bool,
    pub via: Via,
}

impl Caller {
    /// Somebody who is not signed in.
    #[must_use]
    pub fn guest() -> Self {
        Self { user: None, admin: false, via: Via::Guest }
    }

    /// A signed-in person without special rights.
    #[must_use]
    pub fn customer(user: UserId) -> Self {
        Self { user: Some(user), admin: false, via: Via::Session }
    }

    /// The platform itself.
    #[must_use]
    pub fn system() -> Self {
        Self { user: None, admin: true, via: Via::System }
    }

    /// The signed-in person.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest.
    pub fn signed_in(&self) -> Result<UserId> {
        self.user.ok_or(Error::LoginRequired)
    }

    /// Whether this is `owner` or an admin.
    #[must_use]
    pub fn owns_or_admin(&self, owner: UserId) -> bool {
        self.admin || self.user == Some(owner)
    }

    /// Demands an admin.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for anybody else.
    pub fn must_be_admin(&self) -> Result<()> {
        match (self.admin, self.user) {
            (true, _) => Ok(()),
            (false, None) => Err(Error::LoginRequired),
            (false, Some(_)) => Err(Error::Forbidden),
        }
    }
}
