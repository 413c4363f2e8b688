//! Outputs from before files were cleaned as they come in, and those that could not be cleaned then.

use std::collections::HashSet;

use super::expiry::expiry;
use super::store;
use crate::assets::{self, CLEANED_AT_ONCE, ContentHash, Stored, Videos};
use crate::{Core, Result};

/// Cleans a few outputs, the newest first, and tells how many. Prompt and graph are kept apart for those who may have
/// them; the clean file takes the place of the old one in one transaction, and old addresses lead to it. A round that is
/// cut off is finished by later ones.
///
/// # Errors
/// Where the database fails.
pub async fn clean_outputs(core: &Core) -> Result<u64> {
    let played = core.files.videos() == Videos::Read;
    let (mut done, mut failed) = (0, 0);
    let claimed: HashSet<_> = store::clean::claim(&core.db, played, CLEANED_AT_ONCE).await?.into_iter().collect();
    for old in claimed {
        match core.files.clean_again(&old).await {
            Ok(stored) if stored.embedded.columns().0 => {
                done += replace(core, &old, &stored).await?;
            }
            Ok(_) => failed += 1,
            Err(error) => {
                failed += 1;
                tracing::warn!(%error, file.content = old.as_str(), "an output could not be cleaned");
            }
        }
    }
    if done + failed > 0 {
        tracing::info!(clean = done, failed, "outputs were cleaned of what they tell beside what they show");
    }
    Ok(done)
}

/// Cleans this file at once, where it is somebody's output that nobody has cleaned, whether they still have it or not.
///
/// # Errors
/// [`crate::Error::NotFound`] where its bytes are gone; where the storage or the database fails.
pub async fn clean_now(core: &Core, content: &ContentHash) -> Result<()> {
    if !store::clean::is_unclean(&core.db, content).await? {
        return Ok(());
    }
    let stored = core.files.clean_again(content).await?;
    if stored.embedded.columns().0 {
        replace(core, content, &stored).await?;
    }
    Ok(())
}

async fn replace(core: &Core, old: &ContentHash, clean: &Stored) -> Result<u64> {
    let mut tx = core.db.begin().await?;
    let moved = store::clean::replace(&mut tx, old, clean).await?;
    if assets::note_move(core, &mut tx, old, clean).await? {
        let expires_at = expiry(core.clock.now(), core.settings.outputs.days);
        store::locks::hide(&mut tx, std::slice::from_ref(&clean.content), expires_at).await?;
    }
    tx.commit().await?;
    Ok(moved)
}
