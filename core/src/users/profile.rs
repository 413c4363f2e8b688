//! Changes of a user's name, language, ceilings and picture.

use std::sync::Arc;

use super::gate::may_take_part;
use super::user::{Ceilings, User};
use super::{check, current, find, store, user_cache};
use crate::ids::{AssetId, UserId};
use crate::language::Language;
use crate::{Caller, Core, Error, Result};

/// The highest ceiling: what one grant can give.
const MAX_CEILING: i64 = 1_000_000_000_000;

/// Changes the caller's name, and the tag if another user has the same name and tag.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a name that is too short or too long.
pub async fn set_name(core: &Core, caller: &Caller, name: &str) -> Result<Arc<User>> {
    let id = caller.signed_in()?;
    let permit = may_take_part(core, caller).await?;
    let name = check::name(name).map_err(|message| Error::invalid("name", message))?;
    store::set_name(&core.db, &permit, id, &name).await?;
    user_cache::invalidate(core, id).await;
    current(core, caller).await
}

/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn set_language(core: &Core, caller: &Caller, language: Language) -> Result<Arc<User>> {
    let id = caller.signed_in()?;
    store::set_language(&core.db, id, language).await?;
    user_cache::invalidate(core, id).await;
    current(core, caller).await
}

/// Changes the most that the caller wants to spend. Runs that are accepted already keep the ceiling of a run that they had.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a ceiling outside of 1 to [`MAX_CEILING`].
pub async fn set_ceilings(core: &Core, caller: &Caller, ceilings: Ceilings) -> Result<Arc<User>> {
    let id = caller.signed_in()?;
    for (field, ceiling) in [("perRun", ceilings.run), ("perDay", ceilings.day)] {
        if ceiling.is_some_and(|most| !(1..=MAX_CEILING).contains(&most)) {
            return Err(Error::invalid(field, format!("must be between 1 and {MAX_CEILING}")));
        }
    }
    store::set_ceilings(&core.db, id, ceilings).await?;
    user_cache::invalidate(core, id).await;
    current(core, caller).await
}

/// Sets the user's picture; `None` removes it. The calling room has checked that it may be public.
pub async fn set_profile(core: &Core, id: UserId, picture: Option<AssetId>) -> Result<Arc<User>> {
    store::set_profile(&core.db, id, picture).await?;
    user_cache::invalidate(core, id).await;
    find(core, id).await
}
