//! The plan of a user. Read on every submit, so it comes from the cache if possible.

use crate::ids::UserId;
use crate::{Core, Result};

/// The name of a user's plan, from `config/plans.toml`.
///
/// # Errors
/// [`crate::Error::NotFound`] if there is no such user.
pub async fn plan(core: &Core, user: UserId) -> Result<String> {
    Ok(super::find(core, user).await?.plan.clone())
}
