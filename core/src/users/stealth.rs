//! Stealth Mode: what some plans allow and others do not.

use crate::ids::UserId;
use crate::{Core, Error, Result};

use super::plan::plan;

/// Whether somebody may hide what they have published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stealth {
    Has,
    /// With the names of the plans that have it.
    Lacks(Vec<String>),
}

impl Stealth {
    /// What the plan of an account says; one that is gone lacks it.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of(core: &Core, user: UserId) -> Result<Self> {
        let plan = match plan(core, user).await {
            Ok(plan) => core.settings.plan(&plan),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        if plan.is_some_and(|plan| plan.private) {
            return Ok(Self::Has);
        }
        let having = core.settings.plans.iter().filter(|plan| plan.private);
        Ok(Self::Lacks(having.map(|plan| plan.name.clone()).collect()))
    }

    /// Refuses whoever lacks it.
    ///
    /// # Errors
    /// [`Error::StealthModeRequired`].
    pub fn must_have(&self) -> Result<()> {
        match self {
            Self::Has => Ok(()),
            Self::Lacks(plans) => Err(Error::StealthModeRequired { plans: plans.clone() }),
        }
    }
}
