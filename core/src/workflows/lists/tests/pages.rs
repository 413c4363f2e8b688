//! Lists, page by page, and searches.

use chrono::Duration;

use crate::filter::Nsfw;
use crate::list::{Cursor, ListQuery};
use crate::testing::TestCore;
use crate::workflows::tests::{customer, names, page_at};
use crate::workflows::*;

/// All pages of a list, two at a time.
macro_rules! walk {
    (|$at:ident| $list:expr) => {{
        let (mut seen, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let $at = page_at(cursor.as_deref(), 2);
            let page = $list.await.unwrap();
            assert!(page.items.len() <= 2, "more than were asked for");
            seen.extend(page.items.iter().map(|workflow| workflow.name.clone()));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break seen;
            }
        }
    }};
}

#[actix::test]
async fn pages_in_every_order_have_each_workflow_once() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let ann = UserId::new();
    for (name, published, likes, views) in [("a", 3, 5, 0), ("b", 1, 9, 7), ("c", 2, 5, 8), ("d", 4, 0, 8)] {
        workflow(ann).name(name).published(day(published)).counts(likes, views).insert(&core.db).await;
    }
    workflow(ann).name("n").nsfw().published(day(5)).counts(7, 1).insert(&core.db).await;
    workflow(UserId::new()).name("draft").counts(1, 99).insert(&core.db).await;
    for (sort, hidden, viewed) in [
        (WorkflowOrder::Newest, "dcba", "ndcba"),
        (WorkflowOrder::Oldest, "abcd", "abcdn"),
        (WorkflowOrder::Like, "bcad", "bncad"),
        (WorkflowOrder::View, "dcba", "dcbna"),
        (WorkflowOrder::PublishedAt, "dacb", "ndacb"),
    ] {
        assert_eq!(walk!(|at| published(&core, at.filtered(Nsfw::Hide).sorted(sort))).concat(), hidden, "{sort:?}");
        assert_eq!(walk!(|at| published(&core, at.filtered(Nsfw::View).sorted(sort))).concat(), viewed, "{sort:?}");
        assert_eq!(walk!(|at| published(&core, at.filtered(Nsfw::Only).sorted(sort))).concat(), "n", "{sort:?}");
    }
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    let both = WorkflowFilter { nsfw: Some(Nsfw::View), ..WorkflowFilter::default() };
    let filter =
        |is_private: Option<bool>, is_nsfw: Option<bool>| WorkflowFilter { is_private, is_nsfw, ..both.clone() };
    for (filter, sort, order) in [
        (filter(None, None), WorkflowOrder::Newest, "draftndcba"),
        (WorkflowFilter::default(), WorkflowOrder::Newest, "draftdcba"),
        (filter(None, None), WorkflowOrder::View, "draftdcbna"),
        (filter(None, None), WorkflowOrder::PublishedAt, "ndacbdraft"),
        (filter(Some(false), None), WorkflowOrder::Oldest, "abcdn"),
        (filter(Some(true), None), WorkflowOrder::Like, "draft"),
        (filter(None, Some(true)), WorkflowOrder::Newest, "n"),
        (filter(None, Some(false)), WorkflowOrder::Like, "bcadraftd"),
    ] {
        assert_eq!(
            walk!(|at| all(&core, &admin, at.filtered(&filter).sorted(sort))).concat(),
            order,
            "{filter:?} {sort:?}"
        );
    }
    let default = WorkflowFilter::default();
    let everybody =
        all(&core, &Caller::customer(ann), page_at(None, 2).filtered(&default).sorted(WorkflowOrder::Newest)).await;
    assert!(matches!(everybody, Err(Error::Forbidden)));
    let foreign = Cursor { key: 1, id: WorkflowId::new().0 }.text(WorkflowOrder::Like);
    let wrong = published(&core, ListQuery::at(Nsfw::Hide, Some(&foreign), 2).sorted(WorkflowOrder::View)).await;
    assert!(matches!(wrong, Err(Error::Invalid { .. })), "another list's cursor was taken");
}

#[actix::test]
async fn tag_and_its_parent_list_only_published_workflows() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let pro = customer(&core, "Pro").await;
    let ann = pro.user.unwrap();
    let (photo, anime, video) = (tag_below(3, 1), tag_below(3, 3), tag_below(2, 1));
    workflow(ann).name("a").tags(&[photo]).published(day(1)).insert(&core.db).await;
    workflow(ann).name("b").tags(&[anime, photo]).published(day(2)).insert(&core.db).await;
    let hidden = workflow(ann).name("c").tags(&[photo]).insert(&core.db).await;
    workflow(ann).name("n").tags(&[photo]).nsfw().published(day(4)).insert(&core.db).await;
    let d = workflow(ann).name("d").tags(&[video]).published(day(3)).insert(&core.db).await;
    let found = async |tag: WorkflowTagId| walk!(|at| tagged(&core, tag, at.filtered(Nsfw::Hide))).concat();
    assert_eq!(found(photo).await, "ba");
    assert_eq!(found(anime).await, "b");
    assert_eq!(found(root_tag(3)).await, "ba", "a workflow with two tags below one parent stands there once");
    assert_eq!(walk!(|at| tagged(&core, photo, at.filtered(Nsfw::View))).concat(), "nba");
    assert_eq!(tags_of(&core, &[d.id]).await.unwrap()[&d.id][0].name, "Text to video");
    set_private(&core, &pro, &[hidden.id], false).await.unwrap();
    assert_eq!(found(photo).await, "bac", "what was published just now is not listed by its date");
    update(&core, &pro, d.id, WorkflowChanges { tags: Some(vec![anime]), ..WorkflowChanges::default() }).await.unwrap();
    assert_eq!(found(anime).await, "db");
    assert_eq!(found(root_tag(2)).await, "", "the old tag still finds it");
    set_private(&core, &pro, &[d.id], true).await.unwrap();
    assert_eq!(found(anime).await, "b");
}

#[actix::test]
async fn search_finds_names_descriptions_and_tags_in_both_languages() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let ann = UserId::new();
    let post = |name: &str, html: &str, at: i64| workflow(ann).name(name).description(html).published(day(at));
    post("Misty mountains", "<p>Fog over pines</p>", 1).tags(&[tag_below(4, 2)]).insert(&core.db).await;
    post("Pines", "", 2).tags(&[tag_below(3, 1)]).insert(&core.db).await;
    post("인물사진 만들기", "<p>증명사진을 만듭니다</p>", 3).tags(&[tag_below(3, 1)]).insert(&core.db).await;
    workflow(ann).name("Pines in secret").insert(&core.db).await;
    let found = async |text: &str| walk!(|at| search(&core, text, at.filtered(Nsfw::Hide)));
    assert_eq!(found("pine").await, ["Pines", "Misty mountains"], "names come before descriptions");
    assert_eq!(found("MOUNT fog").await, ["Misty mountains"]);
    assert_eq!(found("사진").await, ["인물사진 만들기", "Pines"], "by a part of a word and by a Korean tag");
    assert_eq!(found("landscape").await, ["Misty mountains"]);
    assert_eq!(found("풍경").await, ["Misty mountains"]);
    assert_eq!(found("만듭").await, ["인물사진 만들기"]);
    assert!(found("strong").await.is_empty() && found("' | 1").await.is_empty() && found("").await.is_empty());

    sqlx::query("UPDATE workflows SET search = NULL, search_name = NULL").execute(&core.db).await.unwrap();
    assert!(found("pine").await.is_empty());
    index_wordless(&core).await.unwrap();
    assert_eq!(found("pine").await.len(), 2, "rows of an older version are found after a sweep");
}

#[actix::test]
async fn search_finds_the_oldest_behind_many_other_posts() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let ann = UserId::new();
    let post = |name: &str, html: &str, at: i64| workflow(ann).name(name).description(html).published(day(at));
    post("Old pines", "", 1).insert(&core.db).await;
    post("Hills", "<p>with pines</p>", 2).insert(&core.db).await;
    post("Older than all pines", "<p>pines</p>", 0).nsfw().insert(&core.db).await;
    post("Desert", "<p>sand</p>", 3).insert(&core.db).await;
    sqlx::query(
        "INSERT INTO workflows SELECT (jsonb_populate_record(w, jsonb_build_object(
           'id', gen_random_uuid(), 'published_at', w.published_at + number * INTERVAL '1 minute'))).*
         FROM workflows w, generate_series(1, 2000) number WHERE name = 'Desert'",
    )
    .execute(&core.db)
    .await
    .unwrap();
    post("Valley", "<p>of pines</p>", 9).insert(&core.db).await;
    let found = async |nsfw| walk!(|at| search(&core, "pine", at.filtered(nsfw)));
    assert_eq!(found(Nsfw::Hide).await, ["Old pines", "Valley", "Hills"]);
    assert_eq!(found(Nsfw::View).await, ["Old pines", "Older than all pines", "Valley", "Hills"]);
    let sand = search(&core, "sand", page_at(None, 50).filtered(Nsfw::Hide)).await.unwrap();
    assert_eq!(sand.items.len(), 50);
    assert!(sand.items.is_sorted_by(|a, b| a.published_at > b.published_at));
}

#[actix::test]
async fn profiles_and_basic_workflows_respect_visibility() {
    let core = TestCore::new().await;
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    let ann = UserId::new();
    let post = workflow(ann).name("open").published(core.clock.now()).insert(&core.db).await;
    let draft = workflow(ann).name("draft").insert(&core.db).await;
    assert_eq!(names(&published_by(&core, ann, page_at(None, 9).filtered(Nsfw::View)).await.unwrap()), ["open"]);
    let own = Caller::customer(ann);
    assert_eq!(names(&unpublished_by(&core, &own, ann, page_at(None, 9)).await.unwrap()), ["draft"]);
    assert_eq!(names(&unpublished_by(&core, &admin, ann, page_at(None, 9)).await.unwrap()), ["draft"]);
    let stranger = Caller::customer(UserId::new());
    assert!(matches!(unpublished_by(&core, &stranger, ann, page_at(None, 9)).await, Err(Error::Forbidden)));

    let edited = find(&core, &own, post.id).await.unwrap().edited_at;
    core.clock.advance(Duration::hours(1));
    for id in [post.id, draft.id] {
        update(&core, &admin, id, WorkflowChanges { is_basic: Some(true), ..WorkflowChanges::default() })
            .await
            .unwrap();
    }
    assert_eq!(names(&basic(&core, page_at(None, 9)).await.unwrap()), ["open"], "a draft is in no public list");
    assert_eq!(find(&core, &own, post.id).await.unwrap().edited_at, edited, "choosing it is no edit of it");
    update(&core, &admin, post.id, WorkflowChanges { is_basic: Some(false), ..WorkflowChanges::default() })
        .await
        .unwrap();
    assert!(basic(&core, page_at(None, 9)).await.unwrap().items.is_empty());
    let seen = named(&core, &stranger, &[draft.id, post.id]).await.unwrap();
    assert_eq!(seen.iter().map(|workflow| workflow.id).collect::<Vec<_>>(), [post.id]);
}
