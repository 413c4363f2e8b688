//! Pictures in descriptions are as visible as the workflow.

use std::io::Cursor;

use bytes::Bytes;
use image::{DynamicImage, ImageFormat};

use crate::assets::{self, Asset};
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::workflows::*;

async fn customer(core: &TestCore) -> Caller {
    Caller::customer(user().plan("Pro").insert(&core.db).await)
}

async fn picture(core: &TestCore, owner: &Caller, side: u32) -> Asset {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(side, 8).write_to(&mut bytes, ImageFormat::Png).expect("an encoded picture");
    assets::upload(core, owner, "a.png", Bytes::from(bytes.into_inner())).await.expect("an asset")
}

fn shows(asset: &Asset) -> String {
    format!("<p>look</p><img src=\"/media/optimal/{}\">", asset.key())
}

async fn is_public(core: &TestCore, asset: &Asset) -> bool {
    assets::may_see_content(core, &Caller::guest(), &asset.stored.content).await.expect("an answer")
}

fn described(html: String) -> WorkflowChanges {
    WorkflowChanges { description: Some(html), ..WorkflowChanges::default() }
}

#[actix::test]
async fn picture_in_a_description_is_public_while_a_published_text_shows_it() {
    let core = TestCore::new().await;
    let ann = customer(&core).await;
    let (first, second) = (picture(&core, &ann, 9).await, picture(&core, &ann, 10).await);
    let cover = picture(&core, &ann, 11).await;
    let draft = workflow(ann.user.unwrap()).thumbnails(&[cover.id]).insert(&core.db).await;
    update(&core, &ann, draft.id, described(shows(&first))).await.expect("a draft");
    assert!(!is_public(&core, &first).await, "a draft shows its picture to everybody");
    assert!(assets::may_see_content(&core, &ann, &first.stored.content).await.expect("an answer"), "not to its author");

    set_private(&core, &ann, &[draft.id], false).await.expect("a post");
    assert!(is_public(&core, &first).await, "a post hides its picture");
    update(&core, &ann, draft.id, described(shows(&second))).await.expect("another picture");
    assert!(!is_public(&core, &first).await && is_public(&core, &second).await, "the old one is still shown");
    let korean = Translation { name: None, description: Some(shows(&first)) };
    let translations = Some(Translations { ko: Some(korean), en: None });
    update(&core, &ann, draft.id, WorkflowChanges { translations, ..WorkflowChanges::default() })
        .await
        .expect("words in Korean");
    assert!(is_public(&core, &first).await && is_public(&core, &second).await, "a translation hides its picture");

    // A picture on another post stays public; others become private.
    let other = workflow(ann.user.unwrap()).description(&shows(&first)).insert(&core.db).await;
    set_private(&core, &ann, &[other.id], false).await.expect("another post");
    set_private(&core, &ann, &[draft.id], true).await.expect("taken back");
    assert!(is_public(&core, &first).await && !is_public(&core, &second).await);
    delete(&core, &ann, other.id).await.expect("a deletion");
    assert!(!is_public(&core, &first).await, "nothing shows it any more");
}

#[actix::test]
async fn public_picture_stays_public() {
    let core = TestCore::new().await;
    let ann = customer(&core).await;
    let (kept, portrait, cover) =
        (picture(&core, &ann, 9).await, picture(&core, &ann, 10).await, picture(&core, &ann, 11).await);
    let html = [shows(&kept), shows(&portrait), shows(&cover)].concat();
    let post = workflow(ann.user.unwrap()).thumbnails(&[cover.id]).description(&html).insert(&core.db).await;
    set_private(&core, &ann, &[post.id], false).await.expect("a post");
    let permit = users::may_publish(&core, &ann).await.expect("a permit");
    let shown = assets::set_private(&core, &ann, &[kept.id], assets::Exposure::Everybody(&permit)).await;
    shown.expect("a publication of its own");
    assets::set_portrait(&core, &ann, Some(portrait.id)).await.expect("a portrait");
    // A removed cover stays public while the text shows it.
    let changes =
        WorkflowChanges { thumbnails: Some(vec![kept.id]), cover: Some(Some(kept.id)), ..WorkflowChanges::default() };
    update(&core, &ann, post.id, changes).await.expect("another cover");
    assert!(is_public(&core, &cover).await);
    update(&core, &ann, post.id, described("<p>nothing to see</p>".into())).await.expect("a change");
    for (asset, stays) in [(&kept, true), (&portrait, true), (&cover, false)] {
        assert_eq!(is_public(&core, asset).await, stays, "{}", asset.stored.width.unwrap_or_default());
    }
}

#[actix::test]
async fn address_of_another_users_picture_does_not_publish_it() {
    let core = TestCore::new().await;
    let (ann, bob) = (customer(&core).await, customer(&core).await);
    let theirs = picture(&core, &bob, 9).await;
    let post = workflow(ann.user.unwrap()).description(&shows(&theirs)).insert(&core.db).await;
    set_private(&core, &ann, &[post.id], false).await.expect("a post");
    assert!(!is_public(&core, &theirs).await, "her text has published what is his");
    // A copy keeps the text without its pictures' visibility.
    let copied = copy(&core, &bob, post.id, None).await.expect("a copy");
    assert!(!is_public(&core, &theirs).await);
    let changes = WorkflowChanges { thumbnails: Some(vec![theirs.id]), ..WorkflowChanges::default() };
    update(&core, &bob, copied.id, changes).await.expect("a picture");
    set_private(&core, &bob, &[copied.id], false).await.expect("his own post");
    assert!(is_public(&core, &theirs).await, "he has published it");
}
