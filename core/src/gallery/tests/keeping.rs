//! Expiry of outputs, and reading videos later.

use super::*;
use crate::assets::MediaType;
use crate::testing::{MP4, TestCore};

async fn unread_video(core: &TestCore, owner: UserId, bytes: &'static [u8]) -> OutputAssetId {
    let content = core.files.storage.put(Bytes::from_static(bytes)).await.expect("stored bytes");
    let video =
        NewOutputAsset { content, media: MediaType::Mp4, width: None, height: None, ..output(owner, core.clock.now()) };
    insert(&core.db, std::slice::from_ref(&video)).await;
    video.id
}

#[actix::test]
async fn video_stored_without_ffmpeg_is_read_later() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let (first, second) = (unread_video(&core, owner, MP4).await, unread_video(&core, owner, MP4).await);
    assert_eq!(measure_videos(&core).await.expect("a round"), 2, "ffmpeg is not on this machine, or reads no MP4");
    for id in [first, second] {
        let found = find(&core, &caller, id).await.expect("an output");
        assert_eq!((found.width, found.height, found.duration_ms), (Some(160), Some(90), Some(1500)));
        assert!(found.blur_hash.is_some());
    }
    assert_eq!(measure_videos(&core).await.expect("a round"), 0, "what was read is left alone");
}

#[actix::test]
async fn unreadable_video_is_tried_three_times() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let id = unread_video(&core, owner, b"\0\0\0\x20ftypisom, and nothing more").await;
    for _ in 0..4 {
        assert_eq!(measure_videos(&core).await.expect("a round"), 0);
    }
    let tries: i16 = sqlx::query_scalar("SELECT video_tries FROM output_assets WHERE id = $1")
        .bind(id.0)
        .fetch_one(&core.db)
        .await
        .expect("a number");
    assert_eq!(tries, 3);
    assert_eq!(find(&core, &caller, id).await.expect("still there").width, None);
}

#[actix::test]
async fn expiry_of_a_hidden_output_begins_when_it_is_hidden() {
    let core = TestCore::new().await;
    let (owner, caller) = secretive(&core).await;
    let [id] = outputs(&core, owner, 1).await[..] else { panic!("one output") };
    let made = core.clock.now();
    let ends = async || find(&core, &caller, id).await.expect("an output").expires_at;
    assert_eq!(ends().await, Some(made + TimeDelta::days(30)), "counted from the day it was made");
    core.clock.advance(TimeDelta::days(10));
    set_private(&core, &caller, &[id], true).await.expect("it is private already");
    assert_eq!(ends().await, Some(made + TimeDelta::days(30)), "to hide what is hidden prolongs its life");
    set_private(&core, &caller, &[id], false).await.expect("a publication");
    assert_eq!(ends().await, None, "what is public stays");
    core.clock.advance(TimeDelta::days(50));
    assert_eq!(delete_expired(&core).await.expect("a sweep"), 0);
    set_private(&core, &caller, &[id], true).await.expect("hidden");
    assert_eq!(ends().await, Some(made + TimeDelta::days(90)), "counted from the day it was hidden");
}

#[actix::test]
async fn old_outputs_are_cleaned_and_owners_keep_the_embedded_prompt() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let mut png = Vec::new();
    {
        let mut encoder = png::Encoder::new(&mut png, 1, 1);
        encoder.add_text_chunk("prompt".into(), "a secret prompt".into()).expect("a text");
        encoder.write_header().expect("a head").write_image_data(&[0]).expect("a pixel");
    }
    let content = core.files.storage.put(png.clone().into()).await.expect("stored bytes");
    let old = NewOutputAsset { content: content.clone(), ..output(owner, core.clock.now()) };
    let broken = output(owner, core.clock.now());
    insert(&core.db, &[old.clone(), broken.clone()]).await;
    // As an earlier release stored them.
    sqlx::query("UPDATE output_assets SET is_clean = false, clean_tries = 0")
        .execute(&core.db)
        .await
        .expect("an update");
    set_private(&core, &caller, &[old.id, broken.id], false).await.expect("a publication");
    let guest = Caller::guest();
    assert!(may_see_content(&core, &guest, &content).await.expect("an answer"));

    assert_eq!(clean_outputs(&core).await.expect("a round"), 1);
    let found = find(&core, &guest, old.id).await.expect("an output");
    assert_ne!(found.content, content);
    let shown = core.files.storage.get(&found.content).await.expect("the file");
    assert!(!shown.windows(6).any(|window| window == b"secret"));
    assert_eq!(i64::try_from(shown.len()).expect("short"), found.size_bytes);
    let original = core.files.original(&found.content, &found.embedded).await.expect("the original");
    assert_eq!(original.bytes().await.expect("bytes"), png);
    assert!(!may_see_content(&core, &guest, &content).await.expect("an answer"), "the old file is still shown");
    let moved = crate::assets::moved_to(&core, &content).await.expect("an answer").expect("a new address");
    assert_eq!(moved.content, found.content);

    // An output without bytes cannot be cleaned: after the tries only its owner sees it.
    for _ in 0..6 {
        assert_eq!(clean_outputs(&core).await.expect("a round"), 0);
    }
    assert!(!may_see_content(&core, &guest, &broken.content).await.expect("an answer"));
    assert!(may_see_content(&core, &caller, &broken.content).await.expect("an answer"));
}
