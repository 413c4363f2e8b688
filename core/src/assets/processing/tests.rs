//! Videos, with and without ffmpeg. The setup for tests installs it.

use bytes::Bytes;
use image::ImageFormat;

use crate::Clock;
use crate::assets::*;
use crate::settings::Settings;
use crate::testing::TestCore;
use crate::testing::{MP4, WEBM};

async fn core_with(change: impl FnOnce(&mut Settings)) -> TestCore {
    TestCore::with(Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), change).await
}

fn key(stored: &StoredFile) -> FileKey {
    FileKey { content: stored.content.clone(), media: stored.media }
}

#[actix::test]
async fn video_has_size_duration_and_a_poster_in_every_quality() {
    let core = TestCore::new().await;
    assert_eq!(core.files.video_support(), VideoSupport::Enabled, "ffmpeg and ffprobe are not installed");
    for (bytes, media, size, length) in
        [(MP4, MediaType::Mp4, (160, 90), 1500), (WEBM, MediaType::Webm, (90, 160), 1000)]
    {
        let stored = core.files.store_output(Bytes::from_static(bytes)).await.expect("a file");
        assert_eq!((stored.media, stored.width, stored.height), (media, Some(size.0), Some(size.1)));
        // Remuxing may move the end by one tick of the container, a millisecond.
        let moved = stored.duration_ms.map(|measured| (measured - length).abs());
        assert!(moved.is_some_and(|moved| moved <= 1), "{:?} instead of {length}", stored.duration_ms);
        assert!(stored.blur_hash.is_some(), "the placeholder is missing");
        for quality in [Quality::W200, Quality::W480, Quality::W960, Quality::Optimal] {
            let poster = core.files.rendition(&key(&stored), quality).await.expect("a poster");
            assert_eq!(poster.content_type, "image/webp");
            let decoded = image::load_from_memory_with_format(poster.file.head(), ImageFormat::WebP).expect("a WebP");
            assert_eq!((decoded.width(), decoded.height()), (size.0.unsigned_abs(), size.1.unsigned_abs()));
        }
        let raw = core.files.rendition(&key(&stored), Quality::Raw).await.expect("the video");
        assert_eq!(sniff(raw.file.head()), media, "the raw quality is the video");
        let original = core.files.original(&stored.content, &stored.embedded).await.expect("the video");
        assert_eq!(original.bytes().await.expect("bytes"), bytes, "the original is unchanged");
    }
}

#[actix::test]
async fn missing_smaller_posters_are_made_from_the_largest() {
    let core = TestCore::new().await;
    let stored = core.files.store_output(Bytes::from_static(MP4)).await.expect("a file");
    let folder = core.settings.storage_folder();
    for gone in ["w480", "w960", "raw"] {
        std::fs::remove_dir_all(folder.join(gone)).expect("a folder that goes");
    }
    for quality in [Quality::W480, Quality::W960] {
        let poster = core.files.rendition(&key(&stored), quality).await.expect("a poster");
        let decoded = image::load_from_memory_with_format(poster.file.head(), ImageFormat::WebP).expect("a WebP");
        assert_eq!((decoded.width(), decoded.height()), (160, 90), "{quality:?}");
    }
    std::fs::remove_dir_all(folder.join("optimal")).expect("a folder that goes");
    assert!(core.files.rendition(&key(&stored), Quality::W480).await.is_ok(), "the poster was not stored");
    assert!(matches!(core.files.rendition(&key(&stored), Quality::Optimal).await, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn without_ffmpeg_a_video_is_stored_and_served() {
    let empty = tempfile::tempdir().expect("a folder");
    let elsewhere = empty.path().to_path_buf();
    let off = core_with(|settings| settings.ffmpeg.enabled = false).await;
    let missing = core_with(|settings| settings.ffmpeg.programs = Some(elsewhere)).await;
    for (core, why) in [(off, VideoSupport::Disabled), (missing, VideoSupport::FfmpegMissing)] {
        assert_eq!(core.files.video_support(), why);
        let stored = core.files.store_output(Bytes::from_static(MP4)).await.expect("a file");
        assert_eq!((stored.media, stored.width, stored.duration_ms), (MediaType::Mp4, None, None));
        assert!(matches!(core.files.rendition(&key(&stored), Quality::W200).await, Err(Error::NotFound { .. })));
        let raw = core.files.rendition(&key(&stored), Quality::Raw).await.expect("the video");
        assert_eq!(raw.file.bytes().await.expect("bytes"), MP4);
        assert_eq!(core.files.inspect_video(&stored.content, stored.media).await.expect("an answer"), None);
    }
}

#[actix::test]
async fn video_that_ffmpeg_cannot_read_is_stored_without_a_poster() {
    let core = core_with(|settings| settings.limits.image_side = 120).await;
    let too_wide = core.files.store_output(Bytes::from_static(MP4)).await.expect("a file");
    assert_eq!((too_wide.media, too_wide.width), (MediaType::Mp4, None), "its side is beyond the limit");
    let broken = [&MP4[..200], &[0xff; 500]].concat();
    let broken = core.files.store_output(broken).await.expect("a file");
    assert_eq!((broken.media, broken.width), (MediaType::Mp4, None));
    // A playlist disguised as a video: ffmpeg may only open this one file, and only as a video.
    let list = b"\0\0\0\x20ftypisom#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n";
    let list = core.files.store_output(Bytes::from_static(list)).await.expect("a file");
    assert_eq!((list.media, list.width), (MediaType::Mp4, None));
}

#[actix::test]
async fn hanging_ffmpeg_is_killed() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["ffmpeg", "ffprobe"] {
        let program = folder.path().join(name);
        std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program that runs");
    }
    let programs = folder.path().to_path_buf();
    let core = core_with(|settings| {
        settings.ffmpeg.programs = Some(programs);
        settings.ffmpeg.seconds = 1;
    })
    .await;
    let began = std::time::Instant::now();
    let stored = core.files.store_output(Bytes::from_static(MP4)).await.expect("a file");
    assert_eq!(stored.width, None);
    assert!(began.elapsed().as_secs() < 60, "the video waited for a program that hangs");
}

#[actix::test]
async fn ffmpeg_with_too_much_output_is_killed() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["ffmpeg", "ffprobe"] {
        let program = folder.path().join(name);
        std::fs::write(&program, "#!/bin/sh\nexec /usr/bin/yes\n").expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program that runs");
    }
    let programs = folder.path().to_path_buf();
    let core = core_with(|settings| settings.ffmpeg.programs = Some(programs)).await;
    let stored = core.files.store_output(Bytes::from_static(WEBM)).await.expect("a file");
    assert_eq!((stored.media, stored.width), (MediaType::Webm, None));
}
