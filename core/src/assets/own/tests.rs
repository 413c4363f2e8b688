use image::ImageFormat;

use super::*;
use crate::assets::tests::{customer, picture};
use crate::assets::{delete, upload};
use crate::testing::TestCore;

#[actix::test]
async fn upload_is_found_by_the_blake3_of_its_bytes_by_its_owner_alone() {
    let core = TestCore::new().await;
    let (owner, other) = (customer(&core).await, customer(&core).await);
    let bytes = picture(8, 8, ImageFormat::Png);
    let hash = Blake3Hash::of(&bytes);
    assert!(matches!(own_by_blake3(&core, &owner, &hash).await, Err(Error::NotFound { .. })));
    let asset = upload(&core, &owner, "a.png", bytes).await.expect("an asset");
    assert_eq!(own_by_blake3(&core, &owner, &hash).await.expect("the upload").id, asset.id);
    assert_eq!(blake3_of(&core, &asset).await.expect("an answer"), Some(hash.clone()));
    let admin = Caller { admin: true, ..other.clone() };
    for caller in [other, admin] {
        let foreign = own_by_blake3(&core, &caller, &hash).await;
        assert!(matches!(foreign, Err(Error::NotFound { .. })), "another account's bytes are revealed");
    }
    delete(&core, asset.user, &[asset.id]).await.expect("a deletion");
    assert!(matches!(own_by_blake3(&core, &owner, &hash).await, Err(Error::NotFound { .. })));
}
