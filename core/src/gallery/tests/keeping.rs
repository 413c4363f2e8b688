//! How long outputs are kept, who is warned before they end, and videos that are read later.

use super::*;
use crate::assets::MediaType;
use crate::language::Language;
use crate::notifications::{self, Kind, Notification};
use crate::testing::{MP4, TestCore};
use crate::{Clock, users};

async fn notices(core: &TestCore, caller: &Caller) -> Vec<Notification> {
    let order = crate::filter::Order::Newest;
    notifications::page(core, caller, Some(Kind::Notice), 0, 100, order).await.expect("a page").items
}

/// Sweeps until nobody is left to be warned today.
async fn sweep(core: &TestCore) -> u64 {
    let mut all = 0;
    for _ in 0..20 {
        all += warn_of_expiry(core).await.expect("a sweep");
    }
    all
}

#[actix::test]
async fn an_owner_is_warned_once_three_days_before_with_the_number_and_the_way_there() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let (korean, in_korean) = person(&core).await;
    users::set_language(&core, &in_korean, Language::Ko).await.expect("a language");
    let all = outputs(&core, owner, 4).await;
    outputs(&core, korean, 1).await;
    set_private(&core, &caller, &all[..1], false).await.expect("a publication");
    delete(&core, &caller, &all[1..2]).await.expect("a deletion");
    core.clock.advance(TimeDelta::days(27) - TimeDelta::seconds(1));
    assert_eq!(sweep(&core).await, 0, "it is four days to the day of their end");
    core.clock.advance(TimeDelta::seconds(1));
    assert_eq!(sweep(&core).await, 2);
    let told = notices(&core, &caller).await;
    let [told] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(told.title.as_deref(), Some("2 of your private files will be deleted soon"));
    assert_eq!((told.count, told.actor), (Some(2), None));
    let content = told.content.as_deref().expect("words");
    assert!(content.contains("2026.01.31"), "{content}");
    assert!(content.contains(&format!("href=\"/profile/{owner}/image-files\"")), "{content}");
    let told = notices(&core, &in_korean).await;
    assert_eq!(told[0].title.as_deref(), Some("비공개 파일 1개가 곧 삭제됩니다"));
    core.clock.advance(TimeDelta::hours(20));
    assert_eq!(sweep(&core).await, 0, "nobody is told twice");
    core.clock.advance(TimeDelta::days(3));
    assert_eq!(sweep(&core).await, 0, "what is gone is nothing to be warned of");
}

#[actix::test]
async fn each_day_is_told_of_by_itself_and_a_day_that_was_missed_is_told_late() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    for _ in 0..3 {
        outputs(&core, owner, 1).await;
        core.clock.advance(TimeDelta::days(1));
    }
    core.clock.advance(TimeDelta::days(24));
    assert_eq!(sweep(&core).await, 1);
    assert_eq!(notices(&core, &caller).await[0].count, Some(1));
    // Nothing swept for a day: the next sweep tells of both days at once.
    core.clock.advance(TimeDelta::days(2));
    assert_eq!(sweep(&core).await, 1);
    let told: Vec<_> = notices(&core, &caller).await.iter().map(|notice| notice.count).collect();
    assert_eq!(told, [Some(2), Some(1)]);
}

#[actix::test]
async fn everybody_of_a_large_installation_is_told_once_by_several_nodes() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let mut people = Vec::new();
    for _ in 0..450 {
        people.push(person(&core).await);
    }
    let new: Vec<_> = people.iter().map(|(owner, _)| output(*owner, core.clock.now())).collect();
    insert(&core.db, &new).await;
    core.clock.advance(TimeDelta::days(28));
    let mut told = 0;
    while told < 450 {
        let (here, there) = tokio::join!(warn_of_expiry(&core), warn_of_expiry(&other));
        let both = here.expect("a sweep") + there.expect("a sweep");
        assert!(both > 0, "a round ended after {told} of 450 people");
        told += both;
    }
    assert_eq!((told, sweep(&core).await), (450, 0));
    for (_, caller) in [&people[0], &people[200], &people[449]] {
        assert_eq!(notices(&core, caller).await.len(), 1);
    }
}

#[actix::test]
async fn where_outputs_are_kept_for_few_days_nobody_is_warned() {
    let start = "2026-01-01T00:00:00Z".parse().expect("a time");
    let core = TestCore::with(Clock::held(start), |settings| settings.outputs.days = 3).await;
    let (owner, _) = person(&core).await;
    let mut new = output(owner, core.clock.now());
    new.expires_at = core.clock.now() + TimeDelta::days(3);
    insert(&core.db, &[new]).await;
    assert_eq!(sweep(&core).await, 0);
}

async fn unread_video(core: &TestCore, owner: UserId, bytes: &'static [u8]) -> OutputAssetId {
    let content = core.files.storage.put(Bytes::from_static(bytes)).await.expect("stored bytes");
    let video =
        NewOutputAsset { content, media: MediaType::Mp4, width: None, height: None, ..output(owner, core.clock.now()) };
    insert(&core.db, std::slice::from_ref(&video)).await;
    video.id
}

#[actix::test]
async fn a_video_that_was_stored_before_ffmpeg_was_there_is_read_later() {
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
async fn a_video_that_cannot_be_read_is_tried_three_times_and_then_left() {
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
async fn the_days_of_what_is_hidden_begin_when_it_is_hidden_and_only_once() {
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
async fn outputs_from_before_are_cleaned_and_their_owners_keep_what_was_in_them() {
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
    // As the release before left them.
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
    let moved = crate::assets::moved(&core, &content).await.expect("an answer").expect("a new address");
    assert_eq!(moved.content, found.content);

    // What has no bytes any more cannot be cleaned: it is tried, and then nobody's but its owner's.
    for _ in 0..6 {
        assert_eq!(clean_outputs(&core).await.expect("a round"), 0);
    }
    assert!(!may_see_content(&core, &guest, &broken.content).await.expect("an answer"));
    assert!(may_see_content(&core, &caller, &broken.content).await.expect("an answer"));
}
