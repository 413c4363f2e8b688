//! Filters of the generic call: what they find, for whom, and where they end.

use chrono::Duration;

use crate::filter::{MAX_IDS, Nsfw, TimeRange};
use crate::list::{Cursor, ListQuery, MAX_SKIP};
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
    async fn found(&self, caller: &Caller, filter: &WorkflowFilter, sort: WorkflowOrder) -> String {
        let first = ListQuery::at(filter, None, 2).sorted(Some(sort));
        let (mut seen, mut query) = (String::new(), first);
        let mut cursor: Option<String>;
        // Reads pages of two by cursor and by skip; both must agree.
        loop {
            let page = filtered(&self.core, caller, query).await.expect("a page");
            seen += &names(&page.items);
            let skip = i64::try_from(seen.len()).expect("a few");
            let rest = filtered(&self.core, caller, ListQuery { skip, ..first }).await.expect("a page by skip");
            cursor = page.next_cursor;
            let Some(cursor) = &cursor else {
                assert!(rest.items.is_empty(), "there was more behind the end");
                break;
            };
            let next = ListQuery { cursor: Some(cursor), ..first };
            let next = filtered(&self.core, caller, next).await.expect("a page");
            assert_eq!(names(&next.items), names(&rest.items), "skip and cursor disagree");
            seen += &names(&next.items);
            match next.next_cursor {
                Some(_) => {
                    let skip = i64::try_from(seen.len()).expect("a few");
                    query = ListQuery { skip, ..first };
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
async fn filter_finds_only_matches_that_the_caller_may_see() {
    let posts = posts().await;
    let day = |day: i64| posts.core.clock.now() + Duration::days(day);
    let (ann, bob) = (posts.ann.user, posts.bob.user);
    let (guest, admin) = (Caller::guest(), Caller { admin: true, ..Caller::customer(UserId::new()) });
    let all_ids: Vec<WorkflowId> = posts.all.iter().map(|workflow| workflow.id).collect();
    let none = WorkflowFilter { nsfw: Some(Nsfw::View), ..WorkflowFilter::default() };
    let of = |user| WorkflowFilter { user, ..WorkflowFilter::default() };
    let private = |is_private, user| WorkflowFilter { is_private: Some(is_private), user, ..WorkflowFilter::default() };
    let tags = |tags: &[WorkflowTagId]| WorkflowFilter { tags: Some(tags.to_vec()), ..none.clone() };
    let published = |from, until| WorkflowFilter { published: TimeRange { from, until }, ..none.clone() };
    let ids = WorkflowFilter { ids: Some(all_ids), ..WorkflowFilter::default() };
    for (caller, filter, sort, expected) in [
        (&guest, none.clone(), WorkflowOrder::PublishedAt, "ndcab"),
        (&guest, WorkflowFilter::default(), WorkflowOrder::PublishedAt, "dcab"),
        (&admin, WorkflowFilter::default(), WorkflowOrder::Oldest, "abcdxz"),
        (&guest, WorkflowFilter { nsfw: Some(Nsfw::Only), ..none.clone() }, WorkflowOrder::Newest, "n"),
        (&guest, WorkflowFilter { nsfw: Some(Nsfw::Hide), ..of(ann) }, WorkflowOrder::Newest, "cba"),
        (
            &guest,
            WorkflowFilter { nsfw: Some(Nsfw::Only), is_nsfw: Some(false), ..none.clone() },
            WorkflowOrder::Oldest,
            "abcd",
        ),
        (&guest, WorkflowFilter { is_nsfw: Some(false), ..none.clone() }, WorkflowOrder::Like, "bcad"),
        (&guest, WorkflowFilter { is_nsfw: Some(true), ..none.clone() }, WorkflowOrder::View, "n"),
        (&guest, of(ann), WorkflowOrder::Newest, "ncba"),
        (&posts.bob, of(ann), WorkflowOrder::Oldest, "abcn"),
        (&posts.ann, of(ann), WorkflowOrder::Newest, "xncba"),
        (&admin, of(bob), WorkflowOrder::Newest, "zd"),
        (&posts.ann, private(true, None), WorkflowOrder::Newest, "x"),
        (&posts.ann, private(true, bob), WorkflowOrder::Newest, ""),
        (&posts.ann, private(false, ann), WorkflowOrder::View, "cnba"),
        (&admin, private(true, None), WorkflowOrder::Newest, "zx"),
        (&admin, none.clone(), WorkflowOrder::Oldest, "abcdnxz"),
        (&guest, tags(&[tag_below(3, 1)]), WorkflowOrder::PublishedAt, "nab"),
        (&guest, tags(&[root_tag(2)]), WorkflowOrder::Like, "bcd"),
        (&admin, tags(&[tag_below(3, 1), tag_below(2, 1)]), WorkflowOrder::Oldest, "abcdnxz"),
        (&guest, tags(&[]), WorkflowOrder::Oldest, ""),
        (&guest, published(Some(day(2)), Some(day(4))), WorkflowOrder::PublishedAt, "ca"),
        (&guest, published(Some(day(4)), None), WorkflowOrder::PublishedAt, "nd"),
        (&admin, published(None, Some(day(2))), WorkflowOrder::PublishedAt, "b"),
        (&guest, ids.clone(), WorkflowOrder::Like, "bcand"),
        (&posts.ann, ids.clone(), WorkflowOrder::Newest, "xndcba"),
        (&posts.ann, WorkflowFilter { user: ann, is_nsfw: Some(false), ..ids.clone() }, WorkflowOrder::Newest, "xcba"),
        (&admin, ids.clone(), WorkflowOrder::PublishedAt, "ndcabzx"),
        (&guest, WorkflowFilter { has_api: Some(true), ..none.clone() }, WorkflowOrder::Newest, ""),
        (&guest, WorkflowFilter { has_api: Some(false), user: bob, ..none.clone() }, WorkflowOrder::Newest, "d"),
    ] {
        assert_eq!(posts.found(caller, &filter, sort).await, expected, "{filter:?} {sort:?} for {caller:?}");
    }
    let asked = filtered(&posts.core, &guest, ListQuery::at(&private(true, None), None, 2).sorted(None)).await;
    assert!(matches!(asked, Err(Error::LoginRequired)));
}

#[actix::test]
async fn filter_by_ids_keeps_their_order() {
    let posts = posts().await;
    let mut ids: Vec<WorkflowId> = [2, 0, 6, 5, 2, 1].iter().map(|at: &usize| posts.all[*at].id).collect();
    ids.push(WorkflowId::new());
    let filter = WorkflowFilter { ids: Some(ids), ..WorkflowFilter::default() };
    let at = |skip, limit| ListQuery { skip, ..ListQuery::at(&filter, None, limit).sorted(None) };
    for (caller, query, expected) in [
        (&Caller::guest(), at(0, 9), "cab"),
        (&posts.ann, at(0, 9), "caxb"),
        (&posts.ann, at(1, 2), "ax"),
        (&posts.bob, at(0, 100), "cazb"),
    ] {
        let page = filtered(&posts.core, caller, query).await.expect("a page");
        assert_eq!((names(&page.items).as_str(), page.next_cursor), (expected, None));
    }
}

#[actix::test]
async fn excessive_and_invalid_queries_are_refused() {
    let posts = posts().await;
    let many = WorkflowFilter { ids: Some(vec![WorkflowId::new(); MAX_IDS + 1]), ..WorkflowFilter::default() };
    let ids = WorkflowFilter { ids: Some(vec![posts.all[0].id]), ..WorkflowFilter::default() };
    let cursor = Cursor::start(WorkflowOrder::Like).text(WorkflowOrder::Like);
    let (guest, none) = (Caller::guest(), WorkflowFilter::default());
    let skipping = |skip| ListQuery { skip, ..ListQuery::at(&none, None, 1).sorted(None) };
    for query in [
        ListQuery::at(&many, None, 1).sorted(None),
        skipping(MAX_SKIP + 1),
        skipping(-1),
        ListQuery { cursor: Some(&cursor), ..skipping(1) },
        ListQuery::at(&none, Some(&cursor), 2).sorted(None),
        ListQuery::at(&none, Some("x'; DROP TABLE workflows; --"), 2).sorted(None),
        ListQuery::at(&ids, Some(&cursor), 2).sorted(None),
    ] {
        let refused = filtered(&posts.core, &guest, query).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{query:?}: {refused:?}");
    }
    assert!(filtered(&posts.core, &guest, skipping(MAX_SKIP)).await.expect("an empty page").items.is_empty());
}

#[actix::test]
async fn counts_over_time_are_the_callers_own_and_all_for_admins() {
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
async fn only_admins_mark_and_only_owners_delete_several() {
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
    assert_eq!(count(&posts.core, &admin, &WorkflowFilter::default()).await.expect("a count"), 2);
    assert!(matches!(
        delete_several(&posts.core, &posts.ann, &vec![ids[0]; MAX_IDS + 1]).await,
        Err(Error::Invalid { .. })
    ));
}
