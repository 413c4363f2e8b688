//! Views, counted so that a reload does not count again: one for each viewer, output and day.
//!
//! Who came is kept only as a hash, and only where short-lived counters are kept, so that it is gone within a day. A
//! page costs no write: views gather in the node's memory and the sweep writes them together. Those of a node that is
//! lost before that are not counted.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::{OutputAsset, store};
use crate::ids::OutputAssetId;
use crate::users::Origin;
use crate::{Caller, Core, Result};

/// How long a viewer counts once.
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Outputs whose views may wait to be written; more are not counted.
const PENDING: usize = 100_000;

/// Views that are to be written down.
#[derive(Debug, Default)]
pub struct Views(Mutex<HashMap<OutputAssetId, i64>>);

impl Views {
    fn add(&self, id: OutputAssetId, count: i64) {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.len() < PENDING || pending.contains_key(&id) {
            *pending.entry(id).or_default() += count;
        }
    }

    fn take(&self) -> Vec<(OutputAssetId, i64)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }
}

/// Notes that somebody looked at a published output. Its owner does not count.
pub async fn view(core: &Core, caller: &Caller, origin: &Origin, asset: &OutputAsset) {
    if asset.is_private || caller.user == Some(asset.user) {
        return;
    }
    let Some(viewer) = viewer(caller, origin, asset.id) else { return };
    if core.shared.incr(&format!("gallery:view:{viewer}"), DAY).await.count == 1 {
        core.views.add(asset.id, 1);
    }
}

/// Writes the views that have gathered on this node. The sweep calls it.
///
/// # Errors
/// Database errors; what was not written is kept for the next time.
pub async fn settle_views(core: &Core) -> Result<()> {
    let views = core.views.take();
    if views.is_empty() {
        return Ok(());
    }
    if let Err(error) = store::add_views(&core.db, &views).await {
        for (id, count) in views {
            core.views.add(id, count);
        }
        return Err(error.into());
    }
    Ok(())
}

/// Who looked at what: the person, or the address with what the browser calls itself. Nobody without either.
fn viewer(caller: &Caller, origin: &Origin, asset: OutputAssetId) -> Option<String> {
    let mut digest = Sha256::new();
    digest.update(asset.0.as_bytes());
    match (caller.user, origin.address) {
        (Some(user), _) => digest.update(user.0.as_bytes()),
        (None, Some(address)) => {
            digest.update(address.to_string());
            digest.update([0]);
            digest.update(origin.user_agent.as_deref().unwrap_or_default());
        }
        (None, None) => return None,
    }
    Some(digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}
