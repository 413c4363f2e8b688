//! API keys: named, revocable, shown once.

pub(in crate::users) mod api_key;
pub(in crate::users) mod store;

use std::sync::Arc;

use secrecy::SecretString;

use super::secrets::tokens;
use super::user_cache::{self, AuthenticatedUser};
use crate::caller::AuthMethod;
use crate::ids::ApiKeyId;
use crate::{Caller, Code, Core, Error, Result, names};
use api_key::ApiKey;

const NAME_CHARACTERS: usize = 50;

/// A new key. The key itself is not stored: show it to its owner.
#[derive(Debug)]
pub struct NewApiKey {
    pub api_key: ApiKey,
    pub key: SecretString,
}

/// Creates a key for the caller.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::Banned`];
/// [`Error::Invalid`] for an empty name or more than 50 characters; [`Error::Conflict`] with `API_KEY_LIMIT` if there
/// are too many.
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

/// The caller's keys, newest first, including revoked ones.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn api_keys(core: &Core, caller: &Caller) -> Result<Vec<ApiKey>> {
    Ok(store::list(&core.db, caller.signed_in()?).await?)
}

/// Revokes one of the caller's keys; it stops working everywhere. Idempotent.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::NotFound`] if the caller
/// has no such key.
pub async fn revoke_api_key(core: &Core, caller: &Caller, id: ApiKeyId) -> Result<()> {
    let user = caller.in_session()?;
    if !store::revoke(&core.db, user, id, core.clock.now()).await? {
        return Err(Error::NotFound { what: "api key" });
    }
    user_cache::invalidate(core, user).await;
    Ok(())
}

/// The user of this key. A cached key needs no query; its use is recorded in the background.
///
/// # Errors
/// [`Error::ApiKeyInvalid`] for an unknown or revoked key, or one of a disabled user.
pub async fn by_api_key(core: &Core, key: &str) -> Result<Arc<AuthenticatedUser>> {
    let hash = Some(key)
        .filter(|key| key.starts_with(tokens::API_KEY_START))
        .and_then(tokens::hash_of)
        .ok_or(Error::ApiKeyInvalid)?;
    let now = core.clock.now();
    let signed_in = by_hash(core, hash).await?.ok_or(Error::ApiKeyInvalid)?;
    if signed_in.should_record_use(now)
        && let Some(id) = signed_in.api_key()
    {
        let db = core.db.clone();
        tokio::spawn(async move {
            if let Err(error) = store::note(&db, id, now).await {
                tracing::warn!(%error, api_key.id = %id, "cannot record the use of api key {id}");
            }
        });
    }
    Ok(signed_in)
}

/// The user of the key with this hash; `None` if it is unknown or revoked, or its user is disabled.
pub(super) async fn by_hash(core: &Core, hash: tokens::TokenHash) -> Result<Option<Arc<AuthenticatedUser>>> {
    if let Some(known) = core.users.by_token(&hash, core.clock.now()) {
        return Ok(Some(known));
    }
    let generation = core.users.generation();
    let Some((id, user)) = store::find(&core.db, &hash).await? else { return Ok(None) };
    let caller = Caller { user: Some(user.id), admin: user.is_admin, auth_method: AuthMethod::ApiKey(id), trace: None };
    let found = Arc::new(AuthenticatedUser::new(Arc::new(user), caller, None));
    core.users.insert_token(hash, &found, generation);
    Ok(Some(found))
}
