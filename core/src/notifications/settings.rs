//! What people want to be mailed about. Nobody is mailed about anything that they did not ask for.

use super::{Kind, notices, store};
use crate::{Caller, Core, Result};

/// Kinds that somebody is mailed about, beside finding them in their box.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    pub mailed: Vec<Kind>,
}

/// The caller's settings.
///
/// # Errors
/// [`crate::Error::LoginRequired`].
pub async fn settings(core: &Core, caller: &Caller) -> Result<Settings> {
    let user = caller.signed_in()?;
    let kinds = store::mailed_kinds(&core.db, user).await?;
    Ok(Settings { mailed: kinds.into_iter().map(Kind::from_number).collect() })
}

/// Changes the caller's settings and gives them back.
///
/// # Errors
/// [`crate::Error::LoginRequired`].
pub async fn set_settings(core: &Core, caller: &Caller, mut settings: Settings) -> Result<Settings> {
    let user = caller.signed_in()?;
    settings.mailed.sort_unstable();
    settings.mailed.dedup();
    let kinds: Vec<i16> = settings.mailed.iter().map(|kind| *kind as i16).collect();
    // Notices of before are not news either, even where the box has not been looked at since.
    notices::bring(core, user).await?;
    store::set_mailed_kinds(&core.db, user, &kinds, core.clock.now()).await?;
    Ok(settings)
}
