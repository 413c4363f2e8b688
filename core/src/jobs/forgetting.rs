//! What is left of the jobs of somebody who left: when they ran, and what they cost.

use super::store::forgetting;
use crate::ids::UserId;
use crate::{Core, Result};

/// Forgets what somebody's jobs were told and what they said: forms, prompts, texts, names of files, keys. The rows stay
/// for the books. For somebody who left, once all their jobs have ended.
///
/// # Errors
/// Database errors; what was forgotten stays so.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    while forgetting::forget_jobs(&core.db, user).await? > 0 {}
    forgetting::forget_keys(&core.db, user).await?;
    while forgetting::forget_prompts(&core.db, user).await? > 0 {}
    Ok(())
}
