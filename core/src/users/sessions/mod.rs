//! Sign-in, sign-out and sessions.

pub(in crate::users) mod session;
pub(in crate::users) mod store;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;
use uuid::Uuid;

use super::check;
use super::request_origin::RequestOrigin;
use super::secrets::{slowdown, tokens};
use super::user::User;
use super::user_cache::{self, AuthenticatedUser};
use crate::caller::AuthMethod;
use crate::database;
use crate::{Caller, Core, Error, Result, users};
use session::Session;

/// A session's use is recorded if the last record is older than this.
const RECORD_INTERVAL: TimeDelta = TimeDelta::minutes(10);
/// Stored characters of the user agent.
const USER_AGENT_CHARACTERS: usize = 300;

/// A new session. The token is not stored: give it to the browser.
#[derive(Debug)]
pub struct NewSession {
    pub user: Arc<User>,
    pub token: SecretString,
    pub expires_at: DateTime<Utc>,
}

/// The error for the address of an existing account: it names the way to sign in.
pub(super) fn address_in_use(known: &users::store::Credentials) -> Error {
    match known.providers.first() {
        Some(provider) if known.password_hash.is_none() => provider.linked(),
        _ => Error::AuthAlreadyEmail,
    }
}

/// Signs a user in.
///
/// # Errors
/// [`Error::AuthWrongCredentials`] for an unknown address and a wrong password alike; [`Error::AuthLinkedGoogle`] and
/// [`Error::AuthLinkedDiscord`] for an account without a password; [`Error::RateLimited`] after too many attempts;
/// [`Error::AuthDisabled`]; [`Error::Unavailable`] if too many users sign in at once.
pub async fn sign_in(core: &Core, email: &str, password: &SecretString, origin: &RequestOrigin) -> Result<NewSession> {
    // An invalid address belongs to no account, and is slowed down all the same.
    let email = check::email(email).unwrap_or_default();
    slowdown::before(core, &email, origin).await?;
    let known = users::store::credentials(&core.db, &email).await?;
    let hash = known.as_ref().and_then(|known| known.password_hash.clone());
    if !core.users.hasher.verify(password, hash).await? {
        slowdown::after_failure(core, origin).await;
        return Err(match known {
            Some(known) if known.password_hash.is_none() && !known.providers.is_empty() => address_in_use(&known),
            _ => Error::AuthWrongCredentials,
        });
    }
    let known = known.ok_or(Error::AuthWrongCredentials)?;
    slowdown::after_success(core, &email, origin).await;
    if known.is_disabled {
        return Err(Error::AuthDisabled);
    }
    begin(core, super::find(core, known.id).await?, origin).await
}

/// Ends the session of this token. Does nothing if there is none.
pub async fn sign_out(core: &Core, token: &str) -> Result<()> {
    let Some(hash) = tokens::hash_of(token) else { return Ok(()) };
    if let Some(user) = store::end_by_token(&core.db, &hash).await? {
        user_cache::invalidate(core, user).await;
    }
    Ok(())
}

/// The user of this session token; `None` if it is unknown or expired. A cached token needs no query.
pub async fn by_session(core: &Core, token: &str) -> Result<Option<Arc<AuthenticatedUser>>> {
    let Some(hash) = tokens::hash_of(token) else { return Ok(None) };
    by_hash(core, hash).await
}

pub(super) async fn by_hash(core: &Core, hash: tokens::TokenHash) -> Result<Option<Arc<AuthenticatedUser>>> {
    let now = core.clock.now();
    if let Some(known) = core.users.by_token(&hash, now) {
        return Ok(Some(known));
    }
    let generation = core.users.generation();
    let Some(found) = store::find(&core.db, &hash, now).await? else { return Ok(None) };
    let mut expires_at = found.expires_at;
    if now - found.last_seen_at >= RECORD_INTERVAL {
        expires_at = now + lifetime(core);
        store::note(&core.db, found.id, now, expires_at).await?;
    }
    let user = Arc::new(found.user);
    let caller = Caller { user: Some(user.id), admin: user.is_admin, auth_method: AuthMethod::Session, trace: None };
    let signed_in = Arc::new(AuthenticatedUser::new(user, caller, Some(expires_at)));
    core.users.insert_token(hash, &signed_in, generation);
    Ok(Some(signed_in))
}

/// The caller's valid sessions, last used first. `token` is the current session's, if the request has one.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn sessions(core: &Core, caller: &Caller, token: Option<&str>) -> Result<Vec<Session>> {
    let own = token.and_then(tokens::hash_of);
    Ok(store::list(&core.db, caller.signed_in()?, own.as_ref(), core.clock.now()).await?)
}

/// Ends all of the caller's sessions except the one of this token; returns their number.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key, which must not lock its owner out.
pub async fn revoke_other_sessions(core: &Core, caller: &Caller, token: &str) -> Result<u64> {
    let user = caller.in_session()?;
    let mut tx = database::begin(&core.db).await?;
    let ended = store::end_others(&mut tx, user, tokens::hash_of(token).as_ref()).await?;
    user_cache::record_revocation(&mut tx, user).await?;
    tx.commit().await?;
    user_cache::invalidate(core, user).await;
    Ok(ended)
}

/// Ends one of the caller's sessions.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::NotFound`] if the caller
/// has no such session.
pub async fn revoke_session(core: &Core, caller: &Caller, id: Uuid) -> Result<()> {
    let user = caller.in_session()?;
    if !store::end(&core.db, user, id).await? {
        return Err(Error::NotFound { what: "session" });
    }
    user_cache::invalidate(core, user).await;
    Ok(())
}

pub(super) async fn begin(core: &Core, user: Arc<User>, origin: &RequestOrigin) -> Result<NewSession> {
    let (token, hash) = tokens::session();
    let now = core.clock.now();
    let expires_at = now + lifetime(core);
    let user_agent = origin
        .user_agent
        .as_ref()
        .map(|text| text.chars().filter(|c| !c.is_control()).take(USER_AGENT_CHARACTERS).collect::<String>());
    let new = store::NewSessionRow { hash: &hash, user_agent, address: origin.address, now, expires_at };
    store::insert(&core.db, user.id, new).await?;
    Ok(NewSession { user, token, expires_at })
}

fn lifetime(core: &Core) -> TimeDelta {
    TimeDelta::days(i64::from(core.settings.sessions.days))
}
