//! Account deletion.
//!
//! One transaction deletes name, address, password, picture, contact points, sessions, keys, identities, blocks and
//! mail; the address is free for a new account. The row stays under an anonymous name: as the author of published
//! things and the owner of ledger entries, which are kept for accounting. Remaining credits cannot be spent and expire.
//! All other data is deleted in the background; see `account_deletion`.

use secrecy::SecretString;

use super::user::DELETED_NAME;
use super::{api_keys, blocks, contact_points, identities, proofs, quota, recovery, sessions, store, user_cache};
use crate::database;
use crate::ids::UserId;
use crate::mail::{self, Content, Email};
use crate::{Caller, Core, Error, Result};

/// An export reads all data of a user.
const EXPORTS_PER_HOUR: u32 = 6;

/// Confirms that the caller wants to delete the account.
#[derive(Debug)]
pub enum DeletionProof {
    /// For users with a password.
    Password(SecretString),
    /// The user's name, for users without a password.
    Name(String),
}

/// Deletes the caller's account.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::Invalid`] for a wrong
/// password or name; [`Error::RateLimited`] after too many wrong passwords; [`Error::Unavailable`] if too much mail
/// waits.
pub async fn delete(core: &Core, caller: &Caller, proof: &DeletionProof) -> Result<()> {
    let password = match proof {
        DeletionProof::Password(password) => Some(password),
        DeletionProof::Name(_) => None,
    };
    let user = recovery::confirm_password(core, caller, password).await?;
    if let DeletionProof::Name(name) = proof
        && name.trim() != user.name
    {
        return Err(Error::invalid("name", "this is not your name"));
    }
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    sessions::store::end_others(&mut tx, user.id, None).await?;
    api_keys::store::delete_all(&mut tx, user.id).await?;
    identities::store::delete_all(&mut tx, user.id).await?;
    proofs::store::delete_all(&mut tx, user.id).await?;
    contact_points::store::delete_all(&mut tx, user.id).await?;
    blocks::delete_all(&mut tx, user.id).await?;
    store::delete(&mut tx, user.id, DELETED_NAME, now).await?;
    mail::forget(&mut tx, &user.email).await?;
    let content = Content::AccountDeleted { name: user.name.clone() };
    let email = Email { to: user.email.clone(), language: user.language, content };
    mail::queue(core, &mut tx, &email).await?;
    user_cache::record_revocation(&mut tx, user.id).await?;
    tx.commit().await?;
    user_cache::invalidate(core, user.id).await;
    mail::wake_sending(core);
    Ok(())
}

/// Deleted users whose data is not completely deleted yet, after this id and in order.
pub async fn deleted_users(core: &Core, after: Option<UserId>, limit: i64) -> Result<Vec<UserId>> {
    Ok(store::deleted_users(&core.db, after, limit).await?)
}

/// Records that all data of a deleted user is gone.
pub async fn mark_cleaned_up(core: &Core, user: UserId) -> Result<()> {
    Ok(store::mark_cleaned_up(&core.db, user, core.clock.now()).await?)
}

/// Checks that the caller may export their data, and counts the export.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::RateLimited`].
pub async fn authorize_export(core: &Core, caller: &Caller) -> Result<std::sync::Arc<super::User>> {
    let user = super::current(core, caller).await?;
    if matches!(caller.auth_method, crate::caller::AuthMethod::ApiKey(_)) {
        return Err(Error::Forbidden);
    }
    quota::take(core, "export", &user.id.to_string(), EXPORTS_PER_HOUR).await?;
    Ok(user)
}
