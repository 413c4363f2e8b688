//! Keys of programs: named, revocable, shown once.

pub(in crate::users) mod api_key;
pub(in crate::users) mod store;

use std::sync::Arc;

use secrecy::SecretString;

use super::memory::{self, SignedIn};
use super::secrets::tokens;
use crate::caller::Via;
use crate::ids::ApiKeyId;
use crate::{Caller, Code, Core, Error, Result, names};
use api_key::ApiKey;

/// Characters of a key's name.
const NAME_CHARACTERS: usize = 50;

/// A key that was just made. The key itself is nowhere else: show it to its owner.
#[derive(Debug)]
pub struct NewApiKey {
    pub api_key: ApiKey,
    pub key: SecretString,
}

/// Makes a key for the caller.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::Banned`];
/// [`Error::Invalid`] for a name of no or more than 50 characters; [`Error::Conflict`] with `API_KEY_LIMIT` where there are too many.
pub async fn create_api_key(core: &Core, caller: &Caller, name: &str) -> Result<NewApiKey> {
    let user = caller.in_session()?;
    let permit = super::may_take_part(core, caller).await?;
    let name = names::trimmed(name, 1..=NAME_CHARACTERS).filter(|name| !name.chars().any(names::is_hidden));
    let name =
        name.ok_or_else(|| Error::invalid("name", format!("a key's name has 1 to {NAME_CHARACTERS} characters")))?;
    let limit = core.settings.limits.api_keys_per_account;
    let (key, hash, prefix) = tokens::api_key();
    let api_key = ApiKey {
        id: ApiKeyId::new(),
        name,
        prefix,
        created_at: core.clock.now(),
        last_used_at: None,
        revoked_at: None,
    };
    if !store::insert(&core.db, &permit, user, &api_key, &hash, limit).await? {
        return Err(Error::conflict(Code::ApiKeyLimit, format!("an account has at most {limit} live api keys")));
    }
    Ok(NewApiKey { api_key, key })
}

/// The caller's keys, the newest first; revoked ones too.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn api_keys(core: &Core, caller: &Caller) -> Result<Vec<ApiKey>> {
    Ok(store::list(&core.db, caller.signed_in()?).await?)
}

/// Revokes one of the caller's keys; it works nowhere from then on. Harmless when repeated.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::NotFound`] where it is none
/// of theirs.
pub async fn revoke_api_key(core: &Core, caller: &Caller, id: ApiKeyId) -> Result<()> {
    let user = caller.in_session()?;
    if !store::revoke(&core.db, user, id, core.clock.now()).await? {
        return Err(Error::NotFound { what: "api key" });
    }
    memory::forget(core, user).await;
    Ok(())
}

/// Whose key this is. A warm key asks no database; that it was used is written down beside the request.
///
/// # Errors
/// [`Error::ApiKeyInvalid`] for a key that is unknown or revoked, or whose owner is disabled.
pub async fn by_api_key(core: &Core, key: &str) -> Result<Arc<SignedIn>> {
    let hash = Some(key)
        .filter(|key| key.starts_with(tokens::API_KEY_START))
        .and_then(tokens::presented)
        .ok_or(Error::ApiKeyInvalid)?;
    let now = core.clock.now();
    let signed_in = by_hash(core, hash).await?.ok_or(Error::ApiKeyInvalid)?;
    if signed_in.is_to_be_noted(now)
        && let Some(id) = signed_in.api_key()
    {
        let db = core.db.clone();
        tokio::spawn(async move {
            if let Err(error) = store::note(&db, id, now).await {
                tracing::warn!(%error, api_key.id = %id, "the use of api key {id} was not written down");
            }
        });
    }
    Ok(signed_in)
}

/// Whose key has this hash; `None` for one that is unknown or revoked, or whose owner is disabled.
pub(super) async fn by_hash(core: &Core, hash: tokens::TokenHash) -> Result<Option<Arc<SignedIn>>> {
    if let Some(known) = core.users.signed_in(&hash, core.clock.now()) {
        return Ok(Some(known));
    }
    let generation = core.users.generation();
    let Some((id, user)) = store::find(&core.db, &hash).await? else { return Ok(None) };
    let caller = Caller { user: Some(user.id), admin: user.is_admin, via: Via::ApiKey(id), trace: None };
    let found = Arc::new(SignedIn::new(Arc::new(user), caller, None));
    core.users.remember(hash, &found, generation);
    Ok(Some(found))
}
