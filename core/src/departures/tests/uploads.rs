//! Uploads that their owner takes back.

use bytes::Bytes;

use super::*;
use crate::comments::{Below, Post};
use crate::ids::AssetId;
use crate::{Error, assets};

fn picture(shade: u8) -> Bytes {
    let image = image::RgbImage::from_pixel(40, 30, image::Rgb([shade, 20, 30]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).expect("an encoded picture");
    Bytes::from(bytes.into_inner())
}

async fn upload(core: &Core, caller: &Caller, shade: u8) -> assets::Asset {
    assets::upload(core, caller, &format!("{shade}.png"), picture(shade)).await.expect("an upload")
}

async fn is_in_use(core: &Core, caller: &Caller, id: AssetId) -> bool {
    match take_back(core, caller, id).await {
        Ok(()) => false,
        Err(Error::Conflict { code: "ASSET_IN_USE", .. }) => true,
        Err(error) => panic!("it is neither taken back nor in use: {error:?}"),
    }
}

#[actix::test]
async fn an_upload_that_was_never_kept_is_taken_back_and_frees_its_space() {
    let core = TestCore::new().await;
    let (ann, bo) = (factory::user().insert(&core.db).await, factory::user().name("Bo").insert(&core.db).await);
    let (caller, other) = (Caller::customer(ann), Caller::customer(bo));
    let asset = upload(&core, &caller, 1).await;
    assert!(assets::used_bytes(&core, ann).await.expect("a number") > 0);
    let admin = Caller { admin: true, ..other.clone() };
    for stranger in [&other, &admin] {
        let refused = take_back(&core, stranger, asset.id).await;
        assert!(matches!(refused, Err(Error::NotFound { .. })), "somebody else took it: {refused:?}");
    }
    assert!(matches!(take_back(&core, &Caller::guest(), asset.id).await, Err(Error::LoginRequired)));
    take_back(&core, &caller, asset.id).await.expect("nothing uses it");
    assert_eq!(assets::used_bytes(&core, ann).await.expect("a number"), 0, "it still counts");
    assert!(matches!(take_back(&core, &caller, asset.id).await, Err(Error::NotFound { .. })), "it went twice");
}

#[actix::test]
async fn an_upload_that_something_shows_stays_until_that_is_gone() {
    let core = TestCore::new().await;
    let ann = factory::user().insert(&core.db).await;
    let caller = Caller::customer(ann);
    let portrait = upload(&core, &caller, 1).await;
    let input = upload(&core, &caller, 2).await;
    let thumbnail = upload(&core, &caller, 3).await;
    let said = upload(&core, &caller, 4).await;
    let described = upload(&core, &caller, 5).await;
    let shown = |asset: &assets::Asset| format!("<p>look</p><img src=\"/media/raw/{}.png\">", asset.stored.content.0);
    assets::set_portrait(&core, &caller, Some(portrait.id)).await.expect("a portrait");
    let kept = gallery::keep_input(&core, &caller, input.id, true).await.expect("an input");
    let post = workflow(ann).thumbnails(&[thumbnail.id]).description(&shown(&described)).published(core.clock.now());
    let post = post.insert(&core.db).await;
    let below = Below::Post(Post::Workflow(post.id));
    let comment = comments::write(&core, &caller, below, &shown(&said)).await.expect("a comment");
    for (asset, place) in [
        (&portrait, "beside the name"),
        (&input, "among the inputs"),
        (&thumbnail, "on a workflow"),
        (&said, "in a comment"),
        (&described, "in a description"),
    ] {
        assert!(is_in_use(&core, &caller, asset.id).await, "what stands {place} went");
    }

    assets::set_portrait(&core, &caller, None).await.expect("no portrait");
    assert!(!is_in_use(&core, &caller, portrait.id).await);
    comments::delete(&core, &caller, comment.id).await.expect("a deletion");
    assert!(!is_in_use(&core, &caller, said.id).await);
    workflows::delete(&core, &caller, post.id).await.expect("a deletion");
    assert!(!is_in_use(&core, &caller, thumbnail.id).await);
    assert!(!is_in_use(&core, &caller, described.id).await);
    // Its picture goes with it.
    assert_eq!(gallery::delete_inputs(&core, &caller, &[kept.id]).await.expect("a deletion"), 1);
    assert_eq!(assets::used_bytes(&core, ann).await.expect("a number"), 0);
}
