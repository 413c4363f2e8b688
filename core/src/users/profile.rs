//! What people change of what the platform and others know of them: their name, their language, their picture.

use std::sync::Arc;

use super::gate::may_take_part;
use super::user::User;
use super::{check, current, find, memory, store};
use crate::ids::{AssetId, UserId};
use crate::language::Language;
use crate::{Caller, Core, Error, Result};

/// Gives the caller another name, and another tag where somebody of that name has theirs.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a name that is too short or too long.
pub async fn set_name(core: &Core, caller: &Caller, name: &str) -> Result<Arc<User>> {
    let id = caller.signed_in()?;
    let permit = may_take_part(core, caller).await?;
    let name = check::name(name).map_err(|message| Error::invalid("name", message))?;
    store::set_name(&core.db, &permit, id, &name).await?;
    memory::forget(core, id).await;
    current(core, caller).await
}

/// Sets the language of the pages.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn set_language(core: &Core, caller: &Caller, language: Language) -> Result<Arc<User>> {
    let id = caller.signed_in()?;
    store::set_language(&core.db, id, language).await?;
    memory::forget(core, id).await;
    current(core, caller).await
}

/// Shows this picture beside the person's name; `None` for none. For rooms that have decided that everybody may see it.
///
/// # Errors
/// Database errors.
pub async fn set_profile(core: &Core, id: UserId, picture: Option<AssetId>) -> Result<Arc<User>> {
    store::set_profile(&core.db, id, picture).await?;
    memory::forget(core, id).await;
    find(core, id).await
}
