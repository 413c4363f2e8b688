//! The walk over the whole store: what is there and nobody names, and what is named and is not there.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::TryStreamExt;

use super::{Owner, named, store};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::paths::Listed;
use crate::{Core, Result};

pub use super::store::Backlog;

/// How often the store is walked through.
const EVERY: TimeDelta = TimeDelta::days(1);
/// What is younger may be about to be named.
const YOUNG: TimeDelta = TimeDelta::days(1);
/// Files that are asked for at a time.
const PIECE: usize = 1000;

/// What the store and the rows say of each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// Files in the store, in whichever form.
    pub stored_files: u64,
    /// Bytes in the store, everything that was made from files among them.
    pub stored_bytes: u64,
    /// Files that somebody names.
    pub named: u64,
    /// Files that somebody names and whose bytes are not there.
    pub missing: Vec<ContentHash>,
    /// Files that were let go and are on their way out.
    pub orphaned: u64,
    /// Files that nobody names and nobody let go, and how many bytes they have. The young ones are not among them.
    pub unknown: u64,
    pub unknown_bytes: u64,
}

/// What waits to be deleted, and what the last walk found in the store.
///
/// # Errors
/// Database errors.
pub async fn backlog(core: &Core) -> Result<Backlog> {
    Ok(store::backlog(&core.db).await?)
}

/// Walks through the store where nobody has for a day; tells whether it did.
///
/// # Errors
/// Database errors; where the store cannot be listed. The next walk is a day later all the same.
pub async fn walk_when_due(core: &Core, owners: &[Owner]) -> Result<bool> {
    let now = core.clock.now();
    if !store::begin_walk(&core.db, now, now - EVERY).await? {
        return Ok(false);
    }
    walk(core, owners).await?;
    Ok(true)
}

/// Walks through the store and lets go of what nobody names; tells how many files that were.
///
/// # Errors
/// As [`walk_when_due`].
pub async fn walk(core: &Core, owners: &[Owner]) -> Result<u64> {
    let (mut files, mut bytes, mut let_go) = (0_u64, 0_u64, 0);
    let mut piece: Vec<ContentHash> = Vec::new();
    let mut listed = core.files.storage.list();
    while let Some(one) = listed.try_next().await? {
        bytes += one.size;
        files += u64::from(one.is_raw);
        if is_old(&one, core.clock.now()) {
            piece.push(one.content);
        }
        if piece.len() == PIECE {
            let_go += let_go_unnamed(core, owners, std::mem::take(&mut piece)).await?;
        }
    }
    let_go += let_go_unnamed(core, owners, piece).await?;
    store::end_walk(&core.db, core.clock.now(), files, bytes).await?;
    if let_go > 0 {
        tracing::info!(files = let_go, "files that nobody names were found in the store");
    }
    Ok(let_go)
}

/// Compares rows and store, and changes nothing.
///
/// # Errors
/// As [`walk_when_due`].
pub async fn inspect(core: &Core, owners: &[Owner]) -> Result<Findings> {
    struct Seen {
        bytes: u64,
        is_there: bool,
        is_old: bool,
        is_named: bool,
    }
    let mut findings = Findings::default();
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

fn is_old(one: &Listed, now: DateTime<Utc>) -> bool {
    one.changed_at < now - YOUNG
}

async fn let_go_unnamed(core: &Core, owners: &[Owner], mut files: Vec<ContentHash>) -> Result<u64> {
    files.sort_unstable();
    files.dedup();
    let known = named(core, owners, &files).await?;
    let on_their_way = store::orphaned(&core.db, &files).await?;
    files.retain(|content| !known.contains_key(content) && !on_their_way.contains(content));
    let mut tx = core.db.begin().await?;
    super::let_go(&mut tx, &files, core.clock.now()).await?;
    tx.commit().await?;
    Ok(files.len() as u64)
}
