//! Videos that could not be read when they were stored, because ffmpeg was missing or failed.

use super::store::videos;
use crate::{Core, Result};

/// Videos of one round.
pub const MEASURED_AT_ONCE: i64 = 4;

/// Reads a few of them, the newest first, and writes size, length and placeholder. Returns the number read. Does
/// nothing where ffmpeg is missing. Each video is tried three times.
pub async fn measure_videos(core: &Core) -> Result<u64> {
    if core.files.video_support() != crate::assets::VideoSupport::Enabled {
        return Ok(0);
    }
    let mut read = 0;
    for (content, media) in videos::claim(&core.db, MEASURED_AT_ONCE).await? {
        match core.files.inspect_video(&content, media).await {
            Ok(Some(measures)) => read += videos::measured(&core.db, &content, &measures).await?,
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, file.content = content.as_str(), "cannot read a video"),
        }
    }
    Ok(read)
}
