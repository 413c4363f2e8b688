//! What search engines are told: everything that is public and safe for work, in pieces. The view `public_pages` says
//! what that is.

mod kind;
mod store;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use kind::Kind;

use crate::{Core, Result};

/// The first of every piece of so many, by age.
///
/// # Errors
/// Database errors.
pub async fn starts(core: &Core, kind: Kind, every: i64) -> Result<Vec<Uuid>> {
    // One of one is the first of none.
    Ok(store::starts(&core.db, kind, every.max(2)).await?)
}

/// A piece: these from the first on, by age, with when they were last changed.
///
/// # Errors
/// Database errors.
pub async fn from(core: &Core, kind: Kind, first: Uuid, limit: i64) -> Result<Vec<(Uuid, DateTime<Utc>)>> {
    Ok(store::from(&core.db, kind, first, limit).await?)
}
