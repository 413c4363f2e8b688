//! Uploads from before files were cleaned as they come in.

use sqlx::PgConnection;

use super::asset::{Key, Stored};
use super::storage::content_hash::ContentHash;
use super::workshop::Videos;
use super::{life, locks, store};
use crate::{Core, Result};

/// Files that one round cleans, of a kind.
pub const CLEANED_AT_ONCE: i64 = 8;

/// Cleans a few uploads that nobody has cleaned, and tells how many. The clean file takes the place of the old one in one
/// transaction, and old addresses lead to it; a file that fails is tried again. A round that is cut off is
/// finished by later ones.
///
/// # Errors
/// Where the database fails.
pub async fn clean_uploads(core: &Core) -> Result<u64> {
    let played = core.files.videos() == Videos::Read;
    let (mut clean, mut failed) = (0, 0);
    for old in store::claim_unclean(&core.db, played, CLEANED_AT_ONCE).await? {
        match core.files.clean_again(&old).await {
            Ok(stored) if stored.embedded.columns().0 => {
                replace(core, &old, &stored).await?;
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

/// Cleans this file at once, where it is somebody's upload that nobody has cleaned, whether they still have it or not.
///
/// # Errors
/// [`crate::Error::NotFound`] where its bytes are gone; where the storage or the database fails.
pub async fn clean_now(core: &Core, content: &ContentHash) -> Result<()> {
    if !store::is_unclean(&core.db, content).await? {
        return Ok(());
    }
    let stored = core.files.clean_again(content).await?;
    match stored.embedded.columns().0 {
        true => replace(core, content, &stored).await,
        false => Ok(()),
    }
}

async fn replace(core: &Core, old: &ContentHash, clean: &Stored) -> Result<()> {
    let mut tx = core.db.begin().await?;
    store::replace(&mut tx, old, clean, core.clock.now()).await?;
    if note_move(core, &mut tx, old, clean).await? {
        locks::store::hide(&mut tx, std::slice::from_ref(&clean.content)).await?;
    }
    Ok(tx.commit().await?)
}

/// Notes that a file is found under another name, within the transaction that has moved what names it: the old file is
/// let go, and what moderators have hidden stays so. Tells whether they have hidden the new one; its rows are then to be
/// taken out of everybody's sight.
///
/// # Errors
/// Database errors.
pub async fn note_move(core: &Core, tx: &mut PgConnection, old: &ContentHash, clean: &Stored) -> Result<bool> {
    let (new, now) = (&clean.content, core.clock.now());
    if old != new {
        store::note_move(tx, old, clean, now).await?;
        // After the rows were moved: whoever hides them meanwhile waits, or has locked the old name by now.
        locks::store::copy(tx, old, new).await?;
        // The new one is looked at as well: deleted rows moved too, and are forgotten then.
        life::let_go(tx, &[old.clone(), new.clone()], now).await?;
    }
    Ok(locks::store::any(tx, std::slice::from_ref(new)).await?)
}

/// Where a file went that was cleaned after it was stored; `None` for one that did not move.
///
/// # Errors
/// Database errors.
pub async fn moved(core: &Core, old: &ContentHash) -> Result<Option<Key>> {
    Ok(store::moved(&core.db, old).await?)
}
