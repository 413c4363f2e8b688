//! What a job gave, in the order its owner asked for.

use std::collections::HashMap;

use super::job::Job;
use super::lists::find;
use super::store;
use crate::assets::AssetKind;
use crate::fleet::Undelivered;
use crate::gallery::{self, OutputAsset};
use crate::ids::{JobId, OutputAssetId};
use crate::{Caller, Core, Result};

/// What stands for a job in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glimpse {
    /// Its first picture or film that is still there.
    pub first: OutputAsset,
    /// How many of its outputs were looked at, up to [`GLIMPSED`].
    pub count: usize,
}

/// Outputs of one job that a list looks at.
const GLIMPSED: i64 = 8;

/// What these jobs of the caller's made, for a list of them; those that made nothing to look at are left out.
///
/// # Errors
/// Database errors.
pub async fn glimpses(core: &Core, caller: &Caller, jobs: &[Job]) -> Result<HashMap<JobId, Glimpse>> {
    let done: Vec<JobId> =
        jobs.iter().filter(|job| job.ended_at.is_some() && caller.owns_or_admin(job.user)).map(|job| job.id).collect();
    if done.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = store::first_outputs(&core.db, &done, GLIMPSED).await?;
    let ids: Vec<OutputAssetId> = rows.iter().map(|(_, asset)| *asset).collect();
    let mut assets: HashMap<OutputAssetId, OutputAsset> =
        gallery::find_all(core, &ids).await?.into_iter().map(|asset| (asset.id, asset)).collect();
    let mut glimpses: HashMap<JobId, Glimpse> = HashMap::new();
    for (job, id) in rows {
        let Some(asset) = assets.remove(&id).filter(|asset| is_seen(asset.media.kind())) else { continue };
        glimpses.entry(job).and_modify(|known| known.count += 1).or_insert(Glimpse { first: asset, count: 1 });
    }
    Ok(glimpses)
}

fn is_seen(kind: AssetKind) -> bool {
    matches!(kind, AssetKind::Image | AssetKind::Video)
}

/// Everything one node gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobOutput {
    pub node_id: String,
    /// Pieces with their output type (`images`, `text`, `gifs`, `audio`, `files`), in order.
    pub pieces: Vec<(String, OutputPiece)>,
}

/// One piece of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputPiece {
    Text(String),
    Asset(Box<OutputAsset>),
    /// The job could not deliver it.
    Undelivered(Undelivered),
    /// It was deleted since.
    Gone,
}

/// The outputs of a job of the caller's; none while it has not ended.
///
/// # Errors
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
pub async fn outputs(core: &Core, caller: &Caller, id: JobId) -> Result<Vec<JobOutput>> {
    find(core, caller, id).await?;
    let rows = store::outputs(&core.db, id).await?;
    let ids: Vec<OutputAssetId> = rows.iter().filter_map(|row| row.asset).collect();
    let mut assets: HashMap<OutputAssetId, OutputAsset> = HashMap::new();
    if !ids.is_empty() {
        assets.extend(gallery::find_all(core, &ids).await?.into_iter().map(|asset| (asset.id, asset)));
    }
    let mut outputs: Vec<JobOutput> = Vec::new();
    for row in rows {
        let note = row.undelivered.and_then(|note| serde_json::from_value(note).ok());
        let piece = match (row.text, row.asset.and_then(|id| assets.remove(&id)), note) {
            (Some(text), ..) => OutputPiece::Text(text),
            (None, Some(asset), _) => OutputPiece::Asset(Box::new(asset)),
            (None, None, Some(note)) => OutputPiece::Undelivered(note),
            (None, None, None) => OutputPiece::Gone,
        };
        match outputs.last_mut().filter(|output| output.node_id == row.node_id) {
            Some(output) => output.pieces.push((row.kind, piece)),
            None => outputs.push(JobOutput { node_id: row.node_id, pieces: vec![(row.kind, piece)] }),
        }
    }
    Ok(outputs)
}

/// What these jobs of the caller's did not deliver, each with the node that made it; jobs that delivered all are left out.
///
/// # Errors
/// Database errors.
pub async fn undelivered(
    core: &Core,
    caller: &Caller,
    jobs: &[Job],
) -> Result<HashMap<JobId, Vec<(String, Undelivered)>>> {
    let ended: Vec<JobId> =
        jobs.iter().filter(|job| job.ended_at.is_some() && caller.owns_or_admin(job.user)).map(|job| job.id).collect();
    let mut undelivered: HashMap<JobId, Vec<(String, Undelivered)>> = HashMap::new();
    if ended.is_empty() {
        return Ok(undelivered);
    }
    for (job, node, note) in store::undelivered(&core.db, &ended).await? {
        if let Ok(note) = serde_json::from_value(note) {
            undelivered.entry(job).or_default().push((node, note));
        }
    }
    Ok(undelivered)
}
