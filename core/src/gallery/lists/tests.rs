use crate::filter::Nsfw;
use crate::gallery::tests::{first, from, ids, outputs, person, published_outputs, secretive};
use crate::gallery::*;
use crate::list::ListQuery;
use crate::testing::TestCore;

#[actix::test]
async fn hidden_and_deleted_favourites_keep_their_places() {
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
    let Favourite::Shown(seen) = &page.items[0] else { panic!("{:?}", page.items) };
    assert_eq!(seen.id, all[2], "the latest like comes first");
    assert_eq!(page.items[1], Favourite::Deleted(all[1]));
    let rest = favourites(&core, &fan_caller, fan, ListQuery { cursor: page.next_cursor.as_deref(), ..first(2) }).await;
    let rest = rest.expect("a page");
    assert_eq!((rest.items, rest.next_cursor), (vec![Favourite::Hidden(all[0])], None));
    assert!(matches!(favourites(&core, &own, fan, first(2)).await, Err(Error::Forbidden)));
    assert_eq!(favourites(&core, &Caller::system(), fan, first(9)).await.expect("an admin's page").items.len(), 3);
    toggle_like(&core, &fan_caller, all[0]).await.expect("what was hidden can be let go");
}

#[actix::test]
async fn lists_of_a_user_show_what_each_caller_may_see() {
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
        let wanted = OutputQuery { filter: Some(nsfw), ..first(9) };
        for who in [&stranger, &own] {
            let theirs = published_of(&core, who, owner, wanted).await.expect("a page");
            assert_eq!(ids(&theirs.items), expected, "the filter applies: {nsfw:?}");
        }
        for sort in [OutputOrder::Newest, OutputOrder::Oldest, OutputOrder::Like, OutputOrder::View] {
            let all = published(&core, &stranger, OutputQuery { sort, ..wanted }).await.expect("a page");
            let (mut found, mut expected) = (ids(&all.items), expected.to_vec());
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{nsfw:?} {sort:?}");
        }
        let filter = OutputFilter { nsfw: Some(nsfw), ..OutputFilter::default() };
        let found = filtered(&core, &stranger, ListQuery::at(&filter, None, 9).sorted(None)).await.expect("a page");
        assert_eq!(ids(&found.items), expected, "a filter: {nsfw:?}");
        assert_eq!(count(&core, &stranger, &filter).await.expect("a count"), i64::try_from(expected.len()).unwrap());
    }
    let marked = OutputFilter { is_nsfw: Some(true), ..OutputFilter::default() };
    assert_eq!(count(&core, &stranger, &marked).await.expect("a count"), 1, "a mark that is named is found");
    assert_eq!(count(&core, &stranger, &OutputFilter::default()).await.expect("a count"), 1, "hidden by default");
    assert!(matches!(set_nsfw(&core, &own, &shown[..1], false).await, Err(Error::Forbidden)));
    let unpublished = unpublished_of(&core, &own, owner, first(9)).await.expect("a page");
    assert_eq!(ids(&unpublished.items), kept);
    assert!(matches!(unpublished_of(&core, &stranger, owner, first(9)).await, Err(Error::Forbidden)));
    assert!(matches!(unpublished_of(&core, &Caller::guest(), owner, first(9)).await, Err(Error::LoginRequired)));
}

#[actix::test]
async fn pages_in_every_order_have_each_item_once() {
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
        (OutputOrder::Newest, [0, 1, 2, 3, 4, 5, 6]),
        (OutputOrder::Oldest, [6, 5, 4, 3, 2, 1, 0]),
        (OutputOrder::Like, [3, 5, 0, 1, 2, 4, 6]),
        (OutputOrder::View, [4, 0, 1, 2, 3, 5, 6]),
    ];
    for (sort, places) in expected {
        let wanted: Vec<_> = places.iter().map(|place| all[*place]).collect();
        let (mut everybody, mut theirs) = (Vec::new(), Vec::new());
        let mut cursor: Option<String> = None;
        loop {
            let page = published(&core, &fan, OutputQuery { sort, cursor: cursor.as_deref(), ..first(3) }).await;
            let page = page.expect("a page");
            everybody.extend(ids(&page.items));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(everybody, wanted, "{sort:?}");
        loop {
            let page =
                published_of(&core, &fan, owner, OutputQuery { sort, cursor: cursor.as_deref(), ..first(2) }).await;
            let page = page.expect("a page");
            theirs.extend(ids(&page.items));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(theirs, wanted, "{sort:?} of one person");
    }
}
