use crate::Code;
use crate::gallery::tests::{outputs, person, published_outputs};
use crate::gallery::*;
use crate::testing::TestCore;

#[actix::test]
async fn a_like_is_given_once_and_taken_back_by_the_second_press() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (_, fan) = person(&core).await;
    let (_, other) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    let like = async |who: &Caller| toggle_like(&core, who, id).await.expect("a like");
    assert_eq!(like(&fan).await, Liked { is_liked: true, like_count: 1 });
    assert_eq!(like(&other).await, Liked { is_liked: true, like_count: 2 });
    assert!(liked_among(&core, &fan, &[id]).await.expect("likes").contains(&id));
    assert!(liked_among(&core, &own, &[id]).await.expect("likes").is_empty(), "likes are each person's own");
    assert_eq!(like(&fan).await, Liked { is_liked: false, like_count: 1 });
    assert_eq!(find(&core, &fan, id).await.expect("an output").like_count, 1);
}

#[actix::test]
async fn who_says_what_they_want_may_say_it_twice() {
    let core = TestCore::new().await;
    let (owner, _) = person(&core).await;
    let (_, fan) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    for (wish, is_liked) in [(Wish::Unlike, false), (Wish::Like, true), (Wish::Like, true), (Wish::Unlike, false)] {
        let liked = like(&core, &fan, id, wish).await.expect("a like");
        assert_eq!(liked, Liked { is_liked, like_count: i64::from(is_liked) }, "{wish:?}");
        assert_eq!(liked_among(&core, &fan, &[id]).await.expect("likes").len(), usize::from(is_liked), "{wish:?}");
    }
}

#[actix::test]
async fn nobody_likes_their_own_or_what_they_cannot_see() {
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
async fn likes_of_many_at_once_are_all_counted() {
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
