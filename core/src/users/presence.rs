//! Whether somebody who keeps a connection open is still let in: a key can be revoked, a session can end, an account
//! can be deleted while a stream runs.
//!
//! Nothing is asked while nothing happens: what the platform forgets of a person (see `memory`) is heard here, on every
//! node, and then the proof is looked at again. A session is looked at when it should end, too, and everything every
//! [`ANYWAY_EVERY`], for the case that news were lost between nodes.

use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::secrets::tokens::{self, TokenHash};
use super::{SignedIn, api_keys, sessions};
use crate::ids::UserId;
use crate::{Core, Result};

/// How often a proof is looked at although nothing was heard.
const ANYWAY_EVERY: Duration = Duration::from_secs(300);
/// How soon it is looked at again where the database did not answer.
const AGAIN_AFTER: Duration = Duration::from_secs(2);

/// By what a request shows who sends it.
#[derive(Debug, Clone, Copy)]
pub enum Proof<'a> {
    ApiKey(&'a str),
    Session(&'a str),
}

/// Somebody who is here, for as long as the proof that they came with holds.
pub struct Presence {
    core: Core,
    kind: Kind,
    hash: TokenHash,
    user: UserId,
    ends_at: Option<DateTime<Utc>>,
    forgotten: Receiver<UserId>,
    /// What was heard has not been looked into yet.
    in_doubt: bool,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    ApiKey,
    Session,
}

impl Presence {
    /// Whoever shows this proof; `None` where it proves nothing (any more).
    ///
    /// # Errors
    /// Database errors.
    pub async fn of(core: &Core, proof: Proof<'_>) -> Result<Option<Self>> {
        let (kind, token) = match proof {
            Proof::ApiKey(token) => (Kind::ApiKey, token),
            Proof::Session(token) => (Kind::Session, token),
        };
        // Listened to before the look, so that nothing falls between the two.
        let forgotten = core.users.forgotten();
        let Some(hash) = tokens::presented(token) else { return Ok(None) };
        let Some(found) = look(core, kind, hash).await? else { return Ok(None) };
        let (user, ends_at) = (found.user.id, found.expires_at);
        Ok(Some(Self { core: core.clone(), kind, hash, user, ends_at, forgotten, in_doubt: false }))
    }

    /// Waits until they are not let in any more. It may be dropped and called again.
    pub async fn ended(&mut self) {
        loop {
            if self.in_doubt {
                match Box::pin(look(&self.core, self.kind, self.hash)).await {
                    Ok(Some(found)) => self.ends_at = found.expires_at,
                    Ok(None) => return,
                    Err(error) => {
                        tracing::warn!(%error, user.id = %self.user, "a proof could not be looked at for a stream");
                        tokio::time::sleep(AGAIN_AFTER).await;
                        continue;
                    }
                }
                self.in_doubt = false;
            }
            let until = self.ends_at.and_then(|at| (at - self.core.clock.now()).to_std().ok()).unwrap_or(ANYWAY_EVERY);
            tokio::select! {
                heard = self.forgotten.recv() => match heard {
                    Ok(user) => self.in_doubt = user == self.user,
                    Err(RecvError::Lagged(_)) => self.in_doubt = true,
                    Err(RecvError::Closed) => return,
                },
                () = tokio::time::sleep(until.min(ANYWAY_EVERY)) => self.in_doubt = true,
            }
        }
    }
}

async fn look(core: &Core, kind: Kind, hash: TokenHash) -> Result<Option<std::sync::Arc<SignedIn>>> {
    match kind {
        Kind::ApiKey => api_keys::by_hash(core, hash).await,
        Kind::Session => sessions::by_hash(core, hash).await,
    }
}
