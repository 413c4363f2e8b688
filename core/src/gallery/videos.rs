//! Videos that nobody could read when they were stored: before ffmpeg was there, or while it failed.

use super::store::videos;
use crate::{Core, Result};

/// Videos that one round reads.
pub const MEASURED_AT_ONCE: i64 = 4;

/// Reads a few of them, the newest first, and notes size, length and placeholder; tells how many could be read. Does
/// nothing where ffmpeg is missing. Each is tried three times.
///
/// # Errors
/// Where the database or the storage fails.
pub async fn measure_videos(core: &Core) -> Result<u64> {
    if core.files.videos() != crate::assets::Videos::Read {
        return Ok(0);
    }
    let mut read = 0;
    for (content, media) in videos::claim(&core.db, MEASURED_AT_ONCE).await? {
        match core.files.read_video(&content, media).await {
            Ok(Some(measures)) => read += videos::measured(&core.db, &content, &measures).await?,
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, file.content = content.as_str(), "a video could not be looked at"),
        }
    }
    Ok(read)
}
