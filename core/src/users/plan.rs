//! The plan of a user. Read on every submit, so it comes from the cache if possible.

use crate::ids::UserId;
use crate::settings::Plan;
use crate::{Core, Error, Result};

/// The plan of a user, from `config/plans.toml`; [`first_plan`] where the user's is no longer configured.
///
/// # Errors
/// [`Error::NotFound`] if there is no such user.
pub async fn plan(core: &Core, user: UserId) -> Result<&Plan> {
    let user = super::find(core, user).await?;
    core.settings.plan(&user.plan).map_or_else(|| first_plan(core), Ok)
}

/// The plan of new users, and of guests.
///
/// # Errors
/// [`Error::Internal`] only for settings that were not loaded.
pub fn first_plan(core: &Core) -> Result<&Plan> {
    core.settings.first_plan().ok_or_else(|| Error::Internal("no plan is configured".into()))
}
