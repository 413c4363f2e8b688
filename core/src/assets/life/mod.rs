//! The life of a file's bytes: named, orphaned, aside, gone.
//!
//! ```text
//!   named ──let_go──▶ orphaned ──5 min, nobody names it──▶ aside ──some 25 min, nobody names it──▶ gone
//!     ▲                  │ somebody names it                 │ somebody names it: taken back
//!     └──────────────────┴───────────────────────────────────┘
//! ```
//!
//! A file is kept for as long as a row of any room names it; [`Owner`] is how a room tells. Whatever takes a name away
//! writes the file into `orphaned_files` in the same transaction ([`let_go`]), so that a crash forgets nothing and
//! nobody has to look through tables for what has no name.
//!
//! Bytes are stored before the row that names them is committed, and such a commit is never held up by a deletion. So a
//! file is not deleted but put aside first, where it can still be read. Whoever stores the same bytes after that writes
//! them anew; whoever found them there before has named them by the time they would go, and they are taken back.
//! What is in the store and was never named at all (a node died between the two) is found by [`walk`], once a day.

pub(in crate::assets) mod store;
mod sweep;
mod walk;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::PgConnection;

pub use sweep::{SWEPT_AT_ONCE, Swept, sweep};
pub use walk::{Backlog, Findings, backlog, inspect, walk, walk_when_due};

use super::storage::content_hash::ContentHash;
use crate::{Core, Result, assets};

/// Answers which of some files a room names.
pub type Named<'a> = BoxFuture<'a, Result<HashSet<ContentHash>>>;
/// A page of the files that a room names, in their order.
pub type Page<'a> = BoxFuture<'a, Result<Vec<ContentHash>>>;
/// What is done.
pub type Done<'a> = BoxFuture<'a, Result<()>>;

/// A room whose rows name files. All of them stand in [`crate::FILE_OWNERS`].
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    /// The room.
    pub room: &'static str,
    /// Whether its names end by themselves, without anybody letting go: the file is looked at again until then.
    pub only_for_now: bool,
    /// Those of these that its rows name.
    pub named: for<'a> fn(&'a Core, &'a [ContentHash]) -> Named<'a>,
    /// Files that its rows name, after this one and in order, at most so many.
    pub all: for<'a> fn(&'a Core, &'a str, i64) -> Page<'a>,
    /// Removes the rows of these that were deleted: what they tell of a picture goes with it.
    pub forget: for<'a> fn(&'a Core, &'a [ContentHash]) -> Done<'a>,
}

/// The rows of this room: what people uploaded. Covers, portraits, posters and inputs name these rows.
pub const UPLOADS: Owner = Owner {
    room: "assets",
    only_for_now: false,
    named: |core, files| Box::pin(async move { Ok(assets::store::named(&core.db, files, core.clock.now()).await?) }),
    all: |core, after, most| {
        Box::pin(async move { Ok(assets::store::all(&core.db, after, most, core.clock.now()).await?) })
    },
    forget: |core, files| Box::pin(async move { Ok(assets::store::forget(&core.db, files).await?) }),
};

/// Says that a row stopped naming these files, within the transaction in which it did.
///
/// # Errors
/// Database errors.
pub async fn let_go(tx: &mut PgConnection, files: &[ContentHash], now: DateTime<Utc>) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    Ok(store::let_go(tx, files, now).await?)
}

/// Those of these that anybody names, and whether all who do name them only for now.
async fn named(core: &Core, owners: &[Owner], files: &[ContentHash]) -> Result<HashMap<ContentHash, bool>> {
    let mut named: HashMap<ContentHash, bool> = HashMap::new();
    for owner in owners {
        for content in (owner.named)(core, files).await? {
            let only_for_now = named.entry(content).or_insert(true);
            *only_for_now &= owner.only_for_now;
        }
    }
    Ok(named)
}

#[cfg(test)]
mod tests;
