//! Likes, and who hears of them.

use crate::Code;
use crate::filter::Order;
use crate::notifications::{self, Kind, Others};
use crate::testing::TestCore;
use crate::users::Origin;
use crate::workflows::tests::customer;
use crate::workflows::*;

#[actix::test]
async fn a_like_is_counted_once_for_each_person_and_never_on_ones_own() {
    let core = TestCore::new().await;
    let (ann, bob, eve) = (customer(&core, "Free").await, customer(&core, "Free").await, customer(&core, "Free").await);
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    let toggle = |who: &Caller| {
        let who = who.clone();
        let core = &core;
        async move { toggle_like(core, &who, post.id).await }
    };
    assert_eq!(toggle(&bob).await.unwrap(), Liked { is_liked: true, like_count: 1 });
    assert_eq!(toggle(&eve).await.unwrap(), Liked { is_liked: true, like_count: 2 });
    assert_eq!(toggle(&bob).await.unwrap(), Liked { is_liked: false, like_count: 1 });
    assert_eq!(toggle(&ann).await.unwrap_err().code(), Code::LikeOwn);
    assert!(matches!(toggle(&Caller::guest()).await, Err(Error::LoginRequired)));
    assert_eq!(liked_among(&core, &eve, &[post.id]).await.unwrap().len(), 1);
    assert!(liked_among(&core, &bob, &[post.id]).await.unwrap().is_empty());
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    assert!(matches!(toggle_like(&core, &bob, draft.id).await, Err(Error::NotFound { .. })));

    let theirs = |who: Caller| {
        let (core, eve) = (&core, eve.user.unwrap());
        async move { favourites(core, &who, eve, None, 20).await }
    };
    assert_eq!(theirs(eve.clone()).await.unwrap().items.len(), 1);
    assert!(matches!(theirs(bob.clone()).await, Err(Error::Forbidden)));
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    assert_eq!(theirs(admin.clone()).await.unwrap().items.len(), 1);
    set_private(&core, &admin, &[post.id], true).await.unwrap();
    assert!(theirs(eve.clone()).await.unwrap().items.is_empty(), "a hidden post stays among favourites");
}

#[actix::test]
async fn who_says_what_they_want_may_say_it_twice() {
    let core = TestCore::new().await;
    let (ann, bob) = (customer(&core, "Free").await, customer(&core, "Free").await);
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    for (wish, is_liked) in [(Wish::Unlike, false), (Wish::Like, true), (Wish::Like, true), (Wish::Unlike, false)] {
        let liked = like(&core, &bob, post.id, wish).await.unwrap();
        assert_eq!(liked, Liked { is_liked, like_count: i64::from(is_liked) }, "{wish:?}");
        assert_eq!(liked_among(&core, &bob, &[post.id]).await.unwrap().len(), usize::from(is_liked), "{wish:?}");
    }
}

#[actix::test]
async fn two_who_like_at_once_are_both_counted() {
    let core = TestCore::new().await;
    let owner = customer(&core, "Free").await.user.unwrap();
    let post = workflow(owner).published(core.clock.now()).insert(&core.db).await;
    let mut people = Vec::new();
    for _ in 0..6 {
        people.push(customer(&core, "Free").await);
    }
    let likes = people.iter().map(|who| toggle_like(&core, who, post.id));
    let counts: Vec<i64> =
        futures_util::future::join_all(likes).await.into_iter().map(|liked| liked.unwrap().like_count).collect();
    assert_eq!(counts.iter().max(), Some(&6), "{counts:?}");
    assert_eq!(find(&core, &Caller::guest(), post.id).await.unwrap().like_count, 6);
}

#[actix::test]
async fn an_owner_hears_of_each_persons_like_once_and_of_round_numbers() {
    let core = TestCore::new().await;
    let owner = customer(&core, "Free").await;
    let post = workflow(owner.user.unwrap()).published(core.clock.now()).counts(8, 98).insert(&core.db).await;
    let (bob, eve) = (customer(&core, "Free").await, customer(&core, "Free").await);
    for who in [&bob, &bob, &bob, &eve] {
        toggle_like(&core, who, post.id).await.unwrap();
    }
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        let origin = Origin { address: Some(address.parse().unwrap()), user_agent: None };
        visit(&core, &Caller::guest(), &origin, &post, Visit::View).await;
    }
    settle_visits(&core).await.unwrap();
    let told = async |kind: Kind| notifications::page(&core, &owner, Some(kind), 0, 10, Order::Oldest).await.unwrap();
    let likes: Vec<Option<UserId>> = told(Kind::Like).await.items.iter().map(|item| item.actor).collect();
    assert_eq!(likes, [bob.user, eve.user], "a change of mind was told again");
    let reached: Vec<_> = told(Kind::Others).await.items.iter().map(|item| (item.others, item.count)).collect();
    assert_eq!(reached, [(Some(Others::Like), Some(10)), (Some(Others::View), Some(100))]);
}
