//! Pages for search engines: everything that is public and safe for work (the view `public_pages`), in pieces.

mod kind;
mod store;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use kind::SitemapKind;

use crate::{Core, Result};

/// The first id of each piece of `every` pages, by age.
pub async fn starts(core: &Core, kind: SitemapKind, every: i64) -> Result<Vec<Uuid>> {
    // The statement selects rows by `place % every = 1`, which is never true for 1.
    Ok(store::starts(&core.db, kind, every.max(2)).await?)
}

/// At most `limit` pages from the id `first` on, by age, with the time of their last change.
pub async fn from(core: &Core, kind: SitemapKind, first: Uuid, limit: i64) -> Result<Vec<(Uuid, DateTime<Utc>)>> {
    Ok(store::from(&core.db, kind, first, limit).await?)
}
