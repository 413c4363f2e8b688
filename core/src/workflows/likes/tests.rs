//! Likes and their notifications.

use crate::Code;
use crate::list::ListQuery;
use crate::notifications::{self, MilestoneMetric, NotificationKind, NotificationOrder};
use crate::testing::TestCore;
use crate::users::RequestOrigin;
use crate::workflows::tests::customer;
use crate::workflows::*;

#[actix::test]
async fn like_counts_once_per_user_and_not_on_own_workflows() {
    let core = TestCore::new().await;
    let (ann, bob, eve) = (customer(&core, "Free").await, customer(&core, "Free").await, customer(&core, "Free").await);
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    let toggle = |who: &Caller| {
        let who = who.clone();
        let core = &core;
        async move { toggle_like(core, &who, post.id).await }
    };
    assert_eq!(toggle(&bob).await.unwrap(), LikeState { is_liked: true, like_count: 1 });
    assert_eq!(toggle(&eve).await.unwrap(), LikeState { is_liked: true, like_count: 2 });
    assert_eq!(toggle(&bob).await.unwrap(), LikeState { is_liked: false, like_count: 1 });
    assert_eq!(toggle(&ann).await.unwrap_err().code(), Code::LikeOwn);
    assert!(matches!(toggle(&Caller::guest()).await, Err(Error::LoginRequired)));
    assert_eq!(liked_among(&core, &eve, &[post.id]).await.unwrap().len(), 1);
    assert!(liked_among(&core, &bob, &[post.id]).await.unwrap().is_empty());
    let draft = workflow(ann.user.unwrap()).insert(&core.db).await;
    assert!(matches!(toggle_like(&core, &bob, draft.id).await, Err(Error::NotFound { .. })));

    let theirs = |who: Caller| {
        let (core, eve) = (&core, eve.user.unwrap());
        async move { favourites(core, &who, eve, ListQuery::at((), None, 20)).await }
    };
    assert_eq!(theirs(eve.clone()).await.unwrap().items.len(), 1);
    assert!(matches!(theirs(bob.clone()).await, Err(Error::Forbidden)));
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    assert_eq!(theirs(admin.clone()).await.unwrap().items.len(), 1);
    set_private(&core, &admin, &[post.id], true).await.unwrap();
    assert!(theirs(eve.clone()).await.unwrap().items.is_empty(), "a hidden post stays among favourites");
}

#[actix::test]
async fn repeated_like_changes_nothing() {
    let core = TestCore::new().await;
    let (ann, bob) = (customer(&core, "Free").await, customer(&core, "Free").await);
    let post = workflow(ann.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    for (change, is_liked) in
        [(LikeChange::Unlike, false), (LikeChange::Like, true), (LikeChange::Like, true), (LikeChange::Unlike, false)]
    {
        let liked = like(&core, &bob, post.id, change).await.unwrap();
        assert_eq!(liked, LikeState { is_liked, like_count: i64::from(is_liked) }, "{change:?}");
        assert_eq!(liked_among(&core, &bob, &[post.id]).await.unwrap().len(), usize::from(is_liked), "{change:?}");
    }
}

#[actix::test]
async fn concurrent_likes_are_both_counted() {
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
async fn owner_is_notified_once_per_user_and_of_milestones() {
    let core = TestCore::new().await;
    let owner = customer(&core, "Free").await;
    let post = workflow(owner.user.unwrap()).published(core.clock.now()).counts(8, 98).insert(&core.db).await;
    let (bob, eve) = (customer(&core, "Free").await, customer(&core, "Free").await);
    for who in [&bob, &bob, &bob, &eve] {
        toggle_like(&core, who, post.id).await.unwrap();
    }
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        let origin = RequestOrigin { address: Some(address.parse().unwrap()), user_agent: None };
        visit(&core, &Caller::guest(), &origin, &post, Visit::View).await;
    }
    settle_visits(&core).await.unwrap();
    let told = async |kind: NotificationKind| {
        notifications::page(&core, &owner, Some(kind), 0, 10, NotificationOrder::Oldest).await.unwrap()
    };
    let likes: Vec<Option<UserId>> = told(NotificationKind::Like).await.items.iter().map(|item| item.actor).collect();
    assert_eq!(likes, [bob.user, eve.user], "a change of mind was told again");
    let reached: Vec<_> =
        told(NotificationKind::Others).await.items.iter().map(|item| (item.others, item.count)).collect();
    assert_eq!(reached, [(Some(MilestoneMetric::Like), Some(10)), (Some(MilestoneMetric::View), Some(100))]);
}
