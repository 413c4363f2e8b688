use crate::Code;
use crate::gallery::tests::{outputs, person, published_outputs};
use crate::gallery::*;
use crate::testing::TestCore;
use crate::workflows::{LikeChange, LikeState};

#[actix::test]
async fn second_toggle_removes_the_like() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (_, fan) = person(&core).await;
    let (_, other) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    let like = async |who: &Caller| toggle_like(&core, who, id).await.expect("a like");
    assert_eq!(like(&fan).await, LikeState { is_liked: true, like_count: 1 });
    assert_eq!(like(&other).await, LikeState { is_liked: true, like_count: 2 });
    assert!(liked_among(&core, &fan, &[id]).await.expect("likes").contains(&id));
    assert!(liked_among(&core, &own, &[id]).await.expect("likes").is_empty(), "likes are each person's own");
    assert_eq!(like(&fan).await, LikeState { is_liked: false, like_count: 1 });
    assert_eq!(find(&core, &fan, id).await.expect("an output").like_count, 1);
}

#[actix::test]
async fn repeated_like_changes_nothing() {
    let core = TestCore::new().await;
    let (owner, _) = person(&core).await;
    let (_, fan) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    for (change, is_liked) in
        [(LikeChange::Unlike, false), (LikeChange::Like, true), (LikeChange::Like, true), (LikeChange::Unlike, false)]
    {
        let liked = like(&core, &fan, id, change).await.expect("a like");
        assert_eq!(liked, LikeState { is_liked, like_count: i64::from(is_liked) }, "{change:?}");
        assert_eq!(liked_among(&core, &fan, &[id]).await.expect("likes").len(), usize::from(is_liked), "{change:?}");
    }
}

#[actix::test]
async fn own_and_invisible_outputs_cannot_be_liked() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (_, fan) = person(&core).await;
    let public = published_outputs(&core, owner, 1).await[0];
    let private = outputs(&core, owner, 1).await[0];
    assert!(matches!(toggle_like(&core, &own, public).await, Err(Error::Refused { code: Code::LikeOwn, .. })));
    assert!(matches!(toggle_like(&core, &fan, private).await, Err(Error::NotFound { .. })));
    assert!(matches!(toggle_like(&core, &Caller::guest(), public).await, Err(Error::LoginRequired)));
    assert_eq!(find(&core, &own, private).await.expect("an output").like_count, 0);
}

#[actix::test]
async fn concurrent_likes_are_all_counted() {
    let core = TestCore::new().await;
    let (owner, _) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    let mut fans = Vec::new();
    for _ in 0..8 {
        fans.push(person(&core).await.1);
    }
    let likes = fans.iter().map(|fan| toggle_like(&core, fan, id));
    for liked in futures_util::future::join_all(likes).await {
        assert!(liked.expect("a like").is_liked);
    }
    assert_eq!(find(&core, &fans[0], id).await.expect("an output").like_count, 8);
}
