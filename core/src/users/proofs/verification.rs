//! Verification of addresses.
//!
//! An unverified user can sign in, run jobs, keep their pictures and create API keys. They cannot publish or comment,
//! see [`crate::users::may_publish`].

use std::sync::Arc;

use secrecy::SecretString;
use sqlx::PgConnection;
use uuid::Uuid;

use super::store::{self, ProofKind};
use crate::audit::{self, Act, Action};
use crate::caller::AdminAct;
use crate::database;
use crate::ids::UserId;
use crate::language::Language;
use crate::mail::{self, Content, Email};
use crate::users::user::{DELETED_NAME, User};
use crate::users::{self, check, quota, user_cache};
use crate::{Caller, Code, Core, Error, Result};

/// A user whose address is to be verified.
pub(in crate::users) struct UnverifiedUser<'a> {
    pub user: UserId,
    pub email: &'a str,
    pub name: &'a str,
    pub language: Language,
}

/// Inserts a proof and queues the mail with its link.
pub(in crate::users) async fn ask(core: &Core, connection: &mut PgConnection, whom: &UnverifiedUser<'_>) -> Result<()> {
    let (proof, now, hours) = (Uuid::now_v7(), core.clock.now(), core.settings.sign_in.verify_hours);
    let expires_at = now + chrono::TimeDelta::hours(i64::from(hours));
    store::insert(connection, proof, whom.user, ProofKind::Email, whom.email, now, expires_at).await?;
    let content = Content::VerifyEmail { name: whom.name.to_owned(), proof, hours };
    let letter = Email { to: whom.email.to_owned(), language: whom.language, content };
    mail::queue(core, connection, &letter).await
}

/// Mails the caller another link, unless their address is verified.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::RateLimited`] after too many mails; [`Error::Unavailable`] if too
/// much mail waits.
pub async fn resend_verification(core: &Core, caller: &Caller) -> Result<()> {
    let user = users::current(core, caller).await?;
    if user.email_verified {
        return Ok(());
    }
    quota::take(core, "mail", &user.id.to_string(), core.settings.sign_in.mails_per_account_per_hour).await?;
    let whom = UnverifiedUser { user: user.id, email: &user.email, name: &user.name, language: user.language };
    let mut tx = database::begin(&core.db).await?;
    ask(core, &mut tx, &whom).await?;
    tx.commit().await?;
    mail::wake_sending(core);
    Ok(())
}

/// Verifies an address with the code of a link. No sign-in is needed, because the mail may be opened on another
/// machine.
///
/// # Errors
/// [`link_invalid`] for a used, expired or unknown code.
pub async fn verify_email(core: &Core, code: &SecretString) -> Result<()> {
    let proof = mail::proof_of(core, code).await?.ok_or_else(link_invalid)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let (user, email) = store::take(&mut tx, proof, ProofKind::Email, now).await?.ok_or_else(link_invalid)?;
    users::store::verify_email(&mut tx, user, &email, now).await?;
    // Links of earlier mails are no longer needed.
    store::void(&mut tx, user, ProofKind::Email).await?;
    user_cache::record_revocation(&mut tx, user).await?;
    tx.commit().await?;
    user_cache::invalidate(core, user).await;
    Ok(())
}

/// Whether the user may get mails that are not about the account: the account exists, and its address is verified or
/// cannot be.
#[must_use]
pub fn can_be_mailed(core: &Core, user: &User) -> bool {
    user.name != DELETED_NAME && (user.email_verified || !core.mail.uses_smtp())
}

/// Marks an address as verified on behalf of an operator.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is not an admin; [`Error::Invalid`] for an invalid
/// address; [`Error::NotFound`] if no user has it.
pub async fn confirm(core: &Core, caller: &Caller, email: &str) -> Result<Arc<User>> {
    let by = caller.must_be_admin()?;
    let email = check::email(email).map_err(|message| Error::invalid("email", message))?;
    let known = users::store::credentials(&core.db, &email).await?.ok_or(Error::NotFound { what: "user" })?;
    take_as_confirmed(core, by, known.id, &email).await
}

/// As [`confirm`], for the current address of this account.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is not an admin; [`Error::NotFound`].
pub async fn confirm_account(core: &Core, caller: &Caller, id: UserId) -> Result<Arc<User>> {
    let by = caller.must_be_admin()?;
    let email = users::find(core, id).await?.email.clone();
    take_as_confirmed(core, by, id, &email).await
}

async fn take_as_confirmed(core: &Core, by: AdminAct, id: UserId, email: &str) -> Result<Arc<User>> {
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    users::store::verify_email(&mut tx, id, email, now).await?;
    let act = Act::new(Action::UserConfirm, id).of(id).after(serde_json::json!({ "emailVerified": true }));
    audit::record(&mut tx, by, act, now).await?;
    user_cache::record_revocation(&mut tx, id).await?;
    tx.commit().await?;
    user_cache::invalidate(core, id).await;
    users::find(core, id).await
}

/// The link was used, expired, or never existed.
pub(in crate::users) fn link_invalid() -> Error {
    Error::refused(Code::AuthLinkInvalid, "this link was used before, or is too old")
}
