//! The outputs of jobs.

use std::collections::{HashMap, HashSet};

use super::job::{Job, not_found};
use super::lists::find;
use super::store;
use crate::assets::{self, AssetKind, ContentHash};
use crate::fleet::{Undelivered, UndeliveredCode};
use crate::gallery::{self, OutputAsset};
use crate::ids::{JobId, OutputAssetId};
use crate::{Caller, Core, Result};

/// The preview of a job in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobPreview {
    /// The first picture or video that the caller may see.
    pub first: OutputAsset,
    /// Pictures and videos among the first [`MAX_PREVIEWED`] outputs.
    pub count: usize,
}

/// Outputs of one job that are considered for its preview.
const MAX_PREVIEWED: i64 = 8;

/// The previews of the caller's jobs among these. Jobs without pictures and videos have none.
pub async fn previews(core: &Core, caller: &Caller, jobs: &[Job]) -> Result<HashMap<JobId, JobPreview>> {
    let done: Vec<JobId> =
        jobs.iter().filter(|job| job.ended_at.is_some() && caller.owns_or_admin(job.user)).map(|job| job.id).collect();
    if done.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = store::first_outputs(&core.db, &done, MAX_PREVIEWED).await?;
    let mut assets = assets_of(core, rows.iter().map(|(_, asset)| *asset)).await?;
    let hidden = hidden_from(core, caller, &assets).await?;
    assets.retain(|_, asset| !hidden.contains(&asset.content));
    let mut previews: HashMap<JobId, JobPreview> = HashMap::new();
    for (job, id) in rows {
        let Some(asset) = assets.remove(&id).filter(|asset| is_visual(asset.media.kind())) else { continue };
        previews.entry(job).and_modify(|known| known.count += 1).or_insert(JobPreview { first: asset, count: 1 });
    }
    Ok(previews)
}

fn is_visual(kind: AssetKind) -> bool {
    matches!(kind, AssetKind::Image | AssetKind::Video)
}

/// The outputs of one node of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobOutput {
    pub node_id: String,
    /// Pieces with their output types (`images`, `text`, `gifs`, `audio`, `files`), in order.
    pub pieces: Vec<(String, OutputPiece)>,
}

/// One piece of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputPiece {
    Text(String),
    Asset(Box<OutputAsset>),
    Undelivered(Undelivered),
    /// The output was deleted.
    Gone,
}

/// The outputs of an ended job. A file that moderators have hidden is sent to admins only, so that others get a note.
///
/// # Errors
/// [`crate::Error::NotFound`] where the job does not exist or belongs to another account.
pub async fn outputs(core: &Core, caller: &Caller, id: JobId) -> Result<Vec<JobOutput>> {
    let job = find(core, caller, id).await?;
    outputs_of(core, caller, &job).await
}

/// [`outputs`] of a job that was read already.
///
/// # Errors
/// As [`outputs`].
pub async fn outputs_of(core: &Core, caller: &Caller, job: &Job) -> Result<Vec<JobOutput>> {
    if !caller.owns_or_admin(job.user) {
        return Err(not_found());
    }
    let rows = store::outputs(&core.db, job.id).await?;
    let mut assets = assets_of(core, rows.iter().filter_map(|row| row.asset)).await?;
    let hidden = hidden_from(core, caller, &assets).await?;
    let mut outputs: Vec<JobOutput> = Vec::new();
    for row in rows {
        let note = row.undelivered.and_then(|note| serde_json::from_value(note).ok());
        let piece = match (row.text, row.asset.and_then(|id| assets.remove(&id)), note) {
            (Some(text), ..) => OutputPiece::Text(text),
            (None, Some(asset), _) if hidden.contains(&asset.content) => OutputPiece::Undelivered(hidden_note(&asset)),
            (None, Some(asset), _) => OutputPiece::Asset(Box::new(asset)),
            (None, None, Some(note)) => OutputPiece::Undelivered(note),
            (None, None, None) => OutputPiece::Gone,
        };
        add_piece(&mut outputs, row.node_id, row.kind, piece);
    }
    Ok(outputs)
}

/// The output assets with these ids that exist.
pub(in crate::jobs) async fn assets_of(
    core: &Core,
    ids: impl Iterator<Item = OutputAssetId>,
) -> Result<HashMap<OutputAssetId, OutputAsset>> {
    let ids: Vec<OutputAssetId> = ids.collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(gallery::find_all(core, &ids).await?.into_iter().map(|asset| (asset.id, asset)).collect())
}

/// Those of these whose files moderators have hidden.
pub(in crate::jobs) async fn hidden_among(
    core: &Core,
    found: &HashMap<OutputAssetId, OutputAsset>,
) -> Result<HashSet<ContentHash>> {
    if found.is_empty() {
        return Ok(HashSet::new());
    }
    let contents: Vec<ContentHash> = found.values().map(|asset| asset.content.clone()).collect();
    assets::locked_among(core, &contents).await
}

/// [`hidden_among`] for this caller: nothing is hidden from admins.
async fn hidden_from(
    core: &Core,
    caller: &Caller,
    found: &HashMap<OutputAssetId, OutputAsset>,
) -> Result<HashSet<ContentHash>> {
    if caller.admin { Ok(HashSet::new()) } else { hidden_among(core, found).await }
}

fn hidden_note(asset: &OutputAsset) -> Undelivered {
    let name = asset.name.clone().unwrap_or_else(|| asset.saved_as());
    Undelivered::new(&name, UndeliveredCode::HiddenByModerator, "a moderator has hidden this file")
}

/// Adds the next piece of a job: to the last output if that is its node's, or as a new output.
pub(in crate::jobs) fn add_piece(outputs: &mut Vec<JobOutput>, node_id: String, kind: String, piece: OutputPiece) {
    match outputs.last_mut().filter(|output| output.node_id == node_id) {
        Some(output) => output.pieces.push((kind, piece)),
        None => outputs.push(JobOutput { node_id, pieces: vec![(kind, piece)] }),
    }
}

/// The notes about undelivered outputs of the caller's jobs among these, each with its node.
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
