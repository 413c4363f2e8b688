//! Password recovery and changes.
//!
//! A recovery request does not reveal whether an address is known: both cases are counted and answered alike, and no
//! sooner than [`ANSWER_AFTER`].

use std::time::Duration;

use secrecy::SecretString;
use uuid::Uuid;

use super::proofs::store::ProofKind;
use super::proofs::verification::link_invalid;
use super::request_origin::RequestOrigin;
use super::secrets::{slowdown, tokens};
use super::sessions::{self, NewSession};
use super::user::User;
use super::{api_keys, check, proofs, quota, store, user_cache};
use crate::database;
use crate::mail::{self, Content, Email};
use crate::{Caller, Core, Error, Result};

/// Longer than the work for a known address takes, so that timing does not reveal accounts.
const ANSWER_AFTER: Duration = Duration::from_millis(250);

/// Mails a link for setting a new password, if a user has this address.
///
/// # Errors
/// [`Error::Invalid`] for an invalid address; [`Error::RateLimited`] after too many requests from one network or for
/// one address, known or not; [`Error::Unavailable`] if too much mail waits.
pub async fn forgot_password(core: &Core, email: &str, origin: &RequestOrigin) -> Result<()> {
    let email = check::email(email).map_err(|message| Error::invalid("email", message))?;
    let settings = &core.settings.sign_in;
    if let Some(address) = origin.address {
        quota::take(core, "mail", &slowdown::network(address), settings.mails_per_address_per_hour).await?;
    }
    quota::take(core, "mail", &email, settings.mails_per_account_per_hour).await?;
    let (sent, ()) = tokio::join!(send_link(core, &email), tokio::time::sleep(ANSWER_AFTER));
    sent
}

async fn send_link(core: &Core, email: &str) -> Result<()> {
    let Some(known) = store::credentials(&core.db, email).await?.filter(|known| !known.is_disabled) else {
        return Ok(());
    };
    let user = super::find(core, known.id).await?;
    let (proof, now, minutes) = (Uuid::now_v7(), core.clock.now(), core.settings.sign_in.reset_minutes);
    let expires_at = now + chrono::TimeDelta::minutes(i64::from(minutes));
    let mut tx = database::begin(&core.db).await?;
    proofs::store::insert(&mut tx, proof, user.id, ProofKind::Password, email, now, expires_at).await?;
    let content = Content::ResetPassword { name: user.name.clone(), proof, minutes };
    mail::queue(core, &mut tx, &Email { to: email.to_owned(), language: user.language, content }).await?;
    tx.commit().await?;
    mail::wake_sending(core);
    Ok(())
}

/// Sets a password with the link from the mail, ends all sessions of the user, and signs this browser in.
///
/// The link also verifies the address. If it was not verified before, another person may have signed up with it, so the
/// existing API keys are revoked too.
///
/// # Errors
/// [`Error::Invalid`] for a password that is too short or too long; `AUTH_LINK_INVALID` for a used or expired link.
pub async fn reset_password(
    core: &Core,
    code: &SecretString,
    password: &SecretString,
    origin: &RequestOrigin,
) -> Result<NewSession> {
    check::password(password).map_err(|message| Error::invalid("password", message))?;
    let proof = mail::proof_of(core, code).await?.ok_or_else(link_invalid)?;
    let hash = core.users.hasher.hash(password).await?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let (id, email) = proofs::store::take(&mut tx, proof, ProofKind::Password, now).await?.ok_or_else(link_invalid)?;
    store::set_password(&mut tx, id, &hash).await?;
    if store::verify_email(&mut tx, id, &email, now).await? {
        api_keys::store::revoke_all(&mut tx, id, now).await?;
    }
    proofs::store::void(&mut tx, id, ProofKind::Password).await?;
    sessions::store::end_others(&mut tx, id, None).await?;
    user_cache::record_revocation(&mut tx, id).await?;
    tx.commit().await?;
    user_cache::invalidate(core, id).await;
    // The owner must not wait for delays that other people's guesses caused.
    slowdown::after_success(core, &email, origin).await;
    let user = super::find(core, id).await?;
    notify_changed(core, &user).await;
    sessions::begin(core, user, origin).await
}

/// Changes the password, or sets the first one of a user with linked providers. Ends all sessions except the one of
/// this token.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::Invalid`] for a wrong
/// current password or a new one that is too short or too long; [`Error::RateLimited`] after too many wrong ones.
pub async fn change_password(
    core: &Core,
    caller: &Caller,
    token: &str,
    current: Option<&SecretString>,
    new: &SecretString,
) -> Result<()> {
    check::password(new).map_err(|message| Error::invalid("password", message))?;
    let user = confirm_password(core, caller, current).await?;
    let hash = core.users.hasher.hash(new).await?;
    let mut tx = database::begin(&core.db).await?;
    store::set_password(&mut tx, user.id, &hash).await?;
    sessions::store::end_others(&mut tx, user.id, tokens::hash_of(token).as_ref()).await?;
    proofs::store::void(&mut tx, user.id, ProofKind::Password).await?;
    user_cache::record_revocation(&mut tx, user.id).await?;
    tx.commit().await?;
    user_cache::invalidate(core, user.id).await;
    notify_changed(core, &user).await;
    Ok(())
}

/// The caller, after checking their password. For users without a password, the session is enough. An API key never is.
pub(in crate::users) async fn confirm_password(
    core: &Core,
    caller: &Caller,
    password: Option<&SecretString>,
) -> Result<std::sync::Arc<User>> {
    caller.in_session()?;
    let user = super::current(core, caller).await?;
    let hash = store::password_hash(&core.db, user.id).await?;
    if hash.is_none() {
        return Ok(user);
    }
    // Guesses in an unattended session are slowed like all others.
    slowdown::before(core, &user.email, &RequestOrigin::default()).await?;
    let is_correct = match password {
        Some(password) => core.users.hasher.verify(password, hash).await?,
        None => false,
    };
    if !is_correct {
        return Err(Error::invalid("current", "this is not your password"));
    }
    slowdown::after_success(core, &user.email, &RequestOrigin::default()).await;
    Ok(user)
}

/// Mails the owner that the password was changed.
async fn notify_changed(core: &Core, user: &User) {
    let content = Content::PasswordChanged { name: user.name.clone() };
    mail::send_or_log(core, &Email { to: user.email.clone(), language: user.language, content }).await;
}
