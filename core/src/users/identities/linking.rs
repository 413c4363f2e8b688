//! Connecting an account with Google and Discord, so that either leads in, and disconnecting them.
//!
//! The way to the provider and back is that of signing in, and belongs to the person who began it. Nobody can take
//! away the last way into their own account.

use std::sync::Arc;

use secrecy::SecretString;

use super::social::{self, Started};
use super::store;
use crate::users::origin::Origin;
use crate::users::providers::{Provider, Told};
use crate::users::user::User;
use crate::users::{self, memory};
use crate::{Caller, Code, Core, Error, Result};

/// What a browser comes back with from a provider that is to be connected.
#[derive(Debug)]
pub struct LinkReturn {
    pub code: SecretString,
    pub state: String,
    /// The browser's cookie.
    pub browser: String,
}

/// Begins to connect the caller's account with a provider.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; `AUTH_IDENTITY_EXISTS` where one of this
/// provider is connected; as [`social::start_social`].
pub async fn start_linking(core: &Core, caller: &Caller, provider: Provider, origin: &Origin) -> Result<Started> {
    let user = person(core, caller).await?;
    if user.providers.contains(&provider) {
        return Err(has_one(provider));
    }
    social::start(core, provider, origin, Some(user.id)).await
}

/// Ends it: from now on the caller signs in there too.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; `AUTH_SOCIAL_EXPIRED` for a way that this
/// person did not begin in this browser; `AUTH_SOCIAL_REFUSED`, `AUTH_SOCIAL_EMAIL` as [`social::finish_social`];
/// `AUTH_IDENTITY_TAKEN` where the account there signs somebody else in; `AUTH_IDENTITY_EXISTS`.
pub async fn finish_linking(core: &Core, caller: &Caller, provider: Provider, back: LinkReturn) -> Result<Arc<User>> {
    let user = person(core, caller).await?;
    let flow = social::take(core, provider, &back.state, &back.browser, Some(user.id)).await?;
    let told = core.users.providers.told(provider, &back.code, &flow.nonce, &flow.verifier, &core.clock).await?;
    connect(core, &user, &told).await?;
    memory::forget(core, user.id).await;
    users::find(core, user.id).await
}

async fn connect(core: &Core, user: &User, told: &Told) -> Result<()> {
    let mut tx = core.db.begin().await?;
    // Held until the end, so that of two at once one sees the other.
    users::store::lock(&mut tx, user.id).await?;
    match store::owner(&mut tx, told).await? {
        Some(owner) if owner == user.id => return Ok(()),
        Some(_) => {
            let name = told.provider.word();
            let message = format!("this {name} account signs somebody else in here");
            return Err(Error::conflict(Code::AuthIdentityTaken, message));
        }
        None => {}
    }
    if store::providers_of(&mut tx, user.id).await?.contains(&told.provider) {
        return Err(has_one(told.provider));
    }
    if !store::insert_free(&mut tx, user.id, told, core.clock.now()).await? {
        let message = format!("this {} account signs somebody else in here", told.provider.word());
        return Err(Error::conflict(Code::AuthIdentityTaken, message));
    }
    memory::note(&mut tx, user.id).await?;
    tx.commit().await?;
    Ok(())
}

/// Disconnects a provider from the caller's account. One that is not connected is no error.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; `AUTH_LAST_WAY` where the caller could not
/// sign in any more: no password, and no other provider that is offered here.
pub async fn unlink(core: &Core, caller: &Caller, provider: Provider) -> Result<Arc<User>> {
    let user = person(core, caller).await?;
    let mut tx = core.db.begin().await?;
    let has_password = users::store::lock(&mut tx, user.id).await?;
    let connected = store::providers_of(&mut tx, user.id).await?;
    let offered = social::providers(core);
    let another = connected.iter().any(|other| *other != provider && offered.contains(other));
    if connected.contains(&provider) && !has_password && !another {
        return Err(Error::refused(Code::AuthLastWay, "this is your only way to sign in; set a password first"));
    }
    store::delete(&mut tx, user.id, provider).await?;
    memory::note(&mut tx, user.id).await?;
    tx.commit().await?;
    memory::forget(core, user.id).await;
    users::find(core, user.id).await
}

/// The caller in their browser: a program with a key changes no ways to sign in.
async fn person(core: &Core, caller: &Caller) -> Result<Arc<User>> {
    caller.in_session()?;
    users::current(core, caller).await
}

fn has_one(provider: Provider) -> Error {
    let message = format!("a {} account is connected already", provider.word());
    Error::conflict(Code::AuthIdentityExists, message)
}
