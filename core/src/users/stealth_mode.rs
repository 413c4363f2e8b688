//! Stealth Mode, which only some plans include.

use crate::ids::UserId;
use crate::{Core, Error, Result};

use super::find;

/// Whether a user may hide published things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StealthMode {
    Allowed,
    /// With the names of the plans that include it.
    NotInPlan(Vec<String>),
}

impl StealthMode {
    /// Stealth Mode of a user's plan; a missing user has none.
    pub async fn of(core: &Core, user: UserId) -> Result<Self> {
        let plan = match find(core, user).await {
            Ok(user) => core.settings.plan(user.plan_at(&core.settings.plans, core.clock.now())),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        if plan.is_some_and(|plan| plan.private) {
            return Ok(Self::Allowed);
        }
        let plans = core.settings.plans.iter().filter(|plan| plan.private);
        Ok(Self::NotInPlan(plans.map(|plan| plan.name.clone()).collect()))
    }

    /// # Errors
    /// [`Error::StealthModeRequired`].
    pub fn must_have(&self) -> Result<()> {
        match self {
            Self::Allowed => Ok(()),
            Self::NotInPlan(plans) => Err(Error::StealthModeRequired { plans: plans.clone() }),
        }
    }
}
