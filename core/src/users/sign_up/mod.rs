//! Signing up with an address and a password.
//!
//! ```text
//! mail reaches people:   form ── sign_up ──► pending ── finish_sign_up(code) ──► account with a proven address, session
//!                                               └── expires, or too many wrong codes ──► nothing
//! mail reaches no one:   form ── sign_up ──► account with an unproven address, session
//! ```
//!
//! Where mail reaches people, a known and a new address are answered alike, and no account exists before its address is
//! proven: only the mail says which of the two it was. Where it does not, a known address is refused by name, since
//! nothing else could tell its owner.

pub(in crate::users) mod form;
pub(in crate::users) mod store;

#[cfg(test)]
mod tests;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;
use uuid::Uuid;

use super::proofs::verification::{self, Unproven};
use super::sessions::{self, NewSession};
use super::{Origin, check, quota};
use crate::language::Language;
use crate::mail::{self, Content, Letter};
use crate::{Code, Core, Error, Result, users};
use form::SignUp;
use store::PendingRow;

/// How long a code can be entered.
const CODE_MINUTES: u32 = 30;
/// Codes that may be tried for one sign-up.
const TRIES: i32 = 5;

/// What a sign-up came to.
#[derive(Debug)]
pub enum SignedUp {
    /// There is an account, and its owner is signed in.
    Account(NewSession),
    /// The mailed code is to be given to [`finish_sign_up`].
    CodeSent(PendingSignUp),
}

impl SignedUp {
    /// The session, where the account was made at once.
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
    /// The address as it is kept.
    pub email: String,
    pub expires_at: DateTime<Utc>,
}

/// Begins an account. Where mail reaches people, the address gets a code, or, if it has an account, a mail that says so.
/// Elsewhere the account is made at once.
///
/// # Errors
/// [`Error::InvalidFields`] with every wrong field; [`Error::AuthTermsRequired`]; [`Error::RateLimited`] for too many
/// from one network or for one address; [`Error::Unavailable`] where too many people sign in at once. Where mail reaches
/// no one, [`Error::AuthAlreadyEmail`], [`Error::AuthLinkedGoogle`] and [`Error::AuthLinkedDiscord`] for an address that
/// has an account.
pub async fn sign_up(core: &Core, form: &SignUp, origin: &Origin) -> Result<SignedUp> {
    let checked = check::sign_up(form)?;
    // Counted before anything is told.
    count_sign_up(core, origin).await?;
    quota::take(core, "sign-up", &checked.email, core.settings.sign_in.mails_per_account_per_hour).await?;
    let known = users::store::credentials(&core.db, &checked.email).await?;
    if core.mail.reaches_people() {
        // Hashed for a known address too, so that both take the same time.
        let password_hash = core.users.hasher.hash(&form.password).await?;
        let row = PendingRow { email: checked.email, name: checked.name, password_hash, language: form.language };
        return Ok(SignedUp::CodeSent(begin_pending(core, row, known).await?));
    }
    // Looked at before the costly hash; the unique constraint decides.
    if let Some(known) = known {
        tell_owner(core, &checked.email, &known).await?;
        return Err(sessions::taken(&known));
    }
    let hash = core.users.hasher.hash(&form.password).await?;
    let new = NewAccount { email: &checked.email, name: &checked.name, hash: &hash, language: form.language };
    let mut tx = core.db.begin().await?;
    let id = insert(core, &mut tx, &new, false).await?;
    let whom = Unproven { user: id, email: new.email, name: new.name, language: form.language };
    verification::ask(core, &mut tx, &whom).await?;
    tx.commit().await?;
    mail::ring(core);
    Ok(SignedUp::Account(sessions::begin(core, users::find(core, id).await?, origin).await?))
}

/// Makes the account of a pending sign-up, whose address the mailed code proves, and signs its owner in.
///
/// # Errors
/// `AUTH_CODE_WRONG` for another code; `AUTH_CODE_EXPIRED` for a sign-up that is over: it took too long, had too many
/// wrong codes, or is finished; [`Error::AuthAlreadyEmail`] where the address got an account in the meantime.
pub async fn finish_sign_up(core: &Core, id: Uuid, code: &SecretString, origin: &Origin) -> Result<NewSession> {
    if !store::spend_try(&core.db, id, TRIES, core.clock.now()).await? {
        return Err(code_expired());
    }
    if !mail::is_short_code_of(core, id, code).await? {
        return Err(Error::refused(Code::AuthCodeWrong, "this is not the code that was mailed"));
    }
    let mut tx = core.db.begin().await?;
    let row = store::take(&mut tx, id).await?.ok_or_else(code_expired)?;
    let new = NewAccount { email: &row.email, name: &row.name, hash: &row.password_hash, language: row.language };
    let user = insert(core, &mut tx, &new, true).await?;
    tx.commit().await?;
    sessions::begin(core, users::find(core, user).await?, origin).await
}

async fn begin_pending(
    core: &Core,
    row: PendingRow,
    known: Option<users::store::Credentials>,
) -> Result<PendingSignUp> {
    // Random in all its bits: only the browser that signs up is given the id.
    let (id, now) = (Uuid::new_v4(), core.clock.now());
    let expires_at = now + TimeDelta::minutes(i64::from(CODE_MINUTES));
    let mut tx = core.db.begin().await?;
    store::insert(&mut tx, id, &row, now, expires_at).await?;
    if known.is_none() {
        let content = Content::SignUpCode { name: row.name, proof: id, minutes: CODE_MINUTES };
        mail::queue(core, &mut tx, &Letter { to: row.email.clone(), language: row.language, content }).await?;
    }
    tx.commit().await?;
    mail::ring(core);
    if let Some(known) = known {
        tell_owner(core, &row.email, &known).await?;
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

/// Counts an attempt at a new account for the network it comes from.
pub(super) async fn count_sign_up(core: &Core, origin: &Origin) -> Result<()> {
    let Some(address) = origin.address else { return Ok(()) };
    let most = core.settings.sign_in.sign_ups_per_address_per_hour;
    quota::take(core, "sign-up", &users::secrets::slowdown::network(address), most).await
}

/// Tells the owner of an account that its address was used to sign up, and how to get into the account. Once a day at
/// most; the owner of a disabled account is not told.
async fn tell_owner(core: &Core, email: &str, known: &users::store::Credentials) -> Result<()> {
    if known.is_disabled || !quota::is_first_of_day(core, "sign-up-tried", email).await {
        return Ok(());
    }
    let user = users::find(core, known.id).await?;
    let provider = known.providers.first().filter(|_| known.password_hash.is_none());
    let provider = provider.map(|provider| provider.word().to_owned());
    let content = Content::SignUpTried { name: user.name.clone(), provider };
    mail::send_or_log(core, &Letter { to: email.to_owned(), language: user.language, content }).await;
    Ok(())
}

fn code_expired() -> Error {
    Error::refused(Code::AuthCodeExpired, "this sign-up took too long or had too many wrong codes; begin again")
}
