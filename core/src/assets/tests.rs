mod cleaning;

use std::io::Cursor;

use bytes::Bytes;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;
use crate::testing::TestCore;
use crate::users::factory::user;

pub(in crate::assets) fn picture(width: u32, height: u32, format: ImageFormat) -> Bytes {
    let image = RgbImage::from_fn(width, height, |x, y| Rgb([(x % 256) as u8, (y % 256) as u8, 128]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, format).expect("an encoded picture");
    Bytes::from(bytes.into_inner())
}

pub(in crate::assets) async fn customer(core: &TestCore) -> Caller {
    Caller::customer(user().insert(&core.db).await)
}

#[actix::test]
async fn uploaded_picture_is_measured_and_gets_a_safe_name() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    let bytes = picture(640, 480, ImageFormat::Jpeg);
    let asset = upload(&core, &owner, "../../etc/pass\u{0}wd.png", bytes.clone()).await.expect("an asset");
    assert_eq!(asset.name, "passwd.png");
    assert_eq!((asset.stored.width, asset.stored.height, asset.stored.media), (Some(640), Some(480), MediaType::Jpeg));
    assert_eq!(asset.stored.blur_hash.as_ref().map(String::len), Some(28));
    assert!(asset.is_private);
    assert_eq!(core.files.storage.get(&asset.stored.content).await.expect("the bytes"), bytes);
    let again = upload(&core, &owner, "passwd.png", bytes.clone()).await.expect("the same asset");
    assert_eq!(again.id, asset.id, "the same upload returns the same asset");
    let other = upload(&core, &customer(&core).await, "passwd.png", bytes).await.expect("an asset");
    assert_ne!(other.id, asset.id, "each user has an asset of their own");
    assert_eq!(other.stored, asset.stored);
}

#[actix::test]
async fn invalid_or_too_large_upload_is_refused_and_not_stored() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    for (bytes, code) in [
        (&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], "FILE_FORMAT_UNSUPPORTED"),
        (b"\0\0\0\x20ftypavif\0\0\0\0", "FILE_FORMAT_UNSUPPORTED"),
        (b"", "FILE_EMPTY"),
        (b"\x89PNG\r\n\x1a\nbroken", "FILE_TRUNCATED"),
        (b"GIF89a", "FILE_TRUNCATED"),
        (b"hello", "FILE_NOT_AN_IMAGE"),
    ] {
        let refused = upload(&core, &owner, "a.png", Bytes::from_static(bytes)).await.expect_err("no picture");
        assert_eq!(refused.code().name(), code, "{}", bytes.escape_ascii());
        assert!(!core.files.storage.exists(&ContentHash::of(bytes)).await.expect("an answer"));
    }
    for (width, height) in [(1, 16_000), (16_385, 2)] {
        let refused = upload(&core, &owner, "a.png", picture(width, height, ImageFormat::Png)).await;
        assert!(matches!(refused, Err(Error::FileSidesUnsupported { .. })), "{width} × {height}");
    }
    let large = Bytes::from(vec![0u8; 20_971_521]);
    let refused = upload(&core, &owner, "a.png", large).await;
    assert!(matches!(refused, Err(Error::FileTooLarge { limit_bytes: 20_971_520 })));
    let guest = upload(&core, &Caller::guest(), "a.png", picture(8, 8, ImageFormat::Png)).await;
    assert!(matches!(guest, Err(Error::LoginRequired)));
}

#[actix::test]
async fn private_file_is_visible_to_owner_and_admins_until_published() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    let asset = upload(&core, &owner, "a.png", picture(8, 8, ImageFormat::Png)).await.expect("an asset");
    let (stranger, guest) = (customer(&core).await, Caller::guest());
    let content = &asset.stored.content;
    for (caller, sees) in [(&owner, true), (&stranger, false), (&guest, false), (&Caller::system(), true)] {
        assert_eq!(find(&core, caller, asset.id).await.is_ok(), sees, "{caller:?}");
        assert_eq!(may_see_content(&core, caller, content).await.expect("an answer"), sees, "{caller:?}");
    }
    let permit = users::may_publish(&core, &stranger).await.expect("a permit");
    set_private(&core, &stranger, &[asset.id], Exposure::Everybody(&permit)).await.expect("no harm");
    assert!(find(&core, &guest, asset.id).await.is_err(), "only the owner can publish");
    set_private(&core, &owner, &[asset.id], Exposure::Everybody(&permit)).await.expect("a publication");
    assert!(find(&core, &guest, asset.id).await.is_ok());
    assert!(may_see_content(&core, &guest, content).await.expect("an answer"));
}

#[actix::test]
async fn broken_picture_output_is_stored_as_a_download() {
    let core = TestCore::new().await;
    let png = core.files.store_output(picture(32, 16, ImageFormat::Png)).await.expect("a file");
    assert_eq!((png.media, png.width, png.height), (MediaType::Png, Some(32), Some(16)));
    let flac = core.files.store_output(Bytes::from_static(b"fLaC\0\0\0\x22")).await.expect("a file");
    assert_eq!((flac.media, flac.width, flac.size_bytes), (MediaType::Flac, None, 8));
    let broken = core.files.store_output(Bytes::from_static(b"\x89PNG\r\n\x1a\nbroken")).await.expect("a file");
    assert_eq!(broken.media, MediaType::Other, "browsers must not open undecodable pictures");
}

#[actix::test]
async fn picture_with_unreadable_pixels_is_stored_as_it_came() {
    let core = TestCore::new().await;
    let mut png = picture(32, 16, ImageFormat::Png).to_vec();
    // Its chunks are complete, so that only decoding finds the fault.
    let pixels = png.windows(4).position(|name| name == b"IDAT").expect("pixels") + 4;
    png[pixels..pixels + 8].fill(0xff);
    let stored = core.files.store_output(png.clone()).await.expect("a file");
    assert_eq!((stored.media, stored.width, stored.blur_hash), (MediaType::Other, None, None));
    assert_eq!((&stored.content, &stored.embedded), (&ContentHash::of(&png), &EmbeddedMetadata::InFile));
    assert_eq!(core.files.storage.get(&stored.content).await.expect("its bytes"), png);
}

#[actix::test]
async fn renditions_are_made_once_and_stored() {
    let core = TestCore::new().await;
    let stored = core.files.store_output(picture(2100, 1050, ImageFormat::Png)).await.expect("a file");
    let key = FileKey { content: stored.content.clone(), media: stored.media };
    let qualities = [(Quality::W200, (200, 100)), (Quality::W480, (480, 240)), (Quality::W960, (960, 480))];
    for (quality, size) in qualities.into_iter().chain([(Quality::Optimal, (2048, 1024))]) {
        let made = core.files.rendition(&key, quality).await.expect("a rendition");
        assert_eq!(made.content_type, "image/webp");
        let decoded = image::load_from_memory_with_format(&made.file.bytes().await.expect("bytes"), ImageFormat::WebP)
            .expect("a WebP");
        assert_eq!((decoded.width(), decoded.height()), size);
    }
    // Without the original, only the stored rendition can answer.
    let raw = core.settings.storage_folder().join("raw");
    std::fs::remove_dir_all(raw).expect("the originals are removed");
    for quality in [Quality::W200, Quality::W480, Quality::W960, Quality::Optimal] {
        assert!(core.files.rendition(&key, quality).await.is_ok(), "{quality:?} was not stored");
    }
    assert!(matches!(core.files.rendition(&key, Quality::Raw).await, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn file_is_served_only_as_its_real_type() {
    let core = TestCore::new().await;
    let stored = core.files.store_output(Bytes::from_static(b"<script>alert(1)</script>")).await.expect("a file");
    let as_png: FileKey = format!("{}.png", stored.content.as_str()).parse().expect("a key");
    assert!(matches!(core.files.rendition(&as_png, Quality::Raw).await, Err(Error::NotFound { .. })));
    assert!(matches!(core.files.rendition(&as_png, Quality::W200).await, Err(Error::NotFound { .. })));
    let download = FileKey { content: stored.content, media: stored.media };
    assert_eq!(download.to_string().rsplit_once('.').map(|(_, end)| end), Some("bin"));
    let raw = core.files.rendition(&download, Quality::Raw).await.expect("the bytes");
    assert_eq!(raw.content_type, "application/octet-stream");
    assert!(core.files.rendition(&download, Quality::W200).await.is_err(), "only pictures have cards");
}

#[test]
fn invalid_keys_are_refused() {
    let hash = "0".repeat(64);
    assert!(format!("{hash}.png").parse::<FileKey>().is_ok());
    for text in [
        &hash,
        "../../etc/passwd.png",
        "x.png",
        &format!("{hash}.svg"),
        &format!("{hash}.png.png"),
        &format!("{}.png", "A".repeat(64)),
        &format!("../{hash}.png"),
        "",
    ] {
        assert!(text.parse::<FileKey>().is_err(), "{text:?} is not a key");
    }
    assert!("RAW".parse::<Quality>().is_err());
}

#[actix::test]
async fn upload_beyond_the_storage_limit_is_refused_until_space_is_freed() {
    let (one, two) = (picture(64, 64, ImageFormat::Png), picture(64, 65, ImageFormat::Png));
    let space = one.len() as u64 + 10;
    let start = "2026-01-01T00:00:00Z".parse().expect("a time");
    let core = TestCore::with(crate::Clock::held(start), |settings| {
        settings.plans.iter_mut().for_each(|plan| plan.storage_bytes = space);
    })
    .await;
    let (owner, other) = (customer(&core).await, customer(&core).await);
    let first = upload(&core, &owner, "one.png", one.clone()).await.expect("an upload");
    let used = used_bytes(&core, first.user).await.expect("a number");
    assert_eq!(used, one.len() as u64);
    let refused = upload(&core, &owner, "two.png", two.clone()).await;
    assert!(
        matches!(&refused, Err(Error::StorageFull { used_bytes, limit_bytes }) if (*used_bytes, *limit_bytes) == (used, space)),
        "{refused:?}"
    );
    assert!(
        !core.files.storage.exists(&ContentHash::of(&two)).await.expect("an answer"),
        "the refused file was stored"
    );
    upload(&core, &other, "two.png", two.clone()).await.expect("the limit is per user");
    delete(&core, first.user, &[first.id]).await.expect("a deletion");
    upload(&core, &owner, "two.png", two).await.expect("space was freed");
}
