//! The platform's own account.

use super::store;
use crate::caller::AuthMethod;
use crate::ids::UserId;
use crate::language::Language;
use crate::{Caller, Core, Error, Result};

/// The platform as the author of what it publishes itself, such as generators. No user can sign in to this account: it
/// has no password, and its address is none.
///
/// # Errors
/// For database errors.
pub async fn house(core: &Core) -> Result<Caller> {
    let user = match store::by_email(&core.db, store::HOUSE).await? {
        Some(user) => user,
        None => insert(core).await?,
    };
    Ok(Caller { user: Some(user), admin: true, auth_method: AuthMethod::System, trace: None })
}

async fn insert(core: &Core) -> Result<UserId> {
    let new = store::NewUser {
        email: store::HOUSE,
        name: "Verdigraph",
        password_hash: None,
        language: Language::En,
        plan: core.settings.first_plan().map_or("Free", |plan| plan.name.as_str()),
        email_verified: false,
        now: core.clock.now(),
    };
    match store::insert(&mut *core.db.acquire().await?, &new).await {
        // Another node was first.
        Err(Error::AuthAlreadyEmail) => {
            store::by_email(&core.db, store::HOUSE).await?.ok_or_else(|| Error::Internal("no house account".into()))
        }
        other => other,
    }
}
