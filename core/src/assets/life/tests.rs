use std::io::Cursor;

use bytes::Bytes;
use chrono::TimeDelta;
use futures_util::TryStreamExt;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::*;
use crate::Caller;
use crate::assets::{self, Asset, FileKey, Quality};
use crate::testing::TestCore;
use crate::users::WritePermit;
use crate::users::factory::user;

const OWNERS: &[FileOwner] = &[UPLOADS];

fn picture(shade: u8) -> Bytes {
    let image = RgbImage::from_pixel(300, 200, Rgb([shade, 90, 200]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, ImageFormat::Png).expect("an encoded picture");
    Bytes::from(bytes.into_inner())
}

async fn uploaded(core: &Core, shade: u8) -> (Caller, Asset) {
    let caller = Caller::customer(user().insert(&core.db).await);
    let asset = assets::upload(core, &caller, "a.png", picture(shade)).await.expect("an upload");
    (caller, asset)
}

async fn delete(core: &Core, asset: &Asset) {
    assert_eq!(assets::delete(core, asset.user, &[asset.id]).await.expect("a deletion"), 1);
}

/// Sweeps every minute for so many minutes.
async fn minutes(core: &TestCore, many: i64) {
    for _ in 0..many {
        core.clock.advance(TimeDelta::minutes(1));
        while sweep(core, OWNERS).await.expect("a sweep") != SweepOutcome::default() {}
    }
}

/// The number of objects of a file in the store.
async fn stored(core: &Core, content: &ContentHash) -> usize {
    let all: Vec<_> = core.files.storage.list().try_collect().await.expect("a list");
    all.into_iter().filter(|one| one.content == *content).count()
}

async fn rows(core: &Core, content: &ContentHash) -> i64 {
    let count =
        "SELECT (SELECT count(*) FROM assets WHERE content = $1) + (SELECT count(*) FROM files WHERE content = $1)
                 + (SELECT count(*) FROM orphaned_files WHERE content = $1)";
    sqlx::query_scalar(count).bind(content.as_str()).fetch_one(&core.db).await.expect("a count")
}

#[actix::test]
async fn unreferenced_file_and_its_renditions_are_deleted_within_an_hour() {
    let core = TestCore::new().await;
    let (_, asset) = uploaded(&core, 1).await;
    let content = &asset.stored.content;
    for quality in [Quality::W200, Quality::W480, Quality::W960, Quality::Optimal] {
        core.files.rendition(&asset.key(), quality).await.expect("a rendition");
    }
    assert_eq!(stored(&core, content).await, 5);
    minutes(&core, 60).await;
    assert_eq!(stored(&core, content).await, 5, "referenced files stay");
    delete(&core, &asset).await;
    minutes(&core, 60).await;
    assert_eq!(stored(&core, content).await, 0, "bytes are left an hour after the deletion");
    assert_eq!(rows(&core, content).await, 0, "rows are left an hour after the deletion");
    assert_eq!(backlog(&core).await.expect("a backlog").orphaned, 0);
}

#[actix::test]
async fn file_referenced_by_another_user_stays() {
    let core = TestCore::new().await;
    let (_, asset) = uploaded(&core, 2).await;
    let (_, same) = uploaded(&core, 2).await;
    assert_eq!(asset.stored.content, same.stored.content);
    delete(&core, &asset).await;
    minutes(&core, 60).await;
    assert_eq!(stored(&core, &same.stored.content).await, 1);
    assert_eq!(rows(&core, &same.stored.content).await, 2, "the other user's asset and the file");
    assert_eq!(core.files.storage.get(&same.stored.content).await.expect("the bytes"), picture(2));
}

#[actix::test]
async fn bytes_stored_again_at_any_minute_of_their_deletion_are_kept() {
    let core = TestCore::new().await;
    for minute in 0..60 {
        let shade = u8::try_from(minute).expect("a shade");
        let (_, asset) = uploaded(&core, shade).await;
        delete(&core, &asset).await;
        minutes(&core, minute).await;
        let (_, again) = uploaded(&core, shade).await;
        let bytes = core.files.storage.get(&again.stored.content).await;
        assert_eq!(bytes.expect("bytes to be read at once"), picture(shade), "after {minute} minutes");
        minutes(&core, 60).await;
        assert!(core.files.storage.is_in_place(&again.stored.content).await.expect("an answer"), "minute {minute}");
        assert_eq!(core.files.storage.get(&again.stored.content).await.expect("the bytes"), picture(shade));
        assert_eq!(rows(&core, &again.stored.content).await, 2, "after {minute} minutes");
    }
}

#[actix::test]
async fn reference_committed_while_bytes_are_in_the_trash_restores_them() {
    let core = TestCore::new().await;
    let (caller, asset) = uploaded(&core, 3).await;
    delete(&core, &asset).await;
    minutes(&core, 4).await;
    // The bytes exist already; the row that references them is delayed.
    let stored = core.files.store_picture(picture(3)).await.expect("a file");
    minutes(&core, 10).await;
    assert!(
        !core.files.storage.is_in_place(&stored.content).await.expect("an answer"),
        "the bytes are not in the trash"
    );
    let key = FileKey { content: stored.content.clone(), media: stored.media };
    let owner = caller.user.expect("a person");
    let late = assets::store::insert(&core.db, &WritePermit::for_tests(), owner, &stored, "late.png", core.clock.now())
        .await
        .expect("an asset");
    assert!(core.files.rendition(&key, Quality::Raw).await.is_ok(), "it can be read in the trash");
    minutes(&core, 60).await;
    assert!(core.files.storage.is_in_place(&late.stored.content).await.expect("an answer"), "it was not restored");
    assert_eq!(core.files.storage.get(&late.stored.content).await.expect("the bytes"), picture(3));
}

#[actix::test]
async fn file_orphaned_again_during_its_check_is_checked_again() {
    let core = TestCore::new().await;
    let (_, asset) = uploaded(&core, 4).await;
    let (_, same) = uploaded(&core, 4).await;
    delete(&core, &asset).await;
    core.clock.advance(TimeDelta::minutes(6));
    let now = core.clock.now();
    let due = store::claim(&core.db, now, now + TimeDelta::minutes(5), 10).await.expect("a claim");
    assert_eq!(due.len(), 1);
    // This node has seen the other reference, which is removed now.
    delete(&core, &same).await;
    store::delete(&core.db, &due).await.expect("a deletion");
    minutes(&core, 60).await;
    assert_eq!(stored(&core, &same.stored.content).await, 0, "the second deletion was lost");
}

#[actix::test]
async fn concurrent_sweeps_count_each_file_once() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let mut contents = Vec::new();
    for shade in 100..130 {
        let (_, asset) = uploaded(&core, shade).await;
        delete(&core, &asset).await;
        contents.push(asset.stored.content);
    }
    let mut deleted = 0;
    for _ in 0..12 {
        core.clock.advance(TimeDelta::minutes(5));
        let (here, there) = tokio::join!(sweep(&core, OWNERS), sweep(&other, OWNERS));
        deleted += here.expect("a sweep").deleted + there.expect("a sweep").deleted;
    }
    assert_eq!(deleted, contents.len());
    let left = core.files.storage.list().try_next().await.expect("a list");
    assert!(left.is_none(), "{left:?}");
}

#[actix::test]
async fn daily_walk_finds_bytes_that_were_never_referenced() {
    let core = TestCore::new().await;
    let (_, asset) = uploaded(&core, 5).await;
    // As if a node had died between storing and referencing.
    let lost = core.files.store_picture(picture(6)).await.expect("a file").content;
    assert!(walk_when_due(&core, OWNERS).await.expect("a walk"), "no walk has run yet");
    assert!(!walk_when_due(&core.another("other"), OWNERS).await.expect("an answer"), "once a day is enough");
    minutes(&core, 60).await;
    assert_eq!(stored(&core, &lost).await, 1, "it may be about to be referenced");
    // Files have the machine's time, and the test's clock may show any time of the year.
    core.clock.advance(TimeDelta::days(3660));
    assert_eq!(inspect(&core, OWNERS).await.expect("findings").unknown, 1);
    assert!(walk_when_due(&core, OWNERS).await.expect("a walk"));
    let backlog = backlog(&core).await.expect("a backlog");
    assert_eq!((backlog.orphaned, backlog.stored_files), (1, 2));
    minutes(&core, 60).await;
    assert_eq!(stored(&core, &lost).await, 0, "the walk found nothing");
    assert_eq!(stored(&core, &asset.stored.content).await, 1, "the walk deleted a referenced file");
    let found = inspect(&core, OWNERS).await.expect("findings");
    assert_eq!((found.stored_files, found.named, found.missing.len(), found.unknown), (1, 1, 0, 0));
}

#[actix::test]
async fn inspection_reports_missing_bytes() {
    let core = TestCore::new().await;
    let (_, asset) = uploaded(&core, 7).await;
    core.files.storage.delete(&asset.stored.content).await.expect("an accident");
    let found = inspect(&core, OWNERS).await.expect("findings");
    assert_eq!(found.missing, [asset.stored.content]);
}
