//! What is done to a picture: one task, wherever it is done.

use super::mask;
use super::picture::{Made, Picture, PictureLimits, Task, Wrong, cleaned};
use crate::assets::embedded;
use crate::assets::media::MediaType;

/// Does a task. What it takes is bounded by the limits alone: [`is_small`](super::picture::is_small) says where that may be.
pub(in crate::assets) fn perform(
    bytes: &[u8],
    media: MediaType,
    limits: PictureLimits,
    task: &Task,
) -> Result<Made<Vec<u8>>, Wrong> {
    let wanted = match task {
        Task::Clean => {
            let (clean, measures) = cleaned(bytes, media, limits)?;
            let splice = embedded::split(bytes, &clean);
            let is_other = splice.is_some();
            return Ok(Made { measures: Some(measures), files: vec![is_other.then_some(clean), splice] });
        }
        Task::Mask { picture, media } => {
            let picture = std::fs::read(picture).map_err(|error| Wrong::Unreadable(error.to_string()))?;
            return mask::lay(bytes, (&picture, *media), limits);
        }
        Task::Editions(wanted) => wanted,
    };
    let picture = Picture::decode(bytes, media, limits).map_err(Wrong::Unreadable)?;
    let measures = if wanted.measured { Some(picture.measure().map_err(Wrong::Unreadable)?) } else { None };
    if picture.frames > 1 && !wanted.of_animations {
        return Ok(Made { measures, files: Vec::new() });
    }
    let made = wanted.sizes.iter().map(|(size, quality)| picture.webp(*size, *quality).map(Some));
    let files = made.collect::<Result<Vec<_>, _>>().map_err(Wrong::Unreadable)?;
    Ok(Made { measures, files })
}
