//! The admin role.

use std::sync::Arc;

use serde_json::json;

use super::user::User;
use super::{check, store, user_cache};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::UserId;
use crate::{Caller, Code, Core, Error, Result};

/// Makes the user with this address an admin.
///
/// # Errors
/// As [`set_admin`]; [`Error::Invalid`] for an invalid address.
pub async fn promote(core: &Core, caller: &Caller, email: &str) -> Result<Arc<User>> {
    caller.must_be_admin()?.read_only();
    let email = check::email(email).map_err(|message| Error::invalid("email", message))?;
    let known = store::credentials(&core.db, &email).await?.ok_or(Error::NotFound { what: "user" })?;
    set_admin(core, caller, known.id, true).await
}

/// Grants or revokes the admin role. One admin always remains, and admins cannot revoke their own role, because they
/// could not undo a mistake.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is not or no longer an admin; [`Error::NotFound`]; a
/// conflict `ROLE_OWN` or `LAST_ADMIN`.
pub async fn set_admin(core: &Core, caller: &Caller, id: UserId, is_admin: bool) -> Result<Arc<User>> {
    let by = caller.must_be_admin()?;
    if !is_admin && caller.user == Some(id) {
        return Err(Error::conflict(Code::RoleOwn, "admins cannot revoke their own role"));
    }
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let admins = store::bans::lock_admins(&mut tx).await?;
    if !is_admin && admins.len() <= 1 {
        return Err(Error::conflict(Code::LastAdmin, "there must be an admin"));
    }
    // Another admin may have revoked the caller's role since the request was authorized.
    if caller.user.is_some_and(|caller| !admins.contains(&caller)) {
        return Err(Error::Forbidden);
    }
    let changed = store::bans::set_admin(&mut tx, id, is_admin).await?.ok_or(Error::NotFound { what: "user" })?;
    if changed {
        let (before, after) = (json!({ "isAdmin": !is_admin }), json!({ "isAdmin": is_admin }));
        audit::record(&mut tx, by, Act::new(Action::UserRole, id).of(id).before(before).after(after), now).await?;
    } else {
        by.read_only();
    }
    user_cache::record_revocation(&mut tx, id).await?;
    tx.commit().await?;
    user_cache::invalidate(core, id).await;
    super::find(core, id).await
}
