//! Linking accounts with Google and Discord, and unlinking them.
//!
//! The flow is the one of signing in, and belongs to the user who started it. The last way to sign in cannot be
//! removed.

use std::sync::Arc;

use secrecy::SecretString;

use super::social::{self, SocialStart};
use super::store;
use crate::database;
use crate::users::providers::{Provider, ProviderProfile};
use crate::users::request_origin::RequestOrigin;
use crate::users::user::User;
use crate::users::{self, user_cache};
use crate::{Caller, Code, Core, Error, Result};

/// What the browser returns with from the provider.
#[derive(Debug)]
pub struct LinkCallback {
    pub code: SecretString,
    pub state: String,
    /// The browser's cookie.
    pub browser: String,
}

/// Starts to link the caller's account with a provider.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; `AUTH_IDENTITY_EXISTS` if an
/// account of this provider is linked; as [`social::start_social`].
pub async fn start_linking(
    core: &Core,
    caller: &Caller,
    provider: Provider,
    origin: &RequestOrigin,
) -> Result<SocialStart> {
    let user = current_in_session(core, caller).await?;
    if user.providers.contains(&provider) {
        return Err(already_linked(provider));
    }
    social::start(core, provider, origin, Some(user.id)).await
}

/// Finishes linking: from now on the caller can sign in through the provider.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; `AUTH_SOCIAL_EXPIRED` for a flow of
/// another user or browser; `AUTH_SOCIAL_REFUSED`, `AUTH_SOCIAL_EMAIL` as [`social::finish_social`];
/// `AUTH_IDENTITY_TAKEN` if another user signs in with the provider's account; `AUTH_IDENTITY_EXISTS`.
pub async fn finish_linking(
    core: &Core,
    caller: &Caller,
    provider: Provider,
    callback: LinkCallback,
) -> Result<Arc<User>> {
    let user = current_in_session(core, caller).await?;
    let flow = social::take_flow(core, provider, &callback.state, &callback.browser, Some(user.id)).await?;
    let profile =
        core.users.providers.fetch_profile(provider, &callback.code, &flow.nonce, &flow.verifier, &core.clock).await?;
    link(core, &user, &profile).await?;
    user_cache::invalidate(core, user.id).await;
    users::find(core, user.id).await
}

async fn link(core: &Core, user: &User, profile: &ProviderProfile) -> Result<()> {
    let mut tx = database::begin(&core.db).await?;
    // The row lock serializes concurrent attempts.
    users::store::lock(&mut tx, user.id).await?;
    match store::owner(&mut tx, profile).await? {
        Some(owner) if owner == user.id => return Ok(()),
        Some(_) => {
            let name = profile.provider.word();
            let message = format!("another user signs in with this {name} account");
            return Err(Error::conflict(Code::AuthIdentityTaken, message));
        }
        None => {}
    }
    if store::providers_of(&mut tx, user.id).await?.contains(&profile.provider) {
        return Err(already_linked(profile.provider));
    }
    if !store::insert_free(&mut tx, user.id, profile, core.clock.now()).await? {
        let message = format!("another user signs in with this {} account", profile.provider.word());
        return Err(Error::conflict(Code::AuthIdentityTaken, message));
    }
    user_cache::record_revocation(&mut tx, user.id).await?;
    tx.commit().await?;
    Ok(())
}

/// Unlinks a provider. Does nothing if it is not linked.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; `AUTH_LAST_WAY` if the caller could
/// not sign in any more: no password, and no other configured provider.
pub async fn unlink(core: &Core, caller: &Caller, provider: Provider) -> Result<Arc<User>> {
    let user = current_in_session(core, caller).await?;
    let mut tx = database::begin(&core.db).await?;
    let has_password = users::store::lock(&mut tx, user.id).await?;
    let connected = store::providers_of(&mut tx, user.id).await?;
    let offered = social::providers(core);
    let another = connected.iter().any(|other| *other != provider && offered.contains(other));
    if connected.contains(&provider) && !has_password && !another {
        return Err(Error::refused(Code::AuthLastWay, "this is your only way to sign in; set a password first"));
    }
    store::delete(&mut tx, user.id, provider).await?;
    user_cache::record_revocation(&mut tx, user.id).await?;
    tx.commit().await?;
    user_cache::invalidate(core, user.id).await;
    users::find(core, user.id).await
}

/// The caller, who must be signed in with a browser: API keys cannot change ways to sign in.
async fn current_in_session(core: &Core, caller: &Caller) -> Result<Arc<User>> {
    caller.in_session()?;
    users::current(core, caller).await
}

fn already_linked(provider: Provider) -> Error {
    let message = format!("a {} account is linked already", provider.word());
    Error::conflict(Code::AuthIdentityExists, message)
}
