//! The files of outputs: which ones rows name, and their release with those rows.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::store::{self, Touched};
use crate::assets::life;
use crate::database;
use crate::{Core, Result};

/// The rows of this room. Inputs name assets, which name files themselves.
pub const OUTPUTS: life::FileOwner = life::FileOwner {
    room: "gallery",
    is_temporary: false,
    referenced: |core, files| Box::pin(async move { Ok(store::files::named(&core.db, files).await?) }),
    all: |core, after, most| Box::pin(async move { Ok(store::files::all(&core.db, after, most).await?) }),
    forget: |core, files| Box::pin(async move { Ok(store::files::forget(&core.db, files).await?) }),
};

/// Deletes locked rows; returns their number.
pub(super) async fn delete(tx: &mut PgConnection, touched: &[Touched], now: DateTime<Utc>) -> Result<u64> {
    let contents = store::files::delete(tx, touched, now).await?;
    life::mark_orphaned_tx(tx, &contents, now).await?;
    Ok(contents.len() as u64)
}

/// Deletes some expired outputs; returns their number.
/// Outputs of one round.
pub const EXPIRED_AT_ONCE: i64 = 5000;

pub(super) async fn delete_expired(core: &Core) -> Result<u64> {
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let contents = store::files::delete_expired(&mut tx, now, EXPIRED_AT_ONCE).await?;
    life::mark_orphaned_tx(&mut tx, &contents, now).await?;
    tx.commit().await?;
    Ok(contents.len() as u64)
}
