//! What others do with outputs: likes, views, lists of one person.

use std::net::IpAddr;

use super::*;
use crate::Code;
use crate::filter::Nsfw;
use crate::notifications::{self, Kind, Others};
use crate::users::Origin;

async fn published_outputs(core: &TestCore, owner: UserId, count: usize) -> Vec<OutputAssetId> {
    let all = outputs(core, owner, count).await;
    set_private(core, &Caller::customer(owner), &all, false).await.expect("a publication");
    all
}

fn from(address: &str) -> Origin {
    Origin { address: Some(address.parse::<IpAddr>().expect("an address")), user_agent: Some("a browser".to_owned()) }
}

async fn views_of(core: &TestCore, id: OutputAssetId) -> i64 {
    settle_views(core).await.expect("a sweep");
    find(core, &Caller::system(), id).await.expect("an output").view_count
}

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

#[actix::test]
async fn favourites_keep_the_places_of_what_was_hidden_or_deleted() {
    let core = TestCore::new().await;
    let (owner, own) = secretive(&core).await;
    let (fan, fan_caller) = person(&core).await;
    let all = published_outputs(&core, owner, 3).await;
    for id in &all {
        toggle_like(&core, &fan_caller, *id).await.expect("a like");
    }
    set_private(&core, &own, &all[..1], true).await.expect("hidden");
    delete(&core, &own, &all[1..2]).await.expect("a deletion");
    let page = favourites(&core, &fan_caller, fan, first(2)).await.expect("a page");
    let Favourite::Seen(seen) = &page.items[0] else { panic!("{:?}", page.items) };
    assert_eq!(seen.id, all[2], "the latest like comes first");
    assert_eq!(page.items[1], Favourite::Deleted(all[1]));
    let rest = favourites(&core, &fan_caller, fan, Wanted { cursor: page.next.as_deref(), ..first(2) }).await;
    let rest = rest.expect("a page");
    assert_eq!((rest.items, rest.next), (vec![Favourite::Hidden(all[0])], None));
    assert!(matches!(favourites(&core, &own, fan, first(2)).await, Err(Error::Forbidden)));
    assert_eq!(favourites(&core, &Caller::system(), fan, first(9)).await.expect("an admin's page").items.len(), 3);
    toggle_like(&core, &fan_caller, all[0]).await.expect("what was hidden can be let go");
}

#[actix::test]
async fn a_viewer_counts_once_a_day_and_an_owner_never() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (_, fan) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    let asset = find(&core, &own, id).await.expect("an output");
    for _ in 0..3 {
        view(&core, &fan, &from("192.0.2.1"), &asset).await;
        view(&core, &own, &from("192.0.2.2"), &asset).await;
        view(&core, &Caller::guest(), &from("192.0.2.3"), &asset).await;
        view(&core, &Caller::guest(), &Origin::default(), &asset).await;
    }
    assert_eq!(views_of(&core, id).await, 2, "the fan and one guest");
    view(&core, &Caller::guest(), &from("192.0.2.4"), &asset).await;
    assert_eq!(views_of(&core, id).await, 3);
    core.clock.advance(TimeDelta::days(1) + TimeDelta::seconds(1));
    view(&core, &fan, &from("192.0.2.1"), &asset).await;
    assert_eq!(views_of(&core, id).await, 4, "another day is another view");
}

#[actix::test]
async fn an_owner_hears_of_a_pictures_likes_once_and_of_round_numbers_of_views() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (fan, fan_caller) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    for _ in 0..3 {
        toggle_like(&core, &fan_caller, id).await.expect("a like");
    }
    let asset = find(&core, &own, id).await.expect("an output");
    for last in 1..=11 {
        view(&core, &Caller::guest(), &from(&format!("192.0.2.{last}")), &asset).await;
    }
    assert_eq!(views_of(&core, id).await, 11);
    let order = crate::filter::Order::Oldest;
    let told = async |kind: Kind| notifications::page(&core, &own, Some(kind), 0, 9, order).await.expect("a box").items;
    let likes: Vec<_> = told(Kind::Like).await.iter().map(|item| (item.actor, item.picture)).collect();
    assert_eq!(likes, [(Some(fan), Some(id))], "a change of mind was told again");
    let reached: Vec<_> = told(Kind::Others).await.iter().map(|item| (item.others, item.count, item.picture)).collect();
    assert_eq!(reached, [(Some(Others::View), Some(10), Some(id))]);
}

#[actix::test]
async fn a_person_s_lists_show_each_what_they_may_see() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (_, stranger) = person(&core).await;
    let shown = published_outputs(&core, owner, 2).await;
    let kept = outputs(&core, owner, 2).await;
    let listed = async |who: &Caller| ids(&published_of(&core, who, owner, first(9)).await.expect("a page").items);
    assert_eq!(listed(&stranger).await, shown);
    set_nsfw(&core, &Caller::system(), &shown[..1], true).await.expect("an admin's decision");
    assert_eq!(listed(&stranger).await, shown[1..], "what is not safe for work is left out");
    assert_eq!(listed(&own).await, shown);
    for (nsfw, expected) in [(Nsfw::View, &shown[..]), (Nsfw::Hide, &shown[1..]), (Nsfw::Only, &shown[..1])] {
        let wanted = Wanted { nsfw: Some(nsfw), ..first(9) };
        for who in [&stranger, &own] {
            let theirs = published_of(&core, who, owner, wanted).await.expect("a page");
            assert_eq!(ids(&theirs.items), expected, "whoever asks for it sees it: {nsfw:?}");
        }
        for order in [Order::Newest, Order::Oldest, Order::Like, Order::View] {
            let all = published(&core, &stranger, Wanted { order, ..wanted }).await.expect("a page");
            let (mut found, mut expected) = (ids(&all.items), expected.to_vec());
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{nsfw:?} {order:?}");
        }
        let filter = Filter { nsfw: Some(nsfw), ..Filter::default() };
        let found = filtered(&core, &stranger, &filter, Asked { limit: 9, ..Asked::default() }).await.expect("a page");
        assert_eq!(ids(&found.items), expected, "a filter: {nsfw:?}");
        assert_eq!(count(&core, &stranger, &filter).await.expect("a count"), i64::try_from(expected.len()).unwrap());
    }
    let marked = Filter { is_nsfw: Some(true), ..Filter::default() };
    assert_eq!(count(&core, &stranger, &marked).await.expect("a count"), 1, "a mark that is named is found");
    assert_eq!(count(&core, &stranger, &Filter::default()).await.expect("a count"), 1, "nobody asked for it");
    assert!(matches!(set_nsfw(&core, &own, &shown[..1], false).await, Err(Error::Forbidden)));
    let unpublished = unpublished_of(&core, &own, owner, first(9)).await.expect("a page");
    assert_eq!(ids(&unpublished.items), kept);
    assert!(matches!(unpublished_of(&core, &stranger, owner, first(9)).await, Err(Error::Forbidden)));
    assert!(matches!(unpublished_of(&core, &Caller::guest(), owner, first(9)).await, Err(Error::LoginRequired)));
}

#[actix::test]
async fn every_order_goes_through_all_items_once() {
    let core = TestCore::new().await;
    let (owner, _) = person(&core).await;
    let (_, fan) = person(&core).await;
    let all = published_outputs(&core, owner, 7).await;
    for id in [all[3], all[5]] {
        toggle_like(&core, &fan, id).await.expect("a like");
    }
    let asset = find(&core, &fan, all[4]).await.expect("an output");
    view(&core, &fan, &from("192.0.2.1"), &asset).await;
    settle_views(&core).await.expect("a sweep");
    let expected = [
        (Order::Newest, [0, 1, 2, 3, 4, 5, 6]),
        (Order::Oldest, [6, 5, 4, 3, 2, 1, 0]),
        (Order::Like, [3, 5, 0, 1, 2, 4, 6]),
        (Order::View, [4, 0, 1, 2, 3, 5, 6]),
    ];
    for (order, places) in expected {
        let wanted: Vec<_> = places.iter().map(|place| all[*place]).collect();
        let (mut everybody, mut theirs) = (Vec::new(), Vec::new());
        let mut cursor: Option<String> = None;
        loop {
            let page = published(&core, &fan, Wanted { order, cursor: cursor.as_deref(), ..first(3) }).await;
            let page = page.expect("a page");
            everybody.extend(ids(&page.items));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(everybody, wanted, "{order:?}");
        loop {
            let page = published_of(&core, &fan, owner, Wanted { order, cursor: cursor.as_deref(), ..first(2) }).await;
            let page = page.expect("a page");
            theirs.extend(ids(&page.items));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(theirs, wanted, "{order:?} of one person");
    }
}

#[actix::test]
async fn hiding_what_was_published_needs_stealth_mode() {
    let core = TestCore::new().await;
    let (owner, free) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    let private = outputs(&core, owner, 1).await[0];
    assert!(matches!(set_private(&core, &free, &[id], true).await, Err(Error::StealthModeRequired)));
    assert!(!find(&core, &free, id).await.expect("an output").is_private);
    set_private(&core, &free, &[private], true).await.expect("what never was public stays private on every plan");
    set_private(&core, &Caller::system(), &[id], true).await.expect("an admin hides what must be hidden");
    let (secret, caller) = secretive(&core).await;
    let id = published_outputs(&core, secret, 1).await[0];
    set_private(&core, &caller, &[id], true).await.expect("a private post");
}
