//! What a job gave, in the order its owner asked for.

use std::collections::HashMap;

use super::{find, store};
use crate::gallery::{self, OutputAsset};
use crate::ids::{JobId, OutputAssetId};
use crate::{Caller, Core, Result};

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
        let piece = match (row.text, row.asset.and_then(|id| assets.remove(&id))) {
            (Some(text), _) => OutputPiece::Text(text),
            (None, Some(asset)) => OutputPiece::Asset(Box::new(asset)),
            (None, None) => OutputPiece::Gone,
        };
        match outputs.last_mut().filter(|output| output.node_id == row.node_id) {
            Some(output) => output.pieces.push((row.kind, piece)),
            None => outputs.push(JobOutput { node_id: row.node_id, pieces: vec![(row.kind, piece)] }),
        }
    }
    Ok(outputs)
}
