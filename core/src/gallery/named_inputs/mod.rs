//! The input folder of each user, as ComfyUI clients see it: paths of uploads. An input that was kept elsewhere has its
//! upload's name as its path, unless another file has that path.

mod named_input;
mod store;

use std::collections::{HashMap, HashSet};

pub use named_input::{NameClash, NamedInput};

use super::inputs::input_asset::InputFilter;
use super::inputs::{count_inputs, keep_input};
use crate::assets::{Asset, ContentHash};
use crate::ids::{AssetId, UserId};
use crate::{Caller, Core, Error, Result, names};

const SUBFOLDER_CHARACTERS: usize = 200;
/// Names that are tried before an upload is refused.
const NAMES_TRIED: u32 = 1000;

/// Puts one of the caller's uploads into the input folder and keeps it as an input asset. Returns its path there, whose
/// name may differ from the upload's. The same bytes under the same name are one file.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the upload is not the caller's; [`Error::Invalid`]
/// for a subfolder that leaves the folder.
pub async fn name_input(
    core: &Core,
    caller: &Caller,
    asset: &Asset,
    subfolder: &str,
    clash: NameClash,
) -> Result<String> {
    let user = caller.signed_in()?;
    if asset.user != user {
        return Err(Error::NotFound { what: "asset" });
    }
    let folder = folder(subfolder)?;
    let kept = InputFilter { user: Some(user), asset: Some(asset.id), ..InputFilter::default() };
    if count_inputs(core, caller, &kept).await? == 0 {
        keep_input(core, caller, asset.id, true).await?;
    }
    let file: (AssetId, &ContentHash) = (asset.id, &asset.stored.content);
    for number in 0..NAMES_TRIED {
        let path = path(&folder, &numbered(&asset.name, number));
        if store::claim(&core.db, user, &path, file, clash, core.clock.now()).await? {
            return Ok(path);
        }
    }
    Err(Error::invalid("image", format!("{NAMES_TRIED} files have this name already")))
}

/// The uploads at these paths of the caller's input folder.
pub async fn inputs_at(core: &Core, caller: &Caller, paths: &[String]) -> Result<HashMap<String, AssetId>> {
    let (user, now) = (caller.signed_in()?, core.clock.now());
    if paths.is_empty() {
        return Ok(HashMap::new());
    }
    let mut found: HashMap<String, AssetId> = store::at(&core.db, user, paths, now).await?.into_iter().collect();
    let missing: Vec<String> = paths.iter().filter(|path| !found.contains_key(*path)).cloned().collect();
    if !missing.is_empty() {
        found.extend(store::kept_with_names(&core.db, user, &missing, now).await?);
    }
    Ok(found)
}

/// The caller's input folder, the latest files first.
pub async fn named_inputs(core: &Core, caller: &Caller) -> Result<Vec<NamedInput>> {
    let mut files = store::all(&core.db, caller.signed_in()?, core.clock.now()).await?;
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.path.clone()));
    Ok(files)
}

/// Deletes the names of a deleted account's files.
pub async fn forget_named_inputs(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

/// A subfolder without empty parts.
fn folder(given: &str) -> Result<String> {
    let parts: Vec<&str> = given.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let is_bad = |part: &&str| *part == ".." || part.chars().any(|c| c == '\\' || c == ':' || names::is_hidden(c));
    let folder = parts.join("/");
    if given.starts_with('/') || parts.iter().any(is_bad) || folder.chars().count() > SUBFOLDER_CHARACTERS {
        return Err(Error::invalid("subfolder", "must be a folder inside the input folder"));
    }
    Ok(folder)
}

fn path(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A name with a number before its extension, as ComfyUI renames files: `boat (1).png`.
fn numbered(name: &str, number: u32) -> String {
    match (number, name.rsplit_once('.')) {
        (0, _) => name.to_owned(),
        (_, Some((stem, ending))) if !stem.is_empty() => format!("{stem} ({number}).{ending}"),
        _ => format!("{name} ({number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets;
    use crate::gallery::tests::person;
    use crate::testing::TestCore;

    #[actix::test]
    async fn clash_gives_another_name_unless_the_bytes_are_the_same() {
        let core = TestCore::new().await;
        let ((_, caller), (_, stranger)) = (person(&core).await, person(&core).await);
        let upload = async |red: u8| {
            let mut bytes = std::io::Cursor::new(Vec::new());
            let picture = image::RgbImage::from_pixel(8, 8, image::Rgb([red, 0, 0]));
            picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
            let bytes = bytes::Bytes::from(bytes.into_inner());
            assets::upload(&core, &caller, "boat.png", bytes).await.expect("an upload")
        };
        let (one, two, three) = (upload(1).await, upload(2).await, upload(3).await);
        let name = async |asset: &Asset, folder: &str, clash| {
            name_input(&core, &caller, asset, folder, clash).await.expect("a path")
        };
        assert_eq!(name(&one, "", NameClash::Rename).await, "boat.png");
        assert_eq!(name(&one, "", NameClash::Rename).await, "boat.png", "the same bytes are one file");
        assert_eq!(name(&two, "", NameClash::Rename).await, "boat (1).png");
        assert_eq!(
            name(&two, "./clipspace/", NameClash::Rename).await,
            "clipspace/boat.png",
            "each folder has its own names"
        );
        assert_eq!(name(&three, "", NameClash::Replace).await, "boat.png");
        let paths = ["boat.png", "boat (1).png", "clipspace/boat.png", "none.png"].map(str::to_owned);
        let found = inputs_at(&core, &caller, &paths).await.expect("files");
        let at = |path: &str| found.get(path).copied();
        assert_eq!(
            (at("boat.png"), at("boat (1).png"), at("clipspace/boat.png"), at("none.png")),
            (Some(three.id), Some(two.id), Some(two.id), None)
        );
        assert!(inputs_at(&core, &stranger, &paths).await.expect("files").is_empty());
        assert!(name_input(&core, &stranger, &one, "", NameClash::Replace).await.is_err(), "it is another user's");
        let listed: Vec<String> =
            named_inputs(&core, &caller).await.expect("a list").into_iter().map(|file| file.path).collect();
        assert_eq!(listed.len(), 3, "{listed:?}");
    }

    #[test]
    fn renamed_file_keeps_its_extension() {
        assert_eq!(numbered("boat.png", 0), "boat.png");
        assert_eq!(numbered("boat.png", 2), "boat (2).png");
        assert_eq!(numbered("a.tar.gz", 1), "a.tar (1).gz");
        assert_eq!(numbered("boat", 1), "boat (1)");
    }

    #[test]
    fn subfolder_stays_inside_the_input_folder() {
        for (given, kept) in [("", ""), ("clipspace", "clipspace"), ("a//b/", "a/b"), ("./a", "a"), ("작업", "작업")]
        {
            assert_eq!(folder(given).expect("a folder"), kept);
        }
        let long = "x".repeat(201);
        for bad in ["..", "a/../..", "/etc", "a\\b", "c:", "a\u{200b}", &long] {
            assert!(matches!(folder(bad), Err(Error::Invalid { .. })), "{bad:?}");
        }
    }
}
