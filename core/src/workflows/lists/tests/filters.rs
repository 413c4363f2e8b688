//! Filters of the generic call: what they find, for whom, and where they end.

use chrono::Duration;

use crate::filter::{MAX_IDS, MAX_SKIP, Nsfw, Span};
use crate::periods::{Grouping, Periods};
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::workflows::*;

fn names(items: &[Workflow]) -> String {
    items.iter().map(|workflow| workflow.name.as_str()).collect()
}

/// Ann's: a to d and n published, x private; z is Bob's private one.
struct Posts {
    core: TestCore,
    ann: Caller,
    bob: Caller,
    all: Vec<Workflow>,
}

async fn posts() -> Posts {
    let core = TestCore::new().await;
    let (ann, bob) = (user().insert(&core.db).await, user().insert(&core.db).await);
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let (photo, video) = (tag_below(3, 1), tag_below(2, 1));
    let new = [
        workflow(ann).name("a").tags(&[photo]).counts(3, 1).published(day(2)),
        workflow(ann).name("b").tags(&[photo, video]).counts(5, 2).published(day(1)),
        workflow(ann).name("c").tags(&[video]).counts(4, 3).published(day(3)),
        workflow(bob).name("d").tags(&[video]).counts(1, 9).published(day(4)),
        workflow(ann).name("n").tags(&[photo]).nsfw().counts(2, 2).published(day(5)),
        workflow(ann).name("x").tags(&[photo]),
        workflow(bob).name("z").tags(&[photo]),
    ];
    let mut all = Vec::new();
    for workflow in new {
        all.push(workflow.insert(&core.db).await);
    }
    Posts { core, ann: Caller::customer(ann), bob: Caller::customer(bob), all }
}

impl Posts {
    async fn found(&self, caller: &Caller, filter: &Filter, sort: Sort) -> String {
        let at = PageAt { cursor: None, limit: 2 };
        let (mut seen, mut asked) = (String::new(), Asked { sort: Some(sort), page: at, skip: 0 });
        let mut cursor: Option<String>;
        // In pages of two, and once more passing over what was seen: both ways give the same.
        loop {
            let page = filtered(&self.core, caller, filter, asked).await.expect("a page");
            seen += &names(&page.items);
            let skip = i64::try_from(seen.len()).expect("a few");
            let skipped = Asked { page: at, skip, sort: Some(sort) };
            let rest = filtered(&self.core, caller, filter, skipped).await.expect("the same by passing over");
            cursor = page.next_cursor;
            let Some(cursor) = &cursor else {
                assert!(rest.items.is_empty(), "there was more behind the end");
                break;
            };
            let next = Asked { page: PageAt { cursor: Some(cursor), limit: 2 }, skip: 0, sort: Some(sort) };
            let next = filtered(&self.core, caller, filter, next).await.expect("a page");
            assert_eq!(names(&next.items), names(&rest.items), "skip and cursor disagree");
            seen += &names(&next.items);
            match next.next_cursor {
                Some(_) => {
                    let skip = i64::try_from(seen.len()).expect("a few");
                    asked = Asked { page: at, skip, sort: Some(sort) };
                }
                None => break,
            }
        }
        let counted = count(&self.core, caller, filter).await.expect("a count");
        assert_eq!(usize::try_from(counted).ok(), Some(seen.len()), "{filter:?} is counted otherwise than listed");
        seen
    }
}

#[actix::test]
async fn a_filter_finds_what_it_says_and_only_what_the_caller_may_see() {
    let posts = posts().await;
    let day = |day: i64| posts.core.clock.now() + Duration::days(day);
    let (ann, bob) = (posts.ann.user, posts.bob.user);
    let (guest, admin) = (Caller::guest(), Caller { admin: true, ..Caller::customer(UserId::new()) });
    let all_ids: Vec<WorkflowId> = posts.all.iter().map(|workflow| workflow.id).collect();
    let none = Filter { nsfw: Some(Nsfw::View), ..Filter::default() };
    let of = |user| Filter { user, ..Filter::default() };
    let private = |is_private, user| Filter { is_private: Some(is_private), user, ..Filter::default() };
    let tags = |tags: &[WorkflowTagId]| Filter { tags: Some(tags.to_vec()), ..none.clone() };
    let published = |from, until| Filter { published: Span { from, until }, ..none.clone() };
    let ids = Filter { ids: Some(all_ids), ..Filter::default() };
    for (caller, filter, sort, expected) in [
        (&guest, none.clone(), Sort::PublishedAt, "ndcab"),
        (&guest, Filter::default(), Sort::PublishedAt, "dcab"),
        (&admin, Filter::default(), Sort::Oldest, "abcdxz"),
        (&guest, Filter { nsfw: Some(Nsfw::Only), ..none.clone() }, Sort::Newest, "n"),
        (&guest, Filter { nsfw: Some(Nsfw::Hide), ..of(ann) }, Sort::Newest, "cba"),
        (&guest, Filter { nsfw: Some(Nsfw::Only), is_nsfw: Some(false), ..none.clone() }, Sort::Oldest, "abcd"),
        (&guest, Filter { is_nsfw: Some(false), ..none.clone() }, Sort::Like, "bcad"),
        (&guest, Filter { is_nsfw: Some(true), ..none.clone() }, Sort::View, "n"),
        (&guest, of(ann), Sort::Newest, "ncba"),
        (&posts.bob, of(ann), Sort::Oldest, "abcn"),
        (&posts.ann, of(ann), Sort::Newest, "xncba"),
        (&admin, of(bob), Sort::Newest, "zd"),
        (&posts.ann, private(true, None), Sort::Newest, "x"),
        (&posts.ann, private(true, bob), Sort::Newest, ""),
        (&posts.ann, private(false, ann), Sort::View, "cnba"),
        (&admin, private(true, None), Sort::Newest, "zx"),
        (&admin, none.clone(), Sort::Oldest, "abcdnxz"),
        (&guest, tags(&[tag_below(3, 1)]), Sort::PublishedAt, "nab"),
        (&guest, tags(&[root_tag(2)]), Sort::Like, "bcd"),
        (&admin, tags(&[tag_below(3, 1), tag_below(2, 1)]), Sort::Oldest, "abcdnxz"),
        (&guest, tags(&[]), Sort::Oldest, ""),
        (&guest, published(Some(day(2)), Some(day(4))), Sort::PublishedAt, "ca"),
        (&guest, published(Some(day(4)), None), Sort::PublishedAt, "nd"),
        (&admin, published(None, Some(day(2))), Sort::PublishedAt, "b"),
        (&guest, ids.clone(), Sort::Like, "bcand"),
        (&posts.ann, ids.clone(), Sort::Newest, "xndcba"),
        (&posts.ann, Filter { user: ann, is_nsfw: Some(false), ..ids.clone() }, Sort::Newest, "xcba"),
        (&admin, ids.clone(), Sort::PublishedAt, "ndcabzx"),
        (&guest, Filter { has_api: Some(true), ..none.clone() }, Sort::Newest, ""),
        (&guest, Filter { has_api: Some(false), user: bob, ..none.clone() }, Sort::Newest, "d"),
    ] {
        assert_eq!(posts.found(caller, &filter, sort).await, expected, "{filter:?} {sort:?} for {caller:?}");
    }
    let asked = filtered(&posts.core, &guest, &private(true, None), Asked::default()).await;
    assert!(matches!(asked, Err(Error::LoginRequired)));
}

#[actix::test]
async fn what_is_named_comes_in_the_order_in_which_it_was_named() {
    let posts = posts().await;
    let mut ids: Vec<WorkflowId> = [2, 0, 6, 5, 2, 1].iter().map(|at: &usize| posts.all[*at].id).collect();
    ids.push(WorkflowId::new());
    let filter = Filter { ids: Some(ids), ..Filter::default() };
    let asked = |skip, limit| Asked { page: PageAt { cursor: None, limit }, skip, sort: None };
    for (caller, asked, expected) in [
        (&Caller::guest(), asked(0, 9), "cab"),
        (&posts.ann, asked(0, 9), "caxb"),
        (&posts.ann, asked(1, 2), "ax"),
        (&posts.bob, asked(0, 100), "cazb"),
    ] {
        let page = filtered(&posts.core, caller, &filter, asked).await.expect("a page");
        assert_eq!((names(&page.items).as_str(), page.next_cursor), (expected, None));
    }
}

#[actix::test]
async fn nobody_asks_for_too_much() {
    let posts = posts().await;
    let many = Filter { ids: Some(vec![WorkflowId::new(); MAX_IDS + 1]), ..Filter::default() };
    let ids = Filter { ids: Some(vec![posts.all[0].id]), ..Filter::default() };
    let cursor = Cursor::top(Sort::Like).to_string();
    let with = |cursor| Asked { page: PageAt { cursor, limit: 2 }, ..Asked::default() };
    let (guest, none) = (Caller::guest(), Filter::default());
    for (filter, asked) in [
        (&many, Asked::default()),
        (&none, Asked { skip: MAX_SKIP + 1, ..Asked::default() }),
        (&none, Asked { skip: -1, ..Asked::default() }),
        (&none, Asked { skip: 1, ..with(Some(&cursor)) }),
        (&none, with(Some(&cursor))),
        (&none, with(Some("x'; DROP TABLE workflows; --"))),
        (&ids, with(Some(&cursor))),
    ] {
        let refused = filtered(&posts.core, &guest, filter, asked).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{filter:?} {asked:?}: {refused:?}");
    }
    let deepest = Asked { skip: MAX_SKIP, ..Asked::default() };
    assert!(filtered(&posts.core, &guest, &none, deepest).await.expect("an empty page").items.is_empty());
}

#[actix::test]
async fn people_count_their_own_over_time_and_admins_everybodys() {
    let posts = posts().await;
    // The factory makes them all on the first day of time.
    let day = chrono::DateTime::UNIX_EPOCH.date_naive();
    let periods = Periods::new(day, day.succ_opt().expect("a day"), Grouping::Day).expect("periods");
    let counted = async |caller: &Caller| {
        let counts = counts(&posts.core, caller, &periods).await.expect("counts");
        counts.iter().map(|period| period.count).collect::<Vec<_>>()
    };
    assert_eq!(counted(&posts.ann).await, [5, 0]);
    assert_eq!(counted(&posts.bob).await, [2, 0]);
    assert_eq!(counted(&Caller::system()).await, [7, 0]);
    assert!(matches!(counts(&posts.core, &Caller::guest(), &periods).await, Err(Error::LoginRequired)));
}

#[actix::test]
async fn several_are_marked_by_admins_and_deleted_by_their_owners() {
    let posts = posts().await;
    let ids: Vec<WorkflowId> = posts.all.iter().map(|workflow| workflow.id).collect();
    let admin = Caller { admin: true, ..Caller::customer(user().insert(&posts.core.db).await) };
    assert!(matches!(set_nsfw(&posts.core, &posts.ann, &ids[..1], true).await, Err(Error::Forbidden)));
    let gone = set_nsfw(&posts.core, &admin, &[ids[0], WorkflowId::new()], true).await;
    assert!(matches!(gone, Err(Error::NotFound { .. })));
    assert!(!find(&posts.core, &posts.ann, ids[0]).await.expect("still there").is_nsfw, "all or none");
    let marked = set_nsfw(&posts.core, &admin, &ids[..2], true).await.expect("marked");
    assert!(marked.len() == 2 && marked.iter().all(|workflow| workflow.is_nsfw));

    assert!(matches!(delete_several(&posts.core, &Caller::guest(), &ids).await, Err(Error::LoginRequired)));
    assert_eq!(delete_several(&posts.core, &posts.ann, &ids).await.expect("deleted"), 5, "others' stay");
    assert_eq!(delete_several(&posts.core, &posts.ann, &ids).await.expect("again"), 0);
    assert_eq!(count(&posts.core, &admin, &Filter::default()).await.expect("a count"), 2);
    assert!(matches!(
        delete_several(&posts.core, &posts.ann, &vec![ids[0]; MAX_IDS + 1]).await,
        Err(Error::Invalid { .. })
    ));
}
