//! Runs a picture task, in this process or in the sandbox.

use super::picture::{Picture, PictureError, PictureLimits, Task, TaskOutput, clean_picture};
use super::{extract, mask};
use crate::assets::embedded;
use crate::assets::media::MediaType;

/// Only the limits bound its memory: [`is_small`](super::picture::is_small) tells where to run it.
pub(in crate::assets) fn perform(
    bytes: &[u8],
    media: MediaType,
    limits: PictureLimits,
    task: &Task,
) -> Result<TaskOutput<Vec<u8>>, PictureError> {
    let wanted = match task {
        Task::Clean => {
            let (clean, measures) = clean_picture(bytes, media, limits)?;
            let splice = embedded::split(bytes, &clean);
            let is_other = splice.is_some();
            return Ok(TaskOutput { measures: Some(measures), files: vec![is_other.then_some(clean), splice] });
        }
        Task::Mask { picture, media } => {
            let picture = std::fs::read(picture).map_err(|error| PictureError::Unreadable(error.to_string()))?;
            return mask::lay(bytes, (&picture, *media), limits);
        }
        Task::Channel(channel) => return extract::extract(bytes, media, limits, *channel),
        Task::Resize(wanted) => wanted,
    };
    let picture = Picture::decode(bytes, media, limits).map_err(PictureError::Unreadable)?;
    let measures = if wanted.measured { Some(picture.measure().map_err(PictureError::Unreadable)?) } else { None };
    if picture.frames > 1 && !wanted.of_animations {
        return Ok(TaskOutput { measures, files: Vec::new() });
    }
    let made = wanted.sizes.iter().map(|(size, quality)| picture.webp(*size, *quality).map(Some));
    let files = made.collect::<Result<Vec<_>, _>>().map_err(PictureError::Unreadable)?;
    Ok(TaskOutput { measures, files })
}
