//! The lifecycle of a file's bytes: referenced, orphaned, in the trash, deleted.
//!
//! ```text
//!   referenced ──mark_orphaned_tx──▶ orphaned ──5 min unreferenced──▶ trash ──some 25 min unreferenced──▶ deleted
//!     ▲                                 │ referenced again              │ referenced again: restored
//!     └─────────────────────────────────┴───────────────────────────────┘
//! ```
//!
//! A file is kept while a row of any room references it; rooms answer through [`FileOwner`]. A transaction that removes
//! a reference also writes the file into `orphaned_files` ([`mark_orphaned_tx`]). A crash therefore loses nothing, and
//! no table needs to be scanned for unreferenced files.
//!
//! Bytes are stored before the row that references them is committed, and a deletion never blocks that commit.
//! Therefore a file first moves to the trash, where it can still be read. Storing the same bytes later writes them
//! again. A job that found the bytes before commits its reference before they would be deleted, and they are restored.
//! [`walk`] finds bytes that were never referenced, because a node died in between, once a day.

pub(in crate::assets) mod store;
mod sweep;
mod walk;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::PgConnection;

pub use sweep::{SWEPT_AT_ONCE, SweepOutcome, sweep};
pub use walk::{Backlog, StorageFindings, backlog, inspect, walk, walk_when_due};

use super::storage::content_hash::ContentHash;
use crate::{Core, Result, assets};

/// The answer to which files a room references.
pub type ReferencedFiles<'a> = BoxFuture<'a, Result<HashSet<ContentHash>>>;
/// A page of the files that a room references, in order.
pub type FilePage<'a> = BoxFuture<'a, Result<Vec<ContentHash>>>;

/// A room whose rows reference files. All of them are listed in [`crate::FILE_OWNERS`].
#[derive(Debug, Clone, Copy)]
pub struct FileOwner {
    pub room: &'static str,
    /// Whether its references expire without a call to [`mark_orphaned_tx`]. Such a file is checked again until then.
    pub is_temporary: bool,
    /// Those of these files that its rows reference.
    pub referenced: for<'a> fn(&'a Core, &'a [ContentHash]) -> ReferencedFiles<'a>,
    /// Files that its rows reference, after this one and in order, up to a limit.
    pub all: for<'a> fn(&'a Core, &'a str, i64) -> FilePage<'a>,
    /// Deletes the deleted rows of these files, with what they tell about them.
    pub forget: for<'a> fn(&'a Core, &'a [ContentHash]) -> BoxFuture<'a, Result<()>>,
}

/// The rows of this room: uploads. Covers, portraits, posters and inputs reference these rows.
pub const UPLOADS: FileOwner = FileOwner {
    room: "assets",
    is_temporary: false,
    referenced: |core, files| {
        Box::pin(async move { Ok(assets::store::named(&core.db, files, core.clock.now()).await?) })
    },
    all: |core, after, most| {
        Box::pin(async move { Ok(assets::store::all(&core.db, after, most, core.clock.now()).await?) })
    },
    forget: |core, files| Box::pin(async move { Ok(assets::store::forget(&core.db, files).await?) }),
};

/// Records that a row stopped referencing these files, in the transaction that did so.
pub async fn mark_orphaned_tx(tx: &mut PgConnection, files: &[ContentHash], now: DateTime<Utc>) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    Ok(store::insert(tx, files, now).await?)
}

/// The referenced ones of these files, and whether all their references are `is_temporary`.
async fn references(core: &Core, owners: &[FileOwner], files: &[ContentHash]) -> Result<HashMap<ContentHash, bool>> {
    let mut references: HashMap<ContentHash, bool> = HashMap::new();
    for owner in owners {
        for content in (owner.referenced)(core, files).await? {
            let is_temporary = references.entry(content).or_insert(true);
            *is_temporary &= owner.is_temporary;
        }
    }
    Ok(references)
}

#[cfg(test)]
mod tests;
