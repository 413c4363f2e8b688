//! Metadata is removed from files on arrival, in all formats. The markers represent a place, a camera, its maker notes,
//! a comment and a prompt.

use std::process::Command;

use bytes::Bytes;

use super::*;
use crate::database;

const MARKERS: [&str; 5] =
    ["48.8584N-2.2945E", "Kamera-4711", "MAKER-NOTES-x9", "my private comment", "CLIPTextEncode-cat"];

/// The first marker in these bytes, plain or in UTF-16.
fn marker_in(bytes: &[u8]) -> Option<&'static str> {
    MARKERS.into_iter().find(|marker| {
        let wide: Vec<u8> = marker.bytes().flat_map(|byte| [byte, 0]).collect();
        [marker.as_bytes(), &wide].into_iter().any(|marker| bytes.windows(marker.len()).any(|window| window == marker))
    })
}

fn all_markers() -> Vec<u8> {
    MARKERS.join("|").into_bytes()
}

/// EXIF with one text.
fn exif() -> Vec<u8> {
    let text = all_markers();
    let mut exif = b"II*\0\x08\0\0\0\x01\0\x0f\x01\x02\0".to_vec();
    exif.extend(u32::try_from(text.len()).expect("short").to_le_bytes());
    exif.extend(26_u32.to_le_bytes());
    exif.extend([0; 4]);
    exif.extend(text);
    exif
}

/// A photo in each format, with markers wherever the format allows them, and behind its end.
fn photos() -> Vec<(MediaType, Bytes)> {
    let text = all_markers();
    let plain = |format| picture(64, 48, format).to_vec();
    let segment = |marker: u8, begin: &[u8], data: &[u8]| {
        let length = u16::try_from(begin.len() + data.len() + 2).expect("short").to_be_bytes();
        [&[0xff, marker][..], &length, begin, data].concat()
    };
    let jpeg = plain(ImageFormat::Jpeg);
    let jpeg = [
        &jpeg[..2],
        &segment(0xe1, b"Exif\0\0", &exif()),
        &segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0", &text),
        &segment(0xed, b"Photoshop 3.0\0", &text),
        &segment(0xfe, b"", &text),
        &jpeg[2..],
        &text,
    ]
    .concat();
    let png = plain(ImageFormat::Png);
    let mut noted = Vec::new();
    {
        let mut encoder = png::Encoder::new(&mut noted, 1, 1);
        encoder.add_text_chunk("prompt".into(), MARKERS.join("|")).expect("a text");
        encoder.add_itxt_chunk("workflow".into(), MARKERS.join("|")).expect("a text");
        encoder.write_header().expect("a head").write_image_data(&[0]).expect("a pixel");
    }
    // The text chunks of that PNG are between its head and its pixels.
    let end = noted.windows(4).position(|window| window == b"IDAT").expect("pixels") - 4;
    let png = [&png[..33], &noted[33..end], &png[33..], &text].concat();
    let webp = plain(ImageFormat::WebP);
    let even = if text.len().is_multiple_of(2) { text.clone() } else { [&text[..], b" "].concat() };
    let chunk =
        |name: &[u8], data: &[u8]| [name, &u32::try_from(data.len()).expect("short").to_le_bytes()[..], data].concat();
    let mut webp = [&webp[..], &chunk(b"EXIF", &even), &chunk(b"XMP ", &even)].concat();
    let size = u32::try_from(webp.len() - 8).expect("short").to_le_bytes();
    webp[4..8].copy_from_slice(&size);
    webp.extend(&text);
    let gif = plain(ImageFormat::Gif);
    let mut comment = vec![0x21, 0xfe];
    for piece in text.chunks(200) {
        comment.push(u8::try_from(piece.len()).expect("short"));
        comment.extend(piece);
    }
    comment.push(0);
    let gif = [&gif[..gif.len() - 1], &comment, b"\x3b", &text].concat();
    let bmp = [plain(ImageFormat::Bmp), text].concat();
    [
        (MediaType::Jpeg, jpeg),
        (MediaType::Png, png),
        (MediaType::Webp, webp),
        (MediaType::Gif, gif),
        (MediaType::Bmp, bmp),
    ]
    .map(|(media, bytes)| (media, Bytes::from(bytes)))
    .into()
}

/// A sound or video made by ffmpeg, with markers in all tags that the container keeps.
fn recorded(extension: &str, input: &[&str], codecs: &[&str]) -> Bytes {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("a.{extension}"));
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin"]).args(input).args(codecs);
    for (tag, marker) in ["location", "model", "title", "comment", "prompt"].into_iter().zip(MARKERS) {
        command.args(["-metadata", &format!("{tag}={marker}"), "-metadata:s", &format!("title={marker}")]);
    }
    command.args(["-movflags", "use_metadata_tags", "-write_id3v1", "1"]).arg(&file);
    let made = command.output().expect("ffmpeg");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    std::fs::read(&file).expect("a recording").into()
}

const PICTURES: [&str; 4] = ["-f", "lavfi", "-i", "testsrc=duration=1:size=64x48:rate=5"];
const SOUND: [&str; 4] = ["-f", "lavfi", "-i", "sine=duration=1"];

fn recordings() -> Vec<(MediaType, Bytes)> {
    let both: Vec<&str> = PICTURES.into_iter().chain(SOUND).collect();
    let x264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"];
    vec![
        (MediaType::Mp4, recorded("mp4", &both, &x264)),
        (MediaType::Mp4, recorded("mov", &both, &x264)),
        (MediaType::Mp4, recorded("mkv", &both, &x264)),
        (MediaType::Webm, recorded("webm", &both, &["-c:v", "libvpx", "-c:a", "libopus"])),
        (MediaType::Mp3, recorded("mp3", &SOUND, &[])),
        (MediaType::M4a, recorded("m4a", &SOUND, &[])),
        (MediaType::Flac, recorded("flac", &SOUND, &[])),
        (MediaType::Ogg, recorded("ogg", &SOUND, &["-c:a", "libvorbis"])),
        (MediaType::Wav, recorded("wav", &SOUND, &[])),
    ]
}

/// All renditions of a file that can be fetched.
async fn forms(core: &Core, stored: &StoredFile) -> Vec<Bytes> {
    let key = FileKey { content: stored.content.clone(), media: stored.media };
    let mut qualities = vec![Quality::Raw];
    if stored.media.kind() != AssetKind::Audio {
        qualities.extend([Quality::W200, Quality::W480, Quality::W960, Quality::Optimal]);
    }
    let mut forms = Vec::new();
    for quality in qualities {
        let form = core.files.rendition(&key, quality).await.expect("a form");
        forms.push(form.file.bytes().await.expect("its bytes"));
    }
    forms
}

#[actix::test]
async fn photos_in_all_formats_lose_their_metadata() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    for (media, bytes) in photos() {
        assert!(marker_in(&bytes).is_some(), "{media:?}: the test's photo has no marker");
        let before = image::load_from_memory(&bytes).expect("a picture");
        let asset = upload(&core, &owner, "photo", bytes.clone()).await.expect("an asset");
        assert_eq!(asset.stored.media, media);
        for form in forms(&core, &asset.stored).await {
            assert_eq!(marker_in(&form), None, "{media:?}");
        }
        let after = core.files.storage.get(&asset.stored.content).await.expect("the file");
        assert_eq!(image::load_from_memory(&after).expect("a picture"), before, "{media:?}: its pixels changed");
        assert_eq!(i64::try_from(after.len()).expect("short"), asset.stored.size_bytes);

        // The same file as an output: other users see no metadata, and the owner gets the worker's file back.
        let output = core.files.store_output(bytes.clone()).await.expect("an output");
        for form in forms(&core, &output).await {
            assert_eq!(marker_in(&form), None, "{media:?}");
        }
        let original = core.files.original(&output.content, &output.embedded).await.expect("the original");
        assert_eq!(original.bytes().await.expect("bytes"), bytes, "{media:?}");
    }
}

#[actix::test]
async fn recordings_in_all_formats_lose_their_metadata() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    for (media, bytes) in recordings() {
        assert!(marker_in(&bytes).is_some(), "{media:?}: the test's recording has no marker");
        let asset = upload_media(&core, &owner, "recording", media.kind(), bytes.clone()).await;
        let asset = asset.unwrap_or_else(|error| panic!("{media:?}: {error}"));
        assert_eq!((asset.stored.media, asset.kind), (media, media.kind()));
        let length = asset.stored.duration_ms.expect("a length");
        assert!((900..1200).contains(&length), "{media:?} plays for {length} ms");
        assert_eq!(asset.stored.width, (media.kind() == AssetKind::Video).then_some(64));
        for form in forms(&core, &asset.stored).await {
            assert_eq!(marker_in(&form), None, "{media:?}");
        }
    }
    let wrong = recorded("mp3", &SOUND, &[]);
    let refused = upload_media(&core, &owner, "a", AssetKind::Video, wrong).await;
    assert!(matches!(refused, Err(Error::FileNotMedia { .. })), "a sound was accepted as a video");
    let mp4 = recorded("mp4", &PICTURES, &["-c:v", "libx264", "-pix_fmt", "yuv420p"]);
    let cut = upload_media(&core, &owner, "a", AssetKind::Video, mp4.slice(..mp4.len() / 2)).await;
    assert!(matches!(cut, Err(Error::FileTruncated)), "{cut:?}");
}

/// A file made by ffmpeg.
fn made(extension: &str, arguments: &[&str]) -> Bytes {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("a.{extension}"));
    let made = Command::new("ffmpeg").args(["-v", "error", "-nostdin"]).args(arguments).arg(&file).output();
    let made = made.expect("ffmpeg");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    std::fs::read(&file).expect("a file").into()
}

/// The decoded frames of a video.
fn pixels(film: &Bytes) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("film");
    std::fs::write(&file, film).expect("a file");
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-i"]).arg(&file).args(["-an", "-f", "rawvideo", "-"]);
    let shown = command.output().expect("ffmpeg");
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    shown.stdout
}

#[actix::test]
async fn metadata_between_video_frames_is_removed() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    let note = format!("h264_metadata=sei_user_data=086f3693b7b34f2c965321492feee5b8+{}", MARKERS[1]);
    let pictures = |codec: &[&'static str]| [&PICTURES[..], &["-pix_fmt", "yuv420p"], codec].concat();
    let x264 = [&pictures(&["-c:v", "libx264"])[..], &["-bsf:v", &note]].concat();
    // Encoders write their names and settings; HEVC also puts them into the file's head.
    let x265 = pictures(&["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none:info=1"]);
    let often = pictures(&["-c:v", "libx265", "-x265-params", "log-level=none:info=1:repeat-headers=1"]);
    for (extension, arguments, words) in [
        ("mp4", &x264, &[MARKERS[1], "x264"][..]),
        ("mkv", &x264, &[MARKERS[1], "x264"]),
        ("mp4", &x265, &["x265"]),
        ("mkv", &often, &["x265"]),
    ] {
        let film = made(extension, arguments);
        let contains = |bytes: &Bytes, word: &str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
        for word in words {
            assert!(contains(&film, word), "{extension}: the test's film does not contain {word}");
        }
        let asset = upload_media(&core, &owner, "film", AssetKind::Video, film.clone()).await.expect("an asset");
        let clean = core.files.storage.get(&asset.stored.content).await.expect("the file");
        for word in words {
            assert!(!contains(&clean, word), "{extension}: {word} was not removed");
        }
        assert_eq!(pixels(&clean), pixels(&film), "{extension}: its pictures changed");
    }
}

#[actix::test]
async fn tracks_other_than_video_and_audio_are_removed() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    let folder = tempfile::tempdir().expect("a folder");
    let (words, cover) = (folder.path().join("a.srt"), folder.path().join("a.png"));
    std::fs::write(&words, format!("1\n00:00:00,000 --> 00:00:01,000\n{}\n", MARKERS[3])).expect("subtitles");
    std::fs::write(&cover, photos().swap_remove(1).1).expect("a cover");
    let (words, cover) = (words.to_str().expect("a path"), cover.to_str().expect("a path"));
    let codecs = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:s", "mov_text"];
    let subtitled = [&PICTURES[..], &["-i", words, "-map", "0", "-map", "1"], &codecs].concat();
    let covered = ["-i", cover, "-map", "0", "-map", "1", "-c:v:1", "copy", "-disposition:v:1", "attached_pic"];
    let covered = [&PICTURES[..], &covered, &["-c:v:0", "libx264", "-pix_fmt:v:0", "yuv420p"]].concat();
    // Camera data is in a track of its own, like the time code here.
    let timed = [&PICTURES[..], &["-c:v", "libx264", "-pix_fmt", "yuv420p", "-timecode", "11:22:33:04"]].concat();
    for (track, arguments, name) in
        [("subtitles", &subtitled, &b"tx3g"[..]), ("a cover", &covered, b"png "), ("a data track", &timed, b"tmcd")]
    {
        let film = made("mp4", arguments);
        let has = |bytes: &Bytes| bytes.windows(4).any(|window| window == name);
        assert!(has(&film) || (track == "a cover" && marker_in(&film).is_some()), "the test's film has no {track}");
        let asset = upload_media(&core, &owner, "film", AssetKind::Video, film.clone()).await.expect(track);
        let clean = core.files.storage.get(&asset.stored.content).await.expect("the file");
        assert!(!has(&clean), "{track} was copied");
        assert_eq!(marker_in(&clean), None, "{track} was not removed");
        assert_eq!(clean.windows(4).filter(|window| *window == b"trak").count(), 1, "{track}: another track is left");
    }
}

#[actix::test]
async fn uncleaned_video_is_visible_only_to_its_owner() {
    let core = TestCore::new().await;
    let without = core.another_with("without-ffmpeg", |settings| settings.ffmpeg.enabled = false);
    let (owner, guest) = (customer(&core).await, Caller::guest());
    let permit = users::may_publish(&core, &owner).await.expect("a permit");
    let film = recorded("mp4", &PICTURES, &["-c:v", "libx264", "-pix_fmt", "yuv420p"]);
    let content = core.files.storage.put(film.clone()).await.expect("stored bytes");
    let stored = StoredFile {
        content: content.clone(),
        media: MediaType::Mp4,
        size_bytes: i64::try_from(film.len()).expect("short"),
        width: Some(64),
        height: Some(48),
        blur_hash: None,
        duration_ms: None,
        embedded: EmbeddedMetadata::InFile,
        pixels: None,
    };
    let user = owner.user.expect("a person");
    let asset = store::insert(&core.db, permit.permit(), user, &stored, "old", core.clock.now()).await;
    let asset = asset.expect("an asset");
    set_private(&core, &owner, &[asset.id], Exposure::Everybody(&permit)).await.expect("a publication");
    for (caller, sees) in [(&guest, false), (&owner, true)] {
        assert_eq!(may_see_content(&without, caller, &content).await.expect("an answer"), sees, "{caller:?}");
    }
    assert_eq!(clean_uploads(&without).await.expect("a round"), 0);
    assert_eq!(clean_uploads(&core).await.expect("a round"), 1, "the node without ffmpeg must not count an attempt");
    let clean = find(&core, &guest, asset.id).await.expect("a public asset").stored.content;
    assert!(may_see_content(&without, &guest, &clean).await.expect("an answer"), "the clean file is still hidden");
}

#[actix::test]
async fn without_ffmpeg_sounds_are_refused_and_outputs_stay_uncleaned() {
    let core = TestCore::with(crate::Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), |settings| {
        settings.ffmpeg.enabled = false;
    })
    .await;
    let owner = customer(&core).await;
    let refused = upload_media(&core, &owner, "a", AssetKind::Audio, recorded("mp3", &SOUND, &[])).await;
    assert!(matches!(refused, Err(Error::FileMediaUnavailable)));
    let output = core.files.store_output(recorded("mp3", &SOUND, &[])).await.expect("an output");
    assert_eq!(output.embedded, EmbeddedMetadata::InFile, "an uncleaned output counts as clean");
}

#[actix::test]
async fn too_long_recording_is_refused() {
    let core = TestCore::with(crate::Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), |settings| {
        settings.limits.media_seconds = 1;
    })
    .await;
    let long = recorded("wav", &["-f", "lavfi", "-i", "sine=duration=2"], &[]);
    let refused = upload_media(&core, &customer(&core).await, "a", AssetKind::Audio, long).await;
    assert!(matches!(refused, Err(Error::FileTooLong { limit_seconds: 1 })), "{refused:?}");
}

#[actix::test]
async fn old_uploads_are_cleaned_and_their_addresses_redirect() {
    let core = TestCore::new().await;
    let (owner, guest) = (customer(&core).await, Caller::guest());
    let now = core.clock.now();
    let permit = users::may_publish(&core, &owner).await.expect("a permit");
    let mut old = Vec::new();
    for (media, bytes) in photos() {
        let content = core.files.storage.put(bytes.clone()).await.expect("stored bytes");
        let stored = StoredFile {
            content: content.clone(),
            media,
            size_bytes: i64::try_from(bytes.len()).expect("short"),
            width: Some(64),
            height: Some(48),
            blur_hash: None,
            duration_ms: None,
            embedded: EmbeddedMetadata::InFile,
            pixels: None,
        };
        let asset = store::insert(&core.db, permit.permit(), owner.user.expect("a person"), &stored, "old", now)
            .await
            .expect("an asset");
        set_private(&core, &owner, &[asset.id], Exposure::Everybody(&permit)).await.expect("a publication");
        old.push((asset.id, content));
    }
    assert_eq!(clean_uploads(&core).await.expect("a round"), 5);
    assert_eq!(clean_uploads(&core).await.expect("a round"), 0, "a file was cleaned twice");
    for (id, content) in old {
        let asset = find(&core, &guest, id).await.expect("a public asset");
        assert_ne!(asset.stored.content, content);
        for form in forms(&core, &asset.stored).await {
            assert_eq!(marker_in(&form), None);
        }
        assert!(!may_see_content(&core, &guest, &content).await.expect("an answer"), "the old file is still shown");
        assert_eq!(
            moved_to(&core, &content).await.expect("an answer"),
            Some(asset.key()),
            "the old address does not redirect"
        );
        let gone: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM orphaned_files WHERE content = $1)")
            .bind(content.as_str())
            .fetch_one(&core.db)
            .await
            .expect("an answer");
        assert!(gone, "the old bytes were not orphaned");
    }
}

#[actix::test]
async fn locked_upload_stays_locked_after_cleaning() {
    let core = TestCore::new().await;
    let owner = customer(&core).await;
    let permit = users::may_publish(&core, &owner).await.expect("a permit");
    let (media, bytes) = photos().into_iter().next().expect("a photo");
    let content = core.files.storage.put(bytes.clone()).await.expect("stored bytes");
    let stored = StoredFile {
        content: content.clone(),
        media,
        size_bytes: i64::try_from(bytes.len()).expect("short"),
        width: Some(64),
        height: Some(48),
        blur_hash: None,
        duration_ms: None,
        embedded: EmbeddedMetadata::InFile,
        pixels: None,
    };
    let now = core.clock.now();
    let user = owner.user.expect("a person");
    let asset = store::insert(&core.db, permit.permit(), user, &stored, "old", now).await.expect("an asset");
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    lock_contents_tx(&mut tx, asset.id.0, std::slice::from_ref(&content), now).await.expect("a lock");
    tx.commit().await.expect("a commit");
    assert_eq!(clean_uploads(&core).await.expect("a round"), 1);
    let clean = find(&core, &owner, asset.id).await.expect("the asset").stored.content;
    assert_ne!(clean, content);
    assert!(is_locked(&core, &clean).await.expect("an answer"), "cleaning removed the lock");
    let refused = set_private(&core, &owner, &[asset.id], Exposure::Everybody(&permit)).await;
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    let again = upload(&core, &customer(&core).await, "a", bytes).await;
    assert!(matches!(again, Err(Error::Conflict { .. })), "{again:?}");
}
