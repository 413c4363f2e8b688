//! Checks the credentials of open streams: while a stream runs, a key can be revoked, a session can end, or an account
//! can be deleted.
//!
//! An invalidation of the user (see `user_cache`) triggers a check. Sessions are also checked when they should end, and
//! all credentials every [`RECHECK_INTERVAL`], in case a message between nodes was lost.

use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::secrets::tokens::{self, TokenHash};
use super::{AuthenticatedUser, api_keys, sessions};
use crate::ids::UserId;
use crate::{Core, Result};

/// How often credentials are checked without an invalidation.
const RECHECK_INTERVAL: Duration = Duration::from_secs(300);
/// Delay after a database error.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// The credentials of a request.
#[derive(Debug, Clone, Copy)]
pub enum Credential<'a> {
    ApiKey(&'a str),
    Session(&'a str),
}

/// Watches one stream's credentials.
pub struct AuthWatch {
    core: Core,
    kind: CredentialKind,
    hash: TokenHash,
    user: UserId,
    ends_at: Option<DateTime<Utc>>,
    invalidations: Receiver<UserId>,
    /// An invalidation was received and not checked yet.
    needs_check: bool,
}

#[derive(Debug, Clone, Copy)]
enum CredentialKind {
    ApiKey,
    Session,
}

impl AuthWatch {
    /// Starts to watch these credentials; `None` if they are not valid.
    pub async fn start(core: &Core, credential: Credential<'_>) -> Result<Option<Self>> {
        let (kind, token) = match credential {
            Credential::ApiKey(token) => (CredentialKind::ApiKey, token),
            Credential::Session(token) => (CredentialKind::Session, token),
        };
        // Subscribed before the check, so that no invalidation is missed.
        let invalidations = core.users.invalidations();
        let Some(hash) = tokens::hash_of(token) else { return Ok(None) };
        let Some(found) = authenticate(core, kind, hash).await? else { return Ok(None) };
        let (user, ends_at) = (found.user.id, found.expires_at);
        Ok(Some(Self { core: core.clone(), kind, hash, user, ends_at, invalidations, needs_check: false }))
    }

    /// Waits until the credentials are invalid. Cancel-safe.
    pub async fn ended(&mut self) {
        loop {
            if self.needs_check {
                match Box::pin(authenticate(&self.core, self.kind, self.hash)).await {
                    Ok(Some(found)) => self.ends_at = found.expires_at,
                    Ok(None) => return,
                    Err(error) => {
                        tracing::warn!(%error, user.id = %self.user, "cannot check the credentials of a stream");
                        tokio::time::sleep(RETRY_DELAY).await;
                        continue;
                    }
                }
                self.needs_check = false;
            }
            let until =
                self.ends_at.and_then(|at| (at - self.core.clock.now()).to_std().ok()).unwrap_or(RECHECK_INTERVAL);
            tokio::select! {
                received = self.invalidations.recv() => match received {
                    Ok(user) => self.needs_check = user == self.user,
                    Err(RecvError::Lagged(_)) => self.needs_check = true,
                    Err(RecvError::Closed) => return,
                },
                () = tokio::time::sleep(until.min(RECHECK_INTERVAL)) => self.needs_check = true,
            }
        }
    }
}

async fn authenticate(
    core: &Core,
    kind: CredentialKind,
    hash: TokenHash,
) -> Result<Option<std::sync::Arc<AuthenticatedUser>>> {
    match kind {
        CredentialKind::ApiKey => api_keys::by_hash(core, hash).await,
        CredentialKind::Session => sessions::by_hash(core, hash).await,
    }
}
