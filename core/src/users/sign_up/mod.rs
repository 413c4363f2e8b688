//! Sign-up with an address and a password.
//!
//! ```text
//! with SMTP:     form ── sign_up ──► pending ── finish_sign_up(code) ──► account with a verified address, session
//!                                       └── expires, or too many wrong codes ──► nothing
//! without SMTP:  form ── sign_up ──► account with an unverified address, session
//! ```
//!
//! With SMTP, known and new addresses get the same answer, and an account exists only after its address is verified:
//! the mail alone tells which case it was. Without SMTP, a known address is refused by name, because its owner could
//! not be told otherwise.

pub(in crate::users) mod form;
pub(in crate::users) mod store;

#[cfg(test)]
mod tests;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;
use uuid::Uuid;

use super::proofs::verification::{self, UnverifiedUser};
use super::sessions::{self, NewSession};
use super::{RequestOrigin, check, quota};
use crate::database;
use crate::language::Language;
use crate::mail::{self, Content, Email};
use crate::{Code, Core, Error, Result, users};
use form::SignUp;
use store::PendingRow;

/// Validity of a code.
const CODE_MINUTES: u32 = 30;
/// Attempts per sign-up.
const TRIES: i32 = 5;

/// The result of a sign-up.
#[derive(Debug)]
pub enum SignUpOutcome {
    /// The account exists, and its owner is signed in.
    Account(NewSession),
    /// A code was mailed; pass it to [`finish_sign_up`].
    CodeSent(PendingSignUp),
}

impl SignUpOutcome {
    /// The session, if the account was created at once.
    #[must_use]
    pub fn session(self) -> Option<NewSession> {
        match self {
            Self::Account(session) => Some(session),
            Self::CodeSent(_) => None,
        }
    }
}

/// A sign-up that waits for its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSignUp {
    pub id: Uuid,
    /// The normalized address.
    pub email: String,
    pub expires_at: DateTime<Utc>,
}

/// Starts a sign-up. With SMTP, the address gets a code, or a notice if it has an account. Without SMTP, the account is
/// created at once.
///
/// # Errors
/// [`Error::InvalidFields`] with all invalid fields; [`Error::AuthTermsRequired`]; [`Error::RateLimited`] for too many
/// from one network or for one address; [`Error::Unavailable`] if too many users sign in at once. Without SMTP,
/// [`Error::AuthAlreadyEmail`], [`Error::AuthLinkedGoogle`] and [`Error::AuthLinkedDiscord`] for the address of an
/// account.
pub async fn sign_up(core: &Core, form: &SignUp, origin: &RequestOrigin) -> Result<SignUpOutcome> {
    let checked = check::sign_up(form)?;
    // Counted before anything is revealed.
    count_sign_up(core, origin).await?;
    quota::take(core, "sign-up", &checked.email, core.settings.sign_in.mails_per_account_per_hour).await?;
    let known = users::store::credentials(&core.db, &checked.email).await?;
    if core.mail.uses_smtp() {
        // Hashed for a known address too, so that both take the same time.
        let password_hash = core.users.hasher.hash(&form.password).await?;
        let row = PendingRow { email: checked.email, name: checked.name, password_hash, language: form.language };
        return Ok(SignUpOutcome::CodeSent(begin_pending(core, row, known).await?));
    }
    // Checked before the expensive hash; the unique constraint is what decides.
    if let Some(known) = known {
        notify_owner(core, &checked.email, &known).await?;
        return Err(sessions::address_in_use(&known));
    }
    let hash = core.users.hasher.hash(&form.password).await?;
    let new = NewAccount { email: &checked.email, name: &checked.name, hash: &hash, language: form.language };
    let mut tx = database::begin(&core.db).await?;
    let id = insert(core, &mut tx, &new, false).await?;
    let whom = UnverifiedUser { user: id, email: new.email, name: new.name, language: form.language };
    verification::ask(core, &mut tx, &whom).await?;
    tx.commit().await?;
    mail::wake_sending(core);
    Ok(SignUpOutcome::Account(sessions::begin(core, users::find(core, id).await?, origin).await?))
}

/// Creates the account of a pending sign-up, whose address the code verifies, and signs its owner in.
///
/// # Errors
/// `AUTH_CODE_WRONG` for a wrong code; `AUTH_CODE_EXPIRED` for a sign-up that expired, had too many wrong codes, or is
/// finished; [`Error::AuthAlreadyEmail`] if the address got an account in the meantime.
pub async fn finish_sign_up(core: &Core, id: Uuid, code: &SecretString, origin: &RequestOrigin) -> Result<NewSession> {
    if !store::spend_try(&core.db, id, TRIES, core.clock.now()).await? {
        return Err(code_expired());
    }
    if !mail::is_short_code_of(core, id, code).await? {
        return Err(Error::refused(Code::AuthCodeWrong, "this is not the code that was mailed"));
    }
    let mut tx = database::begin(&core.db).await?;
    let row = store::take(&mut tx, id).await?.ok_or_else(code_expired)?;
    let new = NewAccount { email: &row.email, name: &row.name, hash: &row.password_hash, language: row.language };
    let user = insert(core, &mut tx, &new, true).await?;
    tx.commit().await?;
    sessions::begin(core, users::find(core, user).await?, origin).await
}

/// Deletes sign-ups whose code has expired; returns how many.
pub async fn delete_expired_sign_ups(core: &Core) -> Result<u64> {
    Ok(store::delete_expired(&core.db, core.clock.now()).await?)
}

async fn begin_pending(
    core: &Core,
    row: PendingRow,
    known: Option<users::store::Credentials>,
) -> Result<PendingSignUp> {
    // Fully random: only the browser that signs up gets the id.
    let id = Uuid::new_v4();
    let expires_at = core.clock.now() + TimeDelta::minutes(i64::from(CODE_MINUTES));
    let mut tx = database::begin(&core.db).await?;
    store::insert(&mut tx, id, &row, expires_at).await?;
    if known.is_none() {
        let content = Content::SignUpCode { name: row.name, proof: id, minutes: CODE_MINUTES };
        mail::queue(core, &mut tx, &Email { to: row.email.clone(), language: row.language, content }).await?;
    }
    tx.commit().await?;
    mail::wake_sending(core);
    if let Some(known) = known {
        notify_owner(core, &row.email, &known).await?;
    }
    Ok(PendingSignUp { id, email: row.email, expires_at })
}

struct NewAccount<'a> {
    email: &'a str,
    name: &'a str,
    hash: &'a str,
    language: Language,
}

async fn insert(
    core: &Core,
    connection: &mut sqlx::PgConnection,
    new: &NewAccount<'_>,
    email_verified: bool,
) -> Result<crate::ids::UserId> {
    let new = users::store::NewUser {
        email: new.email,
        name: new.name,
        password_hash: Some(new.hash),
        language: new.language,
        plan: core.settings.first_plan().map_or("Free", |plan| plan.name.as_str()),
        email_verified,
        now: core.clock.now(),
    };
    users::store::insert(connection, &new).await
}

/// Counts a sign-up from this network.
pub(super) async fn count_sign_up(core: &Core, origin: &RequestOrigin) -> Result<()> {
    let Some(address) = origin.address else { return Ok(()) };
    let most = core.settings.sign_in.sign_ups_per_address_per_hour;
    quota::take(core, "sign-up", &users::secrets::slowdown::network(address), most).await
}

/// Mails the owner of an account that their address was used to sign up, and how to sign in. At most once a day, and
/// not to owners of disabled accounts.
async fn notify_owner(core: &Core, email: &str, known: &users::store::Credentials) -> Result<()> {
    if known.is_disabled || !quota::is_first_of_day(core, "sign-up-tried", email).await {
        return Ok(());
    }
    let user = users::find(core, known.id).await?;
    let provider = known.providers.first().filter(|_| known.password_hash.is_none());
    let provider = provider.map(|provider| provider.word().to_owned());
    let content = Content::SignUpTried { name: user.name.clone(), provider };
    mail::send_or_log(core, &Email { to: email.to_owned(), language: user.language, content }).await;
    Ok(())
}

fn code_expired() -> Error {
    Error::refused(Code::AuthCodeExpired, "this sign-up took too long or had too many wrong codes; begin again")
}
