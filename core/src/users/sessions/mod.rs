//! Signing in and out, and the sessions that come of it.

pub(in crate::users) mod session;
pub(in crate::users) mod store;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;
use uuid::Uuid;

use super::check;
use super::memory::{self, SignedIn};
use super::origin::Origin;
use super::secrets::{slowdown, tokens};
use super::user::User;
use crate::caller::Via;
use crate::{Caller, Core, Error, Result, users};
use session::Session;

/// A session's use is written down when the last one is older than this.
const NOTE_EVERY: TimeDelta = TimeDelta::minutes(10);
/// Characters of a browser's name that are kept.
const USER_AGENT_CHARACTERS: usize = 300;

/// A session that has just begun. The token is nowhere else: give it to the browser.
#[derive(Debug)]
pub struct NewSession {
    pub user: Arc<User>,
    pub token: SecretString,
    pub expires_at: DateTime<Utc>,
}

/// What somebody is told whose address belongs to an account: where that account signs in.
pub(super) fn taken(known: &users::store::Credentials) -> Error {
    match known.providers.first() {
        Some(provider) if known.password_hash.is_none() => provider.linked(),
        _ => Error::AuthAlreadyEmail,
    }
}

/// Signs somebody in.
///
/// # Errors
/// [`Error::AuthWrongCredentials`] for a wrong address and a wrong password alike; [`Error::AuthLinkedGoogle`] and
/// [`Error::AuthLinkedDiscord`] for an account that has no password; [`Error::RateLimited`] after too many attempts;
/// [`Error::AuthDisabled`]; [`Error::Unavailable`] where too many people sign in at once.
pub async fn sign_in(core: &Core, email: &str, password: &SecretString, origin: &Origin) -> Result<NewSession> {
    // What is no address is nobody's address, and is slowed all the same.
    let email = check::email(email).unwrap_or_default();
    slowdown::before(core, &email, origin).await?;
    let known = users::store::credentials(&core.db, &email).await?;
    let hash = known.as_ref().and_then(|known| known.password_hash.clone());
    if !core.users.hasher.verify(password, hash).await? {
        slowdown::after_failure(core, origin).await;
        return Err(match known {
            Some(known) if known.password_hash.is_none() && !known.providers.is_empty() => taken(&known),
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

/// Ends the session of this token. Harmless where there is none.
///
/// # Errors
/// Database errors.
pub async fn sign_out(core: &Core, token: &str) -> Result<()> {
    let Some(hash) = tokens::presented(token) else { return Ok(()) };
    if let Some(user) = store::end_by_token(&core.db, &hash).await? {
        memory::forget(core, user).await;
    }
    Ok(())
}

/// Who has this session token; `None` for one that is unknown or over. A warm token asks no database.
///
/// # Errors
/// Database errors.
pub async fn by_session(core: &Core, token: &str) -> Result<Option<Arc<SignedIn>>> {
    let Some(hash) = tokens::presented(token) else { return Ok(None) };
    by_hash(core, hash).await
}

pub(super) async fn by_hash(core: &Core, hash: tokens::TokenHash) -> Result<Option<Arc<SignedIn>>> {
    let now = core.clock.now();
    if let Some(known) = core.users.signed_in(&hash, now) {
        return Ok(Some(known));
    }
    let generation = core.users.generation();
    let Some(found) = store::find(&core.db, &hash, now).await? else { return Ok(None) };
    let mut expires_at = found.expires_at;
    if now - found.last_seen_at >= NOTE_EVERY {
        expires_at = now + lifetime(core);
        store::note(&core.db, found.id, now, expires_at).await?;
    }
    let user = Arc::new(found.user);
    let caller = Caller { user: Some(user.id), admin: user.is_admin, via: Via::Session, trace: None };
    let signed_in = Arc::new(SignedIn::new(user, caller, Some(expires_at)));
    core.users.remember(hash, &signed_in, generation);
    Ok(Some(signed_in))
}

/// The caller's live sessions, the last used first. `token` is the one that asks, where a session does.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn sessions(core: &Core, caller: &Caller, token: Option<&str>) -> Result<Vec<Session>> {
    let own = token.and_then(tokens::presented);
    Ok(store::list(&core.db, caller.signed_in()?, own.as_ref(), core.clock.now()).await?)
}

/// Ends all of the caller's sessions but the one of this token; tells how many.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key, which must not lock its owner out.
pub async fn revoke_other_sessions(core: &Core, caller: &Caller, token: &str) -> Result<u64> {
    let user = caller.in_session()?;
    let mut tx = core.db.begin().await?;
    let ended = store::end_others(&mut tx, user, tokens::presented(token).as_ref()).await?;
    memory::note(&mut tx, user).await?;
    tx.commit().await?;
    memory::forget(core, user).await;
    Ok(ended)
}

/// Ends one of the caller's sessions.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::NotFound`] where it is none
/// of theirs.
pub async fn revoke_session(core: &Core, caller: &Caller, id: Uuid) -> Result<()> {
    let user = caller.in_session()?;
    if !store::end(&core.db, user, id).await? {
        return Err(Error::NotFound { what: "session" });
    }
    memory::forget(core, user).await;
    Ok(())
}

pub(super) async fn begin(core: &Core, user: Arc<User>, origin: &Origin) -> Result<NewSession> {
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
