//! Uploads from before files were cleaned as they come in.

use sqlx::PgConnection;

use super::{ContentHash, Key, Stored, Videos, store};
use crate::{Core, Result};

/// Files that one round cleans; the next round follows with the next sweep.
const AT_ONCE: i64 = 8;

/// Cleans a few uploads that nobody has cleaned, and tells how many. The clean file takes the place of the old one in one
/// transaction, and old addresses lead to it; a file that fails is tried again. A round that is cut off is
/// finished by later ones.
///
/// # Errors
/// Where the database fails.
pub async fn clean_uploads(core: &Core) -> Result<u64> {
    let played = core.files.videos() == Videos::Read;
    let (mut clean, mut failed) = (0, 0);
    for old in store::claim_unclean(&core.db, played, AT_ONCE).await? {
        match core.files.clean_again(&old).await {
            Ok(stored) if stored.embedded.columns().0 => {
                store::replace(&core.db, &old, &stored, core.clock.now()).await?;
                clean += 1;
            }
            Ok(_) => failed += 1,
            Err(error) => {
                failed += 1;
                tracing::warn!(%error, file.content = old.as_str(), "an upload could not be cleaned");
            }
        }
    }
    if clean + failed > 0 {
        tracing::info!(clean, failed, "uploads were cleaned of what they tell beside what they show");
    }
    Ok(clean)
}

/// Notes that a file is found under another name, within the transaction that moves what refers to it.
///
/// # Errors
/// Database errors.
pub async fn note_move(core: &Core, tx: &mut PgConnection, old: &ContentHash, clean: &Stored) -> Result<()> {
    Ok(store::note_move(tx, old, clean, core.clock.now()).await?)
}

/// Where a file went that was cleaned after it was stored; `None` for one that did not move.
///
/// # Errors
/// Database errors.
pub async fn moved(core: &Core, old: &ContentHash) -> Result<Option<Key>> {
    Ok(store::moved(&core.db, old).await?)
}
