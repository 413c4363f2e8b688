//! Showing that an address is one's own.
//!
//! Whoever has not shown it yet signs in, runs, keeps their pictures and makes API keys like everybody else. What they
//! may not do is reach other people: publish and comment, see [`crate::users::may_publish`].

use std::sync::Arc;

use secrecy::SecretString;
use sqlx::PgConnection;
use uuid::Uuid;

use super::store::{self, Kind};
use crate::audit::{self, Act, Action};
use crate::caller::AdminAct;
use crate::ids::UserId;
use crate::language::Language;
use crate::mail::{self, Content, Letter};
use crate::users::user::{DELETED_NAME, User};
use crate::users::{self, check, memory, quota};
use crate::{Caller, Code, Core, Error, Result};

/// Somebody whose address is to be proven.
pub(in crate::users) struct Unproven<'a> {
    pub user: UserId,
    pub email: &'a str,
    pub name: &'a str,
    pub language: Language,
}

/// Writes a proof down and queues the letter with its link, within the caller's transaction.
pub(in crate::users) async fn ask(core: &Core, connection: &mut PgConnection, whom: &Unproven<'_>) -> Result<()> {
    let (proof, now, hours) = (Uuid::now_v7(), core.clock.now(), core.settings.sign_in.verify_hours);
    let expires_at = now + chrono::TimeDelta::hours(i64::from(hours));
    store::insert(connection, proof, whom.user, Kind::Email, whom.email, now, expires_at).await?;
    let content = Content::VerifyEmail { name: whom.name.to_owned(), proof, hours };
    let letter = Letter { to: whom.email.to_owned(), language: whom.language, content };
    mail::queue(core, connection, &letter).await
}

/// Sends the caller another letter, unless their address is proven already.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::RateLimited`] after too many letters; [`Error::Unavailable`] where too
/// much mail waits.
pub async fn resend_verification(core: &Core, caller: &Caller) -> Result<()> {
    let user = users::current(core, caller).await?;
    if user.email_verified {
        return Ok(());
    }
    quota::take(core, "mail", &user.id.to_string(), core.settings.sign_in.mails_per_account_per_hour).await?;
    let whom = Unproven { user: user.id, email: &user.email, name: &user.name, language: user.language };
    let mut tx = core.db.begin().await?;
    ask(core, &mut tx, &whom).await?;
    tx.commit().await?;
    mail::ring(core);
    Ok(())
}

/// Takes the code of a link as proof that its address is read. Nobody has to be signed in: the mail may have been
/// opened on another machine.
///
/// # Errors
/// [`link_invalid`] for a code that was used, is too old, or none of ours.
pub async fn verify_email(core: &Core, code: &SecretString) -> Result<()> {
    let proof = mail::proof_of(core, code).await?.ok_or_else(link_invalid)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let (user, email) = store::take(&mut tx, proof, Kind::Email, now).await?.ok_or_else(link_invalid)?;
    users::store::verify_email(&mut tx, user, &email, now).await?;
    // Links of earlier letters have nothing left to prove.
    store::void(&mut tx, user, Kind::Email).await?;
    memory::note(&mut tx, user).await?;
    tx.commit().await?;
    memory::forget(core, user).await;
    Ok(())
}

/// Whether letters that are not about the account may go to this person: their address is proven, where anybody can
/// prove theirs, and they have not left.
#[must_use]
pub fn can_be_mailed(core: &Core, user: &User) -> bool {
    user.name != DELETED_NAME && (user.email_verified || !core.mail.reaches_people())
}

/// Takes an operator's word that this address is its owner's.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] for what is no
/// address; [`Error::NotFound`] where nobody has it.
pub async fn confirm(core: &Core, caller: &Caller, email: &str) -> Result<Arc<User>> {
    let by = caller.must_be_admin()?;
    let email = check::email(email).map_err(|message| Error::invalid("email", message))?;
    let known = users::store::credentials(&core.db, &email).await?.ok_or(Error::NotFound { what: "user" })?;
    take_as_confirmed(core, by, known.id, &email).await
}

/// The same of the address of this account, as it is now.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::NotFound`].
pub async fn confirm_account(core: &Core, caller: &Caller, id: UserId) -> Result<Arc<User>> {
    let by = caller.must_be_admin()?;
    let email = users::find(core, id).await?.email.clone();
    take_as_confirmed(core, by, id, &email).await
}

async fn take_as_confirmed(core: &Core, by: AdminAct, id: UserId, email: &str) -> Result<Arc<User>> {
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    users::store::verify_email(&mut tx, id, email, now).await?;
    let act = Act::new(Action::UserConfirm, id).of(id).after(serde_json::json!({ "emailVerified": true }));
    audit::record(&mut tx, by, act, now).await?;
    memory::note(&mut tx, id).await?;
    tx.commit().await?;
    memory::forget(core, id).await;
    users::find(core, id).await
}

/// The code of a link proves nothing (any more).
pub(in crate::users) fn link_invalid() -> Error {
    Error::refused(Code::AuthLinkInvalid, "this link was used before, or is too old")
}
