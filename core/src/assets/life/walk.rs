//! The walk over the whole store, which finds unreferenced and missing files.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::TryStreamExt;

use super::{FileOwner, references, store};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::paths::StoredObject;
use crate::database;
use crate::{Core, Result};

pub use super::store::Backlog;

const EVERY: TimeDelta = TimeDelta::days(1);
/// Younger files may be about to be referenced.
const YOUNG: TimeDelta = TimeDelta::days(1);
/// Files queried at a time.
const PIECE: usize = 1000;

/// Differences between the store and the rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StorageFindings {
    /// Files in the store, in any form.
    pub stored_files: u64,
    /// Bytes in the store, including everything made from files.
    pub stored_bytes: u64,
    /// Referenced files.
    pub named: u64,
    /// Referenced files whose bytes are missing.
    pub missing: Vec<ContentHash>,
    /// Orphaned files.
    pub orphaned: u64,
    /// Files that are neither referenced nor orphaned, and their size, without young ones.
    pub unknown: u64,
    pub unknown_bytes: u64,
}

pub async fn backlog(core: &Core) -> Result<Backlog> {
    Ok(store::backlog(&core.db).await?)
}

/// Walks the store unless a walk started within a day; returns whether it did.
///
/// # Errors
/// If the store or the database fails. The next walk is a day later all the same.
pub async fn walk_when_due(core: &Core, owners: &[FileOwner]) -> Result<bool> {
    let now = core.clock.now();
    if !store::begin_walk(&core.db, now, now - EVERY).await? {
        return Ok(false);
    }
    walk(core, owners).await?;
    Ok(true)
}

/// Walks the store and marks unreferenced files as orphaned; returns their number.
///
/// # Errors
/// As [`walk_when_due`].
pub async fn walk(core: &Core, owners: &[FileOwner]) -> Result<u64> {
    let (mut files, mut bytes, mut orphaned) = (0_u64, 0_u64, 0);
    let mut piece: Vec<ContentHash> = Vec::new();
    let mut listed = core.files.storage.list();
    while let Some(one) = listed.try_next().await? {
        bytes += one.size;
        files += u64::from(one.is_raw);
        if is_old(&one, core.clock.now()) {
            piece.push(one.content);
        }
        if piece.len() == PIECE {
            orphaned += mark_unreferenced(core, owners, std::mem::take(&mut piece)).await?;
        }
    }
    orphaned += mark_unreferenced(core, owners, piece).await?;
    store::end_walk(&core.db, core.clock.now(), files, bytes).await?;
    if orphaned > 0 {
        tracing::info!(files = orphaned, "found unreferenced files in the store");
    }
    Ok(orphaned)
}

/// Compares rows and store without changing anything.
///
/// # Errors
/// As [`walk_when_due`].
pub async fn inspect(core: &Core, owners: &[FileOwner]) -> Result<StorageFindings> {
    struct Seen {
        bytes: u64,
        is_there: bool,
        is_old: bool,
        is_named: bool,
    }
    let mut findings = StorageFindings::default();
    let mut stored: HashMap<ContentHash, Seen> = HashMap::new();
    let mut listed = core.files.storage.list();
    while let Some(one) = listed.try_next().await? {
        let is_old = is_old(&one, core.clock.now());
        let seen =
            stored.entry(one.content).or_insert(Seen { bytes: 0, is_there: false, is_old: true, is_named: false });
        seen.bytes += one.size;
        seen.is_there |= one.is_raw;
        seen.is_old &= is_old;
    }
    for owner in owners {
        let mut after = String::new();
        loop {
            let page = (owner.all)(core, &after, 1000).await?;
            let Some(last) = page.last() else { break };
            last.as_str().clone_into(&mut after);
            for content in page {
                match stored.get_mut(&content) {
                    Some(seen) if seen.is_there => seen.is_named = true,
                    _ if findings.missing.contains(&content) => {}
                    _ => findings.missing.push(content),
                }
            }
        }
    }
    findings.stored_files = stored.len() as u64;
    findings.stored_bytes = stored.values().map(|seen| seen.bytes).sum();
    findings.named = stored.values().filter(|seen| seen.is_named).count() as u64 + findings.missing.len() as u64;
    let unnamed: Vec<ContentHash> =
        stored.iter().filter(|(_, seen)| !seen.is_named).map(|(content, _)| content.clone()).collect();
    for piece in unnamed.chunks(PIECE) {
        let orphaned = store::orphaned(&core.db, piece).await?;
        findings.orphaned += orphaned.len() as u64;
        for seen in piece.iter().filter(|content| !orphaned.contains(*content)).filter_map(|one| stored.get(one)) {
            findings.unknown += u64::from(seen.is_old);
            findings.unknown_bytes += if seen.is_old { seen.bytes } else { 0 };
        }
    }
    Ok(findings)
}

fn is_old(one: &StoredObject, now: DateTime<Utc>) -> bool {
    one.changed_at < now - YOUNG
}

async fn mark_unreferenced(core: &Core, owners: &[FileOwner], mut files: Vec<ContentHash>) -> Result<u64> {
    files.sort_unstable();
    files.dedup();
    let known = references(core, owners, &files).await?;
    let orphaned = store::orphaned(&core.db, &files).await?;
    files.retain(|content| !known.contains_key(content) && !orphaned.contains(content));
    let mut tx = database::begin(&core.db).await?;
    super::mark_orphaned_tx(&mut tx, &files, core.clock.now()).await?;
    tx.commit().await?;
    Ok(files.len() as u64)
}
