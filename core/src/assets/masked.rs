//! Pictures with a mask drawn by a user: new files with the picture's colours and the mask as alpha.

use super::embedded::EmbeddedMetadata;
use super::pictures::picture::Task;
use super::{
    Asset, MediaProcessor, MediaType, Spool, StoredFile, begin_upload, finish_upload, media, must_be_usable, sniff,
};
use crate::{Caller, Core, Error, Result};

/// Accepted mask formats, for error messages.
const MASKS: &str = "PNG";

/// Stores one of the caller's pictures with this mask: a PNG of the same size whose alpha is 0 where the user drew. The
/// asset is private.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] if the picture is not the caller's;
/// [`Error::FileTooLarge`]; [`Error::FileEmpty`], [`Error::FileFormatUnsupported`], [`Error::FileNotAnImage`] for a
/// mask that is not a readable PNG; [`Error::FileSidesUnsupported`] for a size other than the picture's;
/// [`Error::Invalid`] for a mask with nothing drawn; as [`super::upload`].
pub async fn upload_masked(core: &Core, caller: &Caller, original: &Asset, name: &str, mask: Spool) -> Result<Asset> {
    let pending = begin_upload(core, caller, &mask, core.settings.limits.upload_bytes).await?;
    if original.user != pending.user || original.kind != super::AssetKind::Image {
        return Err(Error::NotFound { what: "asset" });
    }
    must_be_usable(core, caller, std::slice::from_ref(&original.stored.content)).await?;
    let permit = core.files.user_queues.wait(pending.user).await?;
    let stored = core.files.store_masked(original, mask).await?;
    drop(permit);
    finish_upload(core, caller, pending, name, &stored).await
}

impl MediaProcessor {
    async fn store_masked(&self, original: &Asset, mask: Spool) -> Result<StoredFile> {
        let _queued = self.queue()?;
        if mask.is_empty() {
            return Err(Error::FileEmpty);
        }
        let is = sniff(mask.head());
        if is != MediaType::Png {
            return Err(match (is.kind(), media::foreign(mask.head())) {
                (super::AssetKind::Image, _) => Error::FileFormatUnsupported { format: is.extension(), taken: MASKS },
                (_, Some(format)) => Error::FileFormatUnsupported { format, taken: MASKS },
                _ => Error::FileNotAnImage { reason: format!("it is no {MASKS}") },
            });
        }
        let picture = Spool::from(self.storage.get(&original.stored.content).await?).on_disk().await?;
        let task = Task::Mask { picture: picture.path().to_path_buf(), media: original.stored.media };
        let made = self.run(&mask, is, task).await?.map_err(Error::from)?;
        let file = made.files.into_iter().next().flatten();
        let file = file.ok_or_else(|| Error::Internal("a masked picture has no file".to_owned()))?;
        let mut stored = self.store(&file, MediaType::Png, made.measures).await?;
        stored.embedded = EmbeddedMetadata::None;
        Ok(stored)
    }
}
