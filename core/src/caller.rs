//! The caller of a verb. `http` authenticates; rooms authorize.

use std::net::IpAddr;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::ids::{ApiKeyId, UserId};

/// How the caller authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// Not signed in.
    Guest,
    /// A session cookie.
    Session,
    /// An API key; `Lane::Api` by default.
    ApiKey(ApiKeyId),
    /// The platform itself: start-up, sweeps, command line.
    System,
}

/// The caller of a verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The signed-in user.
    pub user: Option<UserId>,
    /// Whether the user is an admin.
    pub admin: bool,
    pub auth_method: AuthMethod,
    /// The admin's request, for the audit log; `None` for other callers.
    pub trace: Option<Arc<Trace>>,
}

/// An HTTP request, as the audit log identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// As in the response header and in the log.
    pub request_id: String,
    /// The client's address, if known.
    pub address: Option<IpAddr>,
}

/// Proof of admin rights for one action.
///
/// Only [`Caller::must_be_admin`] and [`Caller::authority_over`] create it, and it must be used: by `audit::record` for
/// a change, by [`AdminAct::read_only`] otherwise. A verb therefore cannot forget the audit log.
#[must_use = "pass it to `audit::record`, or mark the verb with `read_only`"]
#[derive(Debug, Clone)]
pub struct AdminAct {
    admin: Option<UserId>,
    trace: Option<Arc<Trace>>,
}

impl AdminAct {
    /// The verb changes nothing, so nothing is recorded.
    pub fn read_only(self) {}

    /// The admin; `None` for the platform and its command line.
    #[must_use]
    pub fn admin(&self) -> Option<UserId> {
        self.admin
    }

    #[must_use]
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref()
    }
}

/// The right by which a caller changes something.
#[must_use = "pass it to `audit::record_if_admin`, which records admins' actions on others' things"]
#[derive(Debug)]
pub enum Authority {
    /// The caller owns it, or is the platform.
    Ordinary,
    /// Another user owns it, and the caller is an admin.
    Admin(AdminAct),
}

impl Caller {
    #[must_use]
    pub fn guest() -> Self {
        Self { user: None, admin: false, auth_method: AuthMethod::Guest, trace: None }
    }

    /// A signed-in user without admin rights.
    #[must_use]
    pub fn customer(user: UserId) -> Self {
        Self { user: Some(user), admin: false, auth_method: AuthMethod::Session, trace: None }
    }

    /// The platform itself.
    #[must_use]
    pub fn system() -> Self {
        Self { user: None, admin: true, auth_method: AuthMethod::System, trace: None }
    }

    /// The signed-in user; guests get [`Error::LoginRequired`].
    pub fn signed_in(&self) -> Result<UserId> {
        self.user.ok_or(Error::LoginRequired)
    }

    /// The user of a browser session. Credentials (passwords, sessions, keys, providers, account deletion) cannot be
    /// changed with an API key: a leaked key must not give lasting access or lock the owner out.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest, [`Error::SessionRequired`] for an API key.
    pub fn in_session(&self) -> Result<UserId> {
        match self.auth_method {
            AuthMethod::ApiKey(_) => Err(Error::SessionRequired),
            AuthMethod::Guest | AuthMethod::Session | AuthMethod::System => self.signed_in(),
        }
    }

    /// Requires an admin in a browser session, or the platform. For verbs that give access to other machines, which a
    /// leaked API key must not.
    ///
    /// # Errors
    /// As [`Caller::must_be_admin`]; [`Error::SessionRequired`] for an API key.
    pub fn must_be_admin_in_session(&self) -> Result<AdminAct> {
        let act = self.must_be_admin()?;
        match self.auth_method {
            AuthMethod::ApiKey(_) => Err(Error::SessionRequired),
            AuthMethod::Guest | AuthMethod::Session | AuthMethod::System => Ok(act),
        }
    }

    /// Adds the HTTP request of the caller.
    #[must_use]
    pub fn with_trace(mut self, trace: Trace) -> Self {
        self.trace = Some(Arc::new(trace));
        self
    }

    /// Whether the caller is `owner` or an admin, for reading. Writes use [`Caller::authority_over`].
    #[must_use]
    pub fn owns_or_admin(&self, owner: UserId) -> bool {
        self.admin || self.user == Some(owner)
    }

    /// The user whose things are counted: the caller's own, or all (`None`) for an admin.
    pub fn own_or_all(&self) -> Result<Option<UserId>> {
        if self.admin { Ok(None) } else { self.signed_in().map(Some) }
    }

    /// The caller's right to change something of `owner`.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for users other than the owner and admins.
    pub fn authority_over(&self, owner: UserId) -> Result<Authority> {
        if self.auth_method == AuthMethod::System || self.user == Some(owner) {
            return Ok(Authority::Ordinary);
        }
        self.must_be_admin().map(Authority::Admin)
    }

    /// Requires an admin or the platform.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for other users.
    pub fn must_be_admin(&self) -> Result<AdminAct> {
        match (self.admin, self.user) {
            (true, _) => Ok(AdminAct { admin: self.user, trace: self.trace.clone() }),
            (false, None) => Err(Error::LoginRequired),
            (false, Some(_)) => Err(Error::Forbidden),
        }
    }
}
