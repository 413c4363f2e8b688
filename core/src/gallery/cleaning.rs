//! Cleaning of outputs that were stored before files were cleaned on arrival, or whose cleaning failed then.

use std::collections::HashSet;

use super::expiry::expiry;
use super::store;
use crate::assets::{self, CLEANED_AT_ONCE, ContentHash, StoredFile, VideoSupport};
use crate::database;
use crate::{Core, Result};

/// Cleans a few outputs, the newest first, and returns their number. Prompt and graph are stored separately for users
/// who may read them. The clean file replaces the old one in one transaction, and old addresses redirect to it. Later
/// rounds finish an interrupted one.
pub async fn clean_outputs(core: &Core) -> Result<u64> {
    let played = core.files.video_support() == VideoSupport::Enabled;
    let (mut done, mut failed) = (0, 0);
    let claimed: HashSet<_> = store::clean::claim(&core.db, played, CLEANED_AT_ONCE).await?.into_iter().collect();
    for old in claimed {
        match core.files.reclean(&old).await {
            Ok(stored) if stored.embedded.columns().0 => {
                done += replace(core, &old, &stored).await?;
            }
            Ok(_) => failed += 1,
            Err(error) => {
                failed += 1;
                tracing::warn!(%error, file.content = old.as_str(), "cannot clean an output");
            }
        }
    }
    if done + failed > 0 {
        tracing::info!(clean = done, failed, "outputs were cleaned of embedded metadata");
    }
    Ok(done)
}

/// Cleans this file now, if it is an uncleaned output of any user, deleted or not.
///
/// # Errors
/// [`crate::Error::NotFound`] where its bytes are deleted.
pub async fn clean_now(core: &Core, content: &ContentHash) -> Result<()> {
    if !store::clean::is_unclean(&core.db, content).await? {
        return Ok(());
    }
    let stored = core.files.reclean(content).await?;
    if stored.embedded.columns().0 {
        replace(core, content, &stored).await?;
    }
    Ok(())
}

async fn replace(core: &Core, old: &ContentHash, clean: &StoredFile) -> Result<u64> {
    let mut tx = database::begin(&core.db).await?;
    let moved = store::clean::replace(&mut tx, old, clean).await?;
    if assets::record_move_tx(core, &mut tx, old, clean).await? {
        let expires_at = expiry(core.clock.now(), core.settings.outputs.days);
        store::locks::hide(&mut tx, std::slice::from_ref(&clean.content), expires_at).await?;
    }
    tx.commit().await?;
    Ok(moved)
}
