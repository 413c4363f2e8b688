//! Pictures that somebody has drawn a mask on: files of their own, with the colours of the picture and the mask in alpha.

use super::embedded::Embedded;
use super::pictures::picture::Task;
use super::{Asset, MediaType, Spool, Stored, Workshop, begin, finish, media, must_be_free, sniff};
use crate::{Caller, Core, Error, Result};

/// The formats that a mask may have, as people are told.
const MASKS: &str = "PNG";

/// Keeps one of the caller's pictures with this mask, a PNG of the same size whose alpha is 0 where something was drawn.
/// It is private.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the picture is none of theirs; [`Error::FileTooLarge`];
/// [`Error::FileEmpty`], [`Error::FileFormatUnsupported`], [`Error::FileNotAnImage`] for what is no PNG that can be read;
/// [`Error::FileSidesUnsupported`] for another size than the picture's; [`Error::Invalid`] for a mask with nothing drawn;
/// as [`super::upload`].
pub async fn upload_masked(core: &Core, caller: &Caller, original: &Asset, name: &str, mask: Spool) -> Result<Asset> {
    let came = begin(core, caller, &mask, core.settings.limits.upload_bytes).await?;
    if original.user != came.user || original.kind != super::AssetKind::Image {
        return Err(Error::NotFound { what: "asset" });
    }
    must_be_free(core, caller, std::slice::from_ref(&original.stored.content)).await?;
    let turn = core.files.turns.wait(came.user).await?;
    let stored = core.files.store_masked(original, mask).await?;
    drop(turn);
    finish(core, caller, came, name, &stored).await
}

impl Workshop {
    async fn store_masked(&self, original: &Asset, mask: Spool) -> Result<Stored> {
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
        let made = self.work(&mask, is, task).await?.map_err(Error::from)?;
        let file = made.files.into_iter().next().flatten();
        let file = file.ok_or_else(|| Error::Internal("a masked picture has no file".to_owned()))?;
        let mut stored = self.keep(&file, MediaType::Png, made.measures).await?;
        stored.embedded = Embedded::Nothing;
        Ok(stored)
    }
}
