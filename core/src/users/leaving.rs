//! Leaving for good.
//!
//! At once, in one transaction: name, address, password, picture, contact points, sessions, keys, identities, blocks and
//! mail are gone, and the address is free for a new account. The row stays, under a name that tells nobody anything, as the author of
//! what was published and as the owner of ledger entries, which are kept for the books. Credits that are left can be
//! spent by nobody any more, and expire. What else was theirs is cleared away beside the request; see `account_deletion`.

use secrecy::SecretString;

use super::user::DELETED_NAME;
use super::{api_keys, blocks, contact_points, identities, memory, proofs, quota, recovery, sessions, store};
use crate::ids::UserId;
use crate::mail::{self, Content, Letter};
use crate::{Caller, Core, Error, Result};

/// Exports of one's data in an hour: each reads everything that somebody has.
const EXPORTS_PER_HOUR: u32 = 6;

/// How somebody shows that they mean it.
#[derive(Debug)]
pub enum Farewell {
    /// Whoever has a password gives it.
    Password(SecretString),
    /// Everybody else types their name.
    Name(String),
}

/// Deletes the caller's account.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::Invalid`] for a wrong password
/// or name; [`Error::RateLimited`] after too many wrong passwords; [`Error::Unavailable`] where too much mail waits.
pub async fn delete(core: &Core, caller: &Caller, farewell: &Farewell) -> Result<()> {
    let password = match farewell {
        Farewell::Password(password) => Some(password),
        Farewell::Name(_) => None,
    };
    let user = recovery::prove(core, caller, password).await?;
    if let Farewell::Name(name) = farewell
        && name.trim() != user.name
    {
        return Err(Error::invalid("name", "this is not your name"));
    }
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    sessions::store::end_others(&mut tx, user.id, None).await?;
    api_keys::store::delete_all(&mut tx, user.id).await?;
    identities::store::delete_all(&mut tx, user.id).await?;
    proofs::store::delete_all(&mut tx, user.id).await?;
    contact_points::store::delete_all(&mut tx, user.id).await?;
    blocks::delete_all(&mut tx, user.id).await?;
    store::delete(&mut tx, user.id, DELETED_NAME, now).await?;
    mail::forget(&mut tx, &user.email).await?;
    let content = Content::AccountDeleted { name: user.name.clone() };
    let letter = Letter { to: user.email.clone(), language: user.language, content };
    mail::queue(core, &mut tx, &letter).await?;
    memory::note(&mut tx, user.id).await?;
    tx.commit().await?;
    memory::forget(core, user.id).await;
    mail::ring(core);
    Ok(())
}

/// People who left and whose things are not cleared away yet, by their ids and after this one.
///
/// # Errors
/// Database errors.
pub async fn departed(core: &Core, after: Option<UserId>, limit: i64) -> Result<Vec<UserId>> {
    Ok(store::departed(&core.db, after, limit).await?)
}

/// Notes that nothing of somebody who left is to be cleared away any more.
///
/// # Errors
/// Database errors.
pub async fn note_cleared(core: &Core, user: UserId) -> Result<()> {
    Ok(store::note_cleared(&core.db, user, core.clock.now()).await?)
}

/// The caller, who is about to be given everything that is kept about them; counted, because it is much.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::SessionRequired`] for an API key; [`Error::RateLimited`].
pub async fn begin_export(core: &Core, caller: &Caller) -> Result<std::sync::Arc<super::User>> {
    let user = super::current(core, caller).await?;
    if matches!(caller.via, crate::caller::Via::ApiKey(_)) {
        return Err(Error::Forbidden);
    }
    quota::take(core, "export", &user.id.to_string(), EXPORTS_PER_HOUR).await?;
    Ok(user)
}
