//! Which plan somebody has; asked on every submit, so it is remembered for a minute.

use crate::ids::UserId;
use crate::{Core, Error, Result};

/// The name of a person's plan, as `config/plans.toml` has it.
///
/// # Errors
/// [`Error::NotFound`] where there is no such person.
pub async fn plan(core: &Core, user: UserId) -> Result<String> {
    if let Some(known) = core.plans.get(&user) {
        return Ok(known);
    }
    let plan = sqlx::query_scalar!("SELECT plan FROM users WHERE id = $1", user.0).fetch_optional(&core.db).await?;
    let plan = plan.ok_or(Error::NotFound { what: "user" })?;
    core.plans.insert(user, plan.clone());
    Ok(plan)
}
