//! Community videos on a real database, with a fake YouTube.

use serde_json::json;

use super::*;
use crate::list::ListQuery;
use crate::testing::TestCore;
use crate::testing::youtube::TestYouTube;
use crate::{Clock, Code, users};

const FIRST: &str = "dQw4w9WgXcQ";
const SECOND: &str = "abcdefghij0";
const THIRD: &str = "___--___--_";

struct Stage {
    core: TestCore,
    youtube: TestYouTube,
    admin: Caller,
}

async fn stage() -> Stage {
    let youtube = TestYouTube::start().await;
    let now: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
    let core = TestCore::with(Clock::held(now), |settings| youtube.configure(settings)).await;
    youtube.picture(preview());
    youtube.video(FIRST, "Silk in twelve nodes", "Verdi Lab");
    youtube.video(SECOND, "처음 만드는 인물사진", "노드 공방");
    youtube.video(THIRD, "100% light_and shade", "Verdi Lab");
    let user = users::factory::user().admin().insert(&core.db).await;
    let admin = Caller { admin: true, ..Caller::customer(user) };
    Stage { core, youtube, admin }
}

fn preview() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(48, 36, image::Rgb([10, 200, 30]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

fn at(day: u32) -> DateTime<Utc> {
    format!("2025-03-{day:02}T00:00:00Z").parse().expect("a day")
}

fn newest(cursor: Option<&str>, limit: i64) -> ListQuery<'_, &'static VideoFilter, VideoOrder> {
    const ALL: &VideoFilter = &VideoFilter { author_name: None, keyword: None };
    ListQuery::at(ALL, cursor, limit).sorted(VideoOrder::Newest)
}

impl Stage {
    async fn add(&self, id: &str, day: u32) -> Result<Video> {
        let new = NewVideo { url: format!("https://youtu.be/{id}"), youtube_created_at: Some(at(day)) };
        add(&self.core, &self.admin, new).await
    }

    async fn names(&self, filter: VideoFilter, sort: VideoOrder) -> Vec<String> {
        let page = list(&self.core, ListQuery::at(&filter, None, 10).sorted(sort)).await.expect("a list");
        page.items.into_iter().map(|video| video.youtube.as_str().to_owned()).collect()
    }

    async fn found(&self, keyword: &str) -> Vec<String> {
        let filter = VideoFilter { keyword: Some(keyword.to_owned()), ..VideoFilter::default() };
        self.names(filter, VideoOrder::Newest).await
    }
}

#[actix::test]
async fn added_video_has_youtubes_metadata_and_a_public_preview() {
    let stage = stage().await;
    let video = stage.add(FIRST, 3).await.expect("a video");
    assert_eq!((video.name.as_str(), video.author_name.as_str()), ("Silk in twelve nodes", "Verdi Lab"));
    assert_eq!(video.author_url.as_deref(), Some("https://www.youtube.com/@channel"));
    assert_eq!(video.youtube_created_at, at(3));
    let poster = video.poster.expect("a preview");
    let seen = assets::find(&stage.core, &Caller::guest(), poster).await.expect("everybody may see it");
    assert_eq!((seen.stored.width, seen.stored.height), (Some(48), Some(36)));
    assert_eq!(stage.youtube.asked(), ["/oembed".to_owned(), format!("/vi/{FIRST}/hqdefault.jpg")]);
    let listed = list(&stage.core, newest(None, 1)).await.expect("a list");
    assert_eq!((listed.items, listed.next_cursor), (vec![video], None));
}

#[actix::test]
async fn only_admins_change_the_list() {
    let stage = stage().await;
    let video = stage.add(FIRST, 1).await.expect("a video");
    let customer = Caller::customer(users::factory::user().insert(&stage.core.db).await);
    for (caller, code) in [(Caller::guest(), Code::AuthLoginRequired), (customer, Code::Forbidden)] {
        let new = NewVideo { url: format!("https://youtu.be/{SECOND}"), youtube_created_at: None };
        assert_eq!(add(&stage.core, &caller, new).await.expect_err("adding").code(), code);
        let changed = update(&stage.core, &caller, video.id, VideoChanges::default()).await;
        assert_eq!(changed.expect_err("changing").code(), code);
        assert_eq!(refresh(&stage.core, &caller, video.id).await.expect_err("asking again").code(), code);
        assert_eq!(remove(&stage.core, &caller, video.id).await.expect_err("removing").code(), code);
        assert_eq!(all(&stage.core, &caller, newest(None, 1)).await.expect_err("the admins' list").code(), code);
    }
    assert_eq!(stage.youtube.asked().len(), 2, "YouTube is asked for admins alone");
}

#[actix::test]
async fn known_unavailable_and_invalid_videos_are_refused() {
    let stage = stage().await;
    stage.add(FIRST, 1).await.expect("a video");
    assert_eq!(stage.add(FIRST, 1).await.expect_err("twice").code(), Code::VideoExists);
    stage.youtube.answer(SECOND, 401, json!("Unauthorized"));
    assert_eq!(stage.add(SECOND, 1).await.expect_err("one that may not be shown").code(), Code::VideoUnavailable);
    stage.youtube.answer(SECOND, 500, json!({}));
    assert_eq!(stage.add(SECOND, 1).await.expect_err("a fault of theirs").code(), Code::Unavailable);
    stage.youtube.answer(SECOND, 200, json!({ "title": " \u{7} ", "author_name": "x" }));
    assert_eq!(stage.add(SECOND, 1).await.expect_err("no title").code(), Code::Unavailable);
    let elsewhere = NewVideo { url: "https://vimeo.com/76979871".to_owned(), youtube_created_at: None };
    let refused = add(&stage.core, &stage.admin, elsewhere).await.expect_err("another site");
    assert!(matches!(refused, Error::Invalid { ref field, .. } if field == "url"), "{refused}");
    let late = NewVideo {
        url: format!("https://youtu.be/{THIRD}"),
        youtube_created_at: Some(at(1) + chrono::TimeDelta::days(900)),
    };
    assert_eq!(add(&stage.core, &stage.admin, late).await.expect_err("a day to come").code(), Code::ValidationFailed);
    assert_eq!(stage.core.database.count("SELECT count(*) FROM community_videos").await, 1);
}

#[actix::test]
async fn video_without_a_preview_is_added() {
    let stage = stage().await;
    stage.youtube.picture(b"<svg onload=alert(1)>".to_vec());
    assert_eq!(stage.add(FIRST, 1).await.expect("a video").poster, None);
    // A preview on an internal network is not fetched.
    stage.youtube.answer(
        SECOND,
        200,
        json!({ "title": "x", "author_name": "y", "author_url": "javascript:alert(1)", "thumbnail_url": "http://127.0.0.1/secret" }),
    );
    let video = stage.add(SECOND, 1).await.expect("a video");
    assert_eq!((video.poster, video.author_url), (None, None));
    stage.youtube.picture(preview());
    let again = refresh(&stage.core, &stage.admin, stage.add(THIRD, 1).await.expect("a video").id).await;
    assert!(again.expect("a video").poster.is_some());
}

#[actix::test]
async fn pages_in_both_orders_have_every_video_once() {
    let stage = stage().await;
    for (id, day) in [(FIRST, 5), (SECOND, 9), (THIRD, 5)] {
        stage.add(id, day).await.expect("a video");
    }
    let mut seen = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = list(&stage.core, newest(cursor.as_deref(), 1)).await.expect("a page");
        seen.extend(page.items.into_iter().map(|video| video.youtube.as_str().to_owned()));
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    // On one day, the video added last comes first.
    assert_eq!(seen, [SECOND, THIRD, FIRST]);
    let oldest = stage.names(VideoFilter::default(), VideoOrder::Oldest).await;
    assert_eq!(oldest, [FIRST, THIRD, SECOND]);
    let page = list(&stage.core, newest(None, 1)).await.expect("a page");
    let crossed = newest(page.next_cursor.as_deref(), 1).sorted(VideoOrder::Oldest);
    assert_eq!(
        list(&stage.core, crossed).await.expect_err("a cursor of the other order").code(),
        Code::ValidationFailed
    );
}

#[actix::test]
async fn search_finds_parts_of_words_in_any_script_and_has_no_wildcards() {
    let stage = stage().await;
    for id in [FIRST, SECOND, THIRD] {
        stage.add(id, 1).await.expect("a video");
    }
    assert_eq!(stage.found("SILK").await, [FIRST]);
    assert_eq!(stage.found("사진").await, [SECOND]);
    // Decomposed, as some systems type it.
    assert_eq!(stage.found("\u{1109}\u{1161}\u{110c}\u{1175}\u{11ab}").await, [SECOND]);
    assert_eq!(stage.found("공방 인물").await, [SECOND], "words of title and channel, in any order");
    assert_eq!(stage.found("verdi").await, [THIRD, FIRST]);
    assert_eq!(stage.found("verdi 사진").await, [""; 0], "all words must be there");
    assert_eq!(stage.found("100%").await, [THIRD]);
    assert_eq!(stage.found("t_a").await, [THIRD]);
    assert_eq!(stage.found("t_e").await, [""; 0], "no sign stands for others");
    assert_eq!(stage.found("  ").await.len(), 3);
    let of_channel = VideoFilter { author_name: Some("노드 공방".to_owned()), ..VideoFilter::default() };
    assert_eq!(stage.names(of_channel, VideoOrder::Newest).await, [SECOND]);
}

#[actix::test]
async fn removed_video_is_listed_for_admins_with_its_last_data() {
    let stage = stage().await;
    let video = stage.add(FIRST, 1).await.expect("a video");
    stage.youtube.answer(FIRST, 404, json!({}));
    let gone = refresh(&stage.core, &stage.admin, video.id).await.expect("a video");
    assert_eq!((gone.gone_at, gone.name.as_str()), (Some(stage.core.clock.now()), "Silk in twelve nodes"));
    assert_eq!(stage.names(VideoFilter::default(), VideoOrder::Newest).await, [""; 0]);
    let kept = all(&stage.core, &stage.admin, newest(None, 5)).await.expect("a list");
    assert_eq!(kept.items, [gone]);
    // YouTube shows it again under another title.
    stage.youtube.video(FIRST, "Silk in ten nodes", "Verdi Lab");
    let back = refresh(&stage.core, &stage.admin, video.id).await.expect("a video");
    assert_eq!((back.gone_at, back.name.as_str()), (None, "Silk in ten nodes"));
    assert_eq!(stage.names(VideoFilter::default(), VideoOrder::Newest).await, [FIRST]);
    // An unavailable YouTube changes nothing.
    stage.youtube.answer(FIRST, 503, json!({}));
    assert_eq!(refresh(&stage.core, &stage.admin, video.id).await.expect_err("away").code(), Code::Unavailable);
    assert_eq!(stage.names(VideoFilter::default(), VideoOrder::Newest).await, [FIRST]);
}

#[actix::test]
async fn admin_updates_and_removes_a_video() {
    let stage = stage().await;
    let video = stage.add(FIRST, 1).await.expect("a video");
    let changes = VideoChanges { name: Some(" Silk ".to_owned()), youtube_created_at: Some(at(7)) };
    let changed = update(&stage.core, &stage.admin, video.id, changes).await.expect("a video");
    assert_eq!((changed.name.as_str(), changed.youtube_created_at), ("Silk", at(7)));
    let empty = VideoChanges { name: Some("  ".to_owned()), ..VideoChanges::default() };
    assert_eq!(
        update(&stage.core, &stage.admin, video.id, empty).await.expect_err("no name").code(),
        Code::ValidationFailed
    );
    remove(&stage.core, &stage.admin, video.id).await.expect("removed");
    assert_eq!(remove(&stage.core, &stage.admin, video.id).await.expect_err("twice").code(), Code::NotFound);
    let missing = update(&stage.core, &stage.admin, video.id, VideoChanges::default()).await;
    assert_eq!(missing.expect_err("a removed one").code(), Code::NotFound);
}
