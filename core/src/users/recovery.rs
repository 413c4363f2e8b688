//! Lost passwords, and new ones.
//!
//! Whoever asks for a new password learns nothing about the address: known or not, it is counted, answered alike, and
//! answered no sooner than [`ANSWER_AFTER`].

use std::time::Duration;

use secrecy::SecretString;
use uuid::Uuid;

use super::origin::Origin;
use super::proofs::store::Kind;
use super::proofs::verification::link_invalid;
use super::secrets::{slowdown, tokens};
use super::sessions::{self, NewSession};
use super::user::User;
use super::{api_keys, check, memory, proofs, quota, store};
use crate::mail::{self, Content, Letter};
use crate::{Caller, Core, Error, Result};

/// Longer than the work for a known address takes, so that time does not tell who has an account.
const ANSWER_AFTER: Duration = Duration::from_millis(250);

/// Sends a link to a new password, where somebody has this address.
///
/// # Errors
/// [`Error::Invalid`] for what is no address; [`Error::RateLimited`] after too many questions from one place or about
/// one address, known or not; [`Error::Unavailable`] where too much mail waits.
pub async fn forgot_password(core: &Core, email: &str, origin: &Origin) -> Result<()> {
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
    let mut tx = core.db.begin().await?;
    proofs::store::insert(&mut tx, proof, user.id, Kind::Password, email, now, expires_at).await?;
    let content = Content::ResetPassword { name: user.name.clone(), proof, minutes };
    mail::queue(core, &mut tx, &Letter { to: email.to_owned(), language: user.language, content }).await?;
    tx.commit().await?;
    mail::ring(core);
    Ok(())
}

/// Sets the password of whoever got the link, ends all of their sessions, and signs this browser in.
///
/// The link also proves the address. Where it was not proven before, somebody else may have signed up with it: the
/// keys that they made end as well.
///
/// # Errors
/// [`Error::Invalid`] for a password that is too short or too long; `AUTH_LINK_INVALID` for a link that was used or is
/// too old.
pub async fn reset_password(
    core: &Core,
    code: &SecretString,
    password: &SecretString,
    origin: &Origin,
) -> Result<NewSession> {
    check::password(password).map_err(|message| Error::invalid("password", message))?;
    let proof = mail::proof_of(core, code).await?.ok_or_else(link_invalid)?;
    let hash = core.users.hasher.hash(password).await?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let (id, email) = proofs::store::take(&mut tx, proof, Kind::Password, now).await?.ok_or_else(link_invalid)?;
    store::set_password(&mut tx, id, &hash).await?;
    if store::verify_email(&mut tx, id, &email, now).await? {
        api_keys::store::revoke_all(&mut tx, id, now).await?;
    }
    proofs::store::void(&mut tx, id, Kind::Password).await?;
    sessions::store::end_others(&mut tx, id, None).await?;
    memory::note(&mut tx, id).await?;
    tx.commit().await?;
    memory::forget(core, id).await;
    // Whoever reads the mail need not wait for somebody else's guesses to be over.
    slowdown::after_success(core, &email, origin).await;
    let user = super::find(core, id).await?;
    tell_changed(core, &user).await;
    sessions::begin(core, user, origin).await
}

/// Sets another password, or the first one of somebody who signs in through others. Ends all sessions but the one of
/// this token.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::Invalid`] for a wrong current
/// password or a new one that is too short or too long; [`Error::RateLimited`] after too many wrong ones.
pub async fn change_password(
    core: &Core,
    caller: &Caller,
    token: &str,
    current: Option<&SecretString>,
    new: &SecretString,
) -> Result<()> {
    check::password(new).map_err(|message| Error::invalid("password", message))?;
    let user = prove(core, caller, current).await?;
    let hash = core.users.hasher.hash(new).await?;
    let mut tx = core.db.begin().await?;
    store::set_password(&mut tx, user.id, &hash).await?;
    sessions::store::end_others(&mut tx, user.id, tokens::presented(token).as_ref()).await?;
    proofs::store::void(&mut tx, user.id, Kind::Password).await?;
    memory::note(&mut tx, user.id).await?;
    tx.commit().await?;
    memory::forget(core, user.id).await;
    tell_changed(core, &user).await;
    Ok(())
}

/// The caller, after they have shown that they know their password. Whoever has none has shown enough by being signed
/// in. An API key is never enough.
pub(in crate::users) async fn prove(
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
    // Guesses at the open session of somebody who went for a coffee are slowed like all others.
    slowdown::before(core, &user.email, &Origin::default()).await?;
    let right = match password {
        Some(password) => core.users.hasher.verify(password, hash).await?,
        None => false,
    };
    if !right {
        return Err(Error::invalid("current", "this is not your password"));
    }
    slowdown::after_success(core, &user.email, &Origin::default()).await;
    Ok(user)
}

/// Tells the owner that the password is another one.
async fn tell_changed(core: &Core, user: &User) {
    let content = Content::PasswordChanged { name: user.name.clone() };
    mail::send_or_log(core, &Letter { to: user.email.clone(), language: user.language, content }).await;
}
