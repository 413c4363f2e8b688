use bytes::Bytes;

use crate::assets::{self, AssetKind};
use crate::gallery::tests::person;
use crate::gallery::*;
use crate::testing::TestCore;

#[actix::test]
async fn inputs_are_kept_once_and_listed_in_pages() {
    let core = TestCore::new().await;
    let (_, caller) = person(&core).await;
    let (_, stranger) = person(&core).await;
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(8, 8).write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    let bytes = Bytes::from(bytes.into_inner());
    let mut kept = Vec::new();
    for number in 0..3 {
        let asset = assets::upload(&core, &caller, &format!("{number}.png"), bytes.clone()).await.expect("an asset");
        kept.push(keep_input(&core, &caller, asset.id, false).await.expect("an input"));
    }
    let again = keep_input(&core, &caller, kept[0].asset.id, true).await.expect("the same input");
    assert_eq!((again.id, again.is_private), (kept[0].id, true));
    let foreign = keep_input(&core, &stranger, kept[0].asset.id, false).await;
    assert!(matches!(foreign, Err(Error::NotFound { .. })));
    let first = my_inputs(&core, &caller, None, (1, 2)).await.expect("a page");
    let second = my_inputs(&core, &caller, None, (2, 2)).await.expect("a page");
    let listed: Vec<_> = first.items.iter().chain(&second.items).map(|input| input.id).collect();
    assert_eq!(listed, kept.iter().rev().map(|input| input.id).collect::<Vec<_>>());
    assert_eq!((first.total, second.total, second.items.len()), (3, 3, 1));
    assert_eq!(my_inputs(&core, &stranger, None, (1, 20)).await.expect("a page").total, 0);
    sqlx::query("UPDATE assets SET kind = 'Video' WHERE id = ANY($1)")
        .bind(vec![kept[0].asset.id.0, kept[2].asset.id.0])
        .execute(&core.db)
        .await
        .expect("films");
    for (kind, page, ids, total) in [
        (AssetKind::Video, 1, vec![kept[2].id], 2),
        (AssetKind::Video, 2, vec![kept[0].id], 2),
        (AssetKind::Image, 1, vec![kept[1].id], 1),
        (AssetKind::Audio, 1, vec![], 0),
    ] {
        let found = my_inputs(&core, &caller, Some(kind), (page, 1)).await.expect("a page");
        let listed: Vec<_> = found.items.iter().map(|input| input.id).collect();
        assert_eq!((listed, found.total), (ids, total), "{kind:?} on page {page}");
    }
    assert!(matches!(my_inputs(&core, &caller, None, (0, 20)).await, Err(Error::Invalid { .. })));
}
