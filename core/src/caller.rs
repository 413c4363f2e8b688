//! Who asks. `http` finds out who it is; the rooms decide what they may.

use std::net::IpAddr;
use std::sync::Arc;

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
    /// The request that an admin acts through; the audit log keeps it. Nobody else's is needed.
    pub trace: Option<Arc<Trace>>,
}

/// One request, as the audit log names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// As the answer's header and the server's log have it.
    pub request_id: String,
    /// Where it came from, as far as that is known.
    pub address: Option<IpAddr>,
}

/// What an admin's rights have just opened, for this one act.
///
/// Only [`Caller::must_be_admin`] and [`Caller::authority_over`] give one, and a verb has to do something with it: what
/// writes hands it to `audit::record`, what only looks says so with [`AdminAct::to_read`]. So no verb for admins can
/// forget the audit log without saying that it changes nothing.
#[must_use = "hand it to `audit::record`, or say with `to_read` that nothing changes"]
#[derive(Debug, Clone)]
pub struct AdminAct {
    admin: Option<UserId>,
    trace: Option<Arc<Trace>>,
}

impl AdminAct {
    /// Nothing changes, so there is nothing to write down.
    pub fn to_read(self) {}

    /// Who acts; `None` for the platform itself and its command line.
    #[must_use]
    pub fn admin(&self) -> Option<UserId> {
        self.admin
    }

    /// The request, where there is one.
    #[must_use]
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref()
    }
}

/// By what right somebody changes a thing.
#[must_use = "hand it to `audit::record_over`: what admins do to others' things is written down"]
#[derive(Debug)]
pub enum Authority {
    /// It is their own, or the platform keeps house.
    Ordinary,
    /// It is somebody else's, and they are an admin.
    Admin(AdminAct),
}

impl Caller {
    /// Somebody who is not signed in.
    #[must_use]
    pub fn guest() -> Self {
        Self { user: None, admin: false, via: Via::Guest, trace: None }
    }

    /// A signed-in person without special rights.
    #[must_use]
    pub fn customer(user: UserId) -> Self {
        Self { user: Some(user), admin: false, via: Via::Session, trace: None }
    }

    /// The platform itself.
    #[must_use]
    pub fn system() -> Self {
        Self { user: None, admin: true, via: Via::System, trace: None }
    }

    /// The signed-in person.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest.
    pub fn signed_in(&self) -> Result<UserId> {
        self.user.ok_or(Error::LoginRequired)
    }

    /// The person, signed in in a browser. Whatever opens the account (passwords, sessions, keys, providers, deleting
    /// it) is not for programs: a key that leaks must neither outlive its owner's counter-measures nor end them.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest, [`Error::SessionRequired`] for an API key.
    pub fn in_session(&self) -> Result<UserId> {
        match self.via {
            Via::ApiKey(_) => Err(Error::SessionRequired),
            Via::Guest | Via::Session | Via::System => self.signed_in(),
        }
    }

    /// Demands an admin who is signed in in a browser, or the platform itself: an API key that leaks must not reach what
    /// opens other machines.
    ///
    /// # Errors
    /// As [`Caller::must_be_admin`]; [`Error::SessionRequired`] for an API key.
    pub fn must_be_admin_in_session(&self) -> Result<AdminAct> {
        let act = self.must_be_admin()?;
        match self.via {
            Via::ApiKey(_) => Err(Error::SessionRequired),
            Via::Guest | Via::Session | Via::System => Ok(act),
        }
    }

    /// The same person, asking through this request.
    #[must_use]
    pub fn through(mut self, trace: Trace) -> Self {
        self.trace = Some(Arc::new(trace));
        self
    }

    /// Whether this is `owner` or an admin, and may look. What writes asks [`Caller::authority_over`].
    #[must_use]
    pub fn owns_or_admin(&self, owner: UserId) -> bool {
        self.admin || self.user == Some(owner)
    }

    /// Whose things the caller counts: everybody's (`None`) for an admin, their own for anybody else.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest.
    pub fn own_or_all(&self) -> Result<Option<UserId>> {
        if self.admin { Ok(None) } else { self.signed_in().map(Some) }
    }

    /// By what right this caller changes something of `owner`'s.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for anybody but the owner and admins.
    pub fn authority_over(&self, owner: UserId) -> Result<Authority> {
        if self.via == Via::System || self.user == Some(owner) {
            return Ok(Authority::Ordinary);
        }
        self.must_be_admin().map(Authority::Admin)
    }

    /// Demands an admin.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for anybody else.
    pub fn must_be_admin(&self) -> Result<AdminAct> {
        match (self.admin, self.user) {
            (true, _) => Ok(AdminAct { admin: self.user, trace: self.trace.clone() }),
            (false, None) => Err(Error::LoginRequired),
            (false, Some(_)) => Err(Error::Forbidden),
        }
    }
}
