//! Cleans uploads from before uploads were cleaned on arrival.

use sqlx::PgConnection;

use super::asset::{FileKey, StoredFile};
use super::processing::VideoSupport;
use super::storage::content_hash::ContentHash;
use super::{life, locks, store};
use crate::database;
use crate::{Core, Result};

/// Files cleaned per round and kind.
pub const CLEANED_AT_ONCE: i64 = 8;

/// Cleans some uploads that were never cleaned, and returns their number. The clean file replaces the old one in one
/// transaction, and old URLs redirect to it. Failed files are retried; later rounds finish an interrupted one.
pub async fn clean_uploads(core: &Core) -> Result<u64> {
    let includes_media = core.files.video_support() == VideoSupport::Enabled;
    let (mut clean, mut failed) = (0, 0);
    for old in store::claim_unclean(&core.db, includes_media, CLEANED_AT_ONCE).await? {
        match core.files.reclean(&old).await {
            Ok(stored) if stored.embedded.columns().0 => {
                replace(core, &old, &stored).await?;
                clean += 1;
            }
            Ok(_) => failed += 1,
            Err(error) => {
                failed += 1;
                tracing::warn!(%error, file.content = old.as_str(), "cannot clean an upload");
            }
        }
    }
    if clean + failed > 0 {
        tracing::info!(clean, failed, "uploads were cleaned of metadata");
    }
    Ok(clean)
}

/// Cleans this file at once if it is an upload that was never cleaned, even if its owner has deleted it.
///
/// # Errors
/// [`crate::Error::NotFound`] if its bytes are gone; if the storage or the database fails.
pub async fn clean_now(core: &Core, content: &ContentHash) -> Result<()> {
    if !store::is_unclean(&core.db, content).await? {
        return Ok(());
    }
    let stored = core.files.reclean(content).await?;
    match stored.embedded.columns().0 {
        true => replace(core, content, &stored).await,
        false => Ok(()),
    }
}

async fn replace(core: &Core, old: &ContentHash, clean: &StoredFile) -> Result<()> {
    let mut tx = database::begin(&core.db).await?;
    store::replace(&mut tx, old, clean, core.clock.now()).await?;
    if record_move_tx(core, &mut tx, old, clean).await? {
        locks::store::hide(&mut tx, std::slice::from_ref(&clean.content)).await?;
    }
    Ok(tx.commit().await?)
}

/// Records the new content hash of a cleaned file, in the transaction that updated the rows. Marks the old file as
/// orphaned and copies moderation locks. Returns whether the new file is locked; the caller then hides its rows.
pub async fn record_move_tx(core: &Core, tx: &mut PgConnection, old: &ContentHash, clean: &StoredFile) -> Result<bool> {
    let (new, now) = (&clean.content, core.clock.now());
    if old != new {
        store::record_move(tx, old, clean, now).await?;
        // After the rows were updated: a concurrent lock either waits for them, or is already on the old hash.
        locks::store::copy(tx, old, new).await?;
        // The new file is checked too, because deleted rows were updated as well and will be removed then.
        life::mark_orphaned_tx(tx, &[old.clone(), new.clone()], now).await?;
    }
    Ok(locks::store::any(tx, std::slice::from_ref(new)).await?)
}

/// The new key of a file that was cleaned after it was stored; `None` if it was not replaced.
pub async fn moved_to(core: &Core, old: &ContentHash) -> Result<Option<FileKey>> {
    Ok(store::moved_to(&core.db, old).await?)
}
