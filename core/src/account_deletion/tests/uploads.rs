//! Deletion of uploads.

use bytes::Bytes;
use chrono::TimeDelta;

use super::*;
use crate::assets::{Asset, UploadBefore};
use crate::comments::{CommentParent, Post};
use crate::ids::AssetId;
use crate::{Code, Error, assets};

fn picture(shade: u8) -> Bytes {
    let image = image::RgbImage::from_pixel(40, 30, image::Rgb([shade, 20, 30]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).expect("an encoded picture");
    Bytes::from(bytes.into_inner())
}

async fn upload(core: &Core, caller: &Caller, shade: u8) -> assets::Asset {
    assets::upload(core, caller, &format!("{shade}.png"), picture(shade)).await.expect("an upload")
}

/// A text with the picture.
fn shown(asset: &assets::Asset) -> String {
    format!("<p>look</p><img src=\"/media/raw/{}.png\">", asset.stored.content.0)
}

async fn is_in_use(core: &Core, caller: &Caller, id: AssetId) -> bool {
    match delete_upload(core, caller, id).await {
        Ok(()) => false,
        Err(Error::Conflict { code: Code::AssetInUse, .. }) => true,
        Err(error) => panic!("the upload is neither deleted nor in use: {error:?}"),
    }
}

#[actix::test]
async fn deleted_upload_frees_its_space() {
    let core = TestCore::new().await;
    let (ann, bo) = (factory::user().insert(&core.db).await, factory::user().name("Bo").insert(&core.db).await);
    let (caller, other) = (Caller::customer(ann), Caller::customer(bo));
    let asset = upload(&core, &caller, 1).await;
    assert!(assets::used_bytes(&core, ann).await.expect("a number") > 0);
    let admin = Caller { admin: true, ..other.clone() };
    for stranger in [&other, &admin] {
        let refused = delete_upload(&core, stranger, asset.id).await;
        assert!(matches!(refused, Err(Error::NotFound { .. })), "another account deleted it: {refused:?}");
    }
    assert!(matches!(delete_upload(&core, &Caller::guest(), asset.id).await, Err(Error::LoginRequired)));
    delete_upload(&core, &caller, asset.id).await.expect("nothing uses it");
    assert_eq!(assets::used_bytes(&core, ann).await.expect("a number"), 0, "it still counts");
    assert!(
        matches!(delete_upload(&core, &caller, asset.id).await, Err(Error::NotFound { .. })),
        "it was deleted twice"
    );
}

#[actix::test]
async fn upload_in_use_cannot_be_deleted() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let caller = Caller::customer(ann);
    let portrait = upload(&core, &caller, 1).await;
    let input = upload(&core, &caller, 2).await;
    let thumbnail = upload(&core, &caller, 3).await;
    let said = upload(&core, &caller, 4).await;
    let described = upload(&core, &caller, 5).await;
    assets::set_portrait(&core, &caller, Some(portrait.id)).await.expect("a portrait");
    let kept = gallery::keep_input(&core, &caller, input.id, true).await.expect("an input");
    let post = workflow(ann).thumbnails(&[thumbnail.id]).description(&shown(&described)).published(core.clock.now());
    let post = post.insert(&core.db).await;
    let below = CommentParent::Post(Post::Workflow(post.id));
    let comment = comments::write(&core, &caller, below, &shown(&said)).await.expect("a comment");
    for (asset, place) in [
        (&portrait, "beside the name"),
        (&input, "among the inputs"),
        (&thumbnail, "on a workflow"),
        (&said, "in a comment"),
        (&described, "in a description"),
    ] {
        assert!(is_in_use(&core, &caller, asset.id).await, "the upload {place} was deleted");
    }

    assets::set_portrait(&core, &caller, None).await.expect("no portrait");
    assert!(!is_in_use(&core, &caller, portrait.id).await);
    comments::delete(&core, &caller, comment.id).await.expect("a deletion");
    assert!(!is_in_use(&core, &caller, said.id).await);
    workflows::delete(&core, &caller, post.id).await.expect("a deletion");
    assert!(!is_in_use(&core, &caller, thumbnail.id).await);
    assert!(!is_in_use(&core, &caller, described.id).await);
    // The upload is deleted with the input.
    assert_eq!(delete_inputs(&core, &caller, &[kept.id]).await.expect("a deletion"), 1);
    assert_eq!(assets::used_bytes(&core, ann).await.expect("a number"), 0);
}

#[actix::test]
async fn deleted_input_deletes_its_upload_unless_that_is_in_use() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let caller = Caller::customer(ann);
    let (mut uploads, mut inputs) = (Vec::new(), Vec::new());
    for shade in 1..=5 {
        let asset = upload(&core, &caller, shade).await;
        inputs.push(gallery::keep_input(&core, &caller, asset.id, true).await.expect("an input").id);
        uploads.push(asset);
    }
    let [plain, portrait, cover, said, drafted] = &uploads[..] else { panic!("five uploads") };
    assets::set_portrait(&core, &caller, Some(portrait.id)).await.expect("a portrait");
    let post = workflow(ann).thumbnails(&[cover.id]).published(core.clock.now()).insert(&core.db).await;
    let below = CommentParent::Post(Post::Workflow(post.id));
    comments::write(&core, &caller, below, &shown(said)).await.expect("a comment");
    workflow(ann).description(&shown(drafted)).insert(&core.db).await;
    assert_eq!(delete_inputs(&core, &caller, &inputs).await.expect("a deletion"), 5);
    assert_eq!(delete_inputs(&core, &caller, &inputs).await.expect("nothing is left"), 0);
    assert!(assets::find(&core, &caller, plain.id).await.is_err(), "the upload is left without an input");
    for (asset, place) in [
        (portrait, "the picture beside the name"),
        (cover, "the picture of a workflow"),
        (said, "the picture in a comment"),
        (drafted, "the picture in a description"),
    ] {
        assert!(assets::find(&core, &caller, asset.id).await.is_ok(), "{place} is gone");
    }
    assert_eq!(assets::life::backlog(&core).await.expect("a backlog").orphaned, 1);
}

#[actix::test]
async fn published_post_keeps_the_pictures_in_its_text_after_the_deletion_of_its_author() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let caller = Caller::customer(ann);
    let mut uploads = Vec::new();
    for shade in 1..=6 {
        uploads.push(upload(&core, &caller, shade).await);
    }
    let [thumbnail, described, translated, said, drafted, unused] = &uploads[..] else { panic!("six uploads") };
    let post = workflow(ann).thumbnails(&[thumbnail.id]).insert(&core.db).await;
    let korean = workflows::Translation { name: None, description: Some(shown(translated)) };
    let translations = workflows::Translations { ko: Some(korean), en: None };
    let changes = workflows::WorkflowChanges {
        description: Some(shown(described)),
        translations: Some(translations),
        is_private: Some(false),
        ..workflows::WorkflowChanges::default()
    };
    workflows::update(&core, &caller, post.id, changes).await.expect("a post");
    workflow(ann).description(&shown(drafted)).insert(&core.db).await;
    comments::write(&core, &caller, CommentParent::Post(Post::Workflow(post.id)), &shown(said))
        .await
        .expect("a comment");

    delete_account(&core, &caller, &DeletionProof::Name("Ann".to_owned())).await.expect("a deletion");
    assert_eq!(delete_data(&core).await.expect("a run"), 1);
    for (asset, place, stays) in [
        (thumbnail, "in the gallery", true),
        (described, "in the description", true),
        (translated, "in the description in another language", true),
        (said, "in a comment", false),
        (drafted, "in a draft", false),
        (unused, "nowhere", false),
    ] {
        let is_seen = assets::may_see_content(&core, &Caller::guest(), &asset.stored.content).await;
        assert_eq!(is_seen.expect("an answer"), stays, "the picture {place}");
        assert_eq!(assets::find_all(&core, &[asset.id]).await.expect("assets").len(), usize::from(stays), "{place}");
    }
}

#[actix::test]
async fn upload_ends_at_its_time_unless_it_is_in_use() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let caller = Caller::customer(ann);
    let earlier = upload(&core, &caller, 1).await;
    let before = UploadBefore { marker: AssetId::new(), known: None };
    let at = core.clock.now() + TimeDelta::minutes(10);
    let stays = assets::expire(&core, &caller, earlier, &before, at).await.expect("an upload");
    assert_eq!(stays.expires_at, None, "its owner has it for something else");
    let [unused, thumbnail, kept] =
        [upload(&core, &caller, 2).await, upload(&core, &caller, 3).await, upload(&core, &caller, 4).await];
    for asset in [&unused, &thumbnail, &kept] {
        let ends = assets::expire(&core, &caller, asset.clone(), &before, at).await.expect("an upload");
        assert_eq!(ends.expires_at, Some(at));
    }
    let again = UploadBefore { marker: AssetId::new(), known: Some(Asset { expires_at: Some(at), ..unused.clone() }) };
    let sooner = at - TimeDelta::minutes(5);
    let ends = assets::expire(&core, &caller, unused.clone(), &again, sooner).await.expect("an upload");
    assert_eq!(ends.expires_at, Some(at), "it ends no earlier than before");
    assert_eq!(upload(&core, &caller, 4).await.expires_at, None, "a second upload without an expiry keeps it");
    workflow(ann).thumbnails(&[thumbnail.id]).published(core.clock.now()).insert(&core.db).await;

    assert_eq!(expire_uploads(&core).await.expect("a round"), 0, "none ends soon");
    core.clock.advance(TimeDelta::minutes(9) + TimeDelta::seconds(30));
    assert_eq!(expire_uploads(&core).await.expect("a round"), 1, "what is shown stays");
    core.clock.advance(TimeDelta::seconds(30));
    assert_eq!(expire_uploads(&core).await.expect("a round"), 1);
    assert_eq!(expire_uploads(&core).await.expect("a round"), 0);
    let ids = [stays.id, unused.id, thumbnail.id, kept.id];
    let left = assets::find_all(&core, &ids).await.expect("uploads");
    assert_eq!(ids.map(|id| left.contains_key(&id)), [true, false, true, true]);
    assert!(left.values().all(|asset| asset.expires_at.is_none()));
    assert!(!assets::ids_of(&core, ann, None, 10).await.expect("uploads").contains(&unused.id), "it is deleted");
}
