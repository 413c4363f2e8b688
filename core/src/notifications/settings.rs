//! Which notifications a user wants by mail. The default is none.

use super::{NotificationKind, notices, store};
use crate::{Caller, Core, Result};

/// Kinds that are also mailed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotificationSettings {
    pub mailed: Vec<NotificationKind>,
}

pub async fn settings(core: &Core, caller: &Caller) -> Result<NotificationSettings> {
    let user = caller.signed_in()?;
    let kinds = store::mailed_kinds(&core.db, user).await?;
    Ok(NotificationSettings { mailed: kinds.into_iter().map(NotificationKind::from_number).collect() })
}

/// Changes the caller's settings and returns them.
pub async fn set_settings(
    core: &Core,
    caller: &Caller,
    mut settings: NotificationSettings,
) -> Result<NotificationSettings> {
    let user = caller.signed_in()?;
    settings.mailed.sort_unstable();
    settings.mailed.dedup();
    let kinds: Vec<i16> = settings.mailed.iter().map(|kind| *kind as i16).collect();
    // Older notices must not be mailed, even if the box was not read since.
    notices::copy_notices(core, user).await?;
    store::set_mailed_kinds(&core.db, user, &kinds, core.clock.now()).await?;
    Ok(settings)
}
