//! Which plan somebody has; asked on every submit, so it comes from the node's memory where it can.

use crate::ids::UserId;
use crate::{Core, Result};

/// The name of a person's plan, as `config/plans.toml` has it.
///
/// # Errors
/// [`crate::Error::NotFound`] where there is no such person.
pub async fn plan(core: &Core, user: UserId) -> Result<String> {
    Ok(super::find(core, user).await?.plan.clone())
}
