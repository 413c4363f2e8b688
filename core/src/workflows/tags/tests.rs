//! The tree of tags and the order of basic workflows, as admins manage them.

use crate::filter::Nsfw;
use crate::list::ListQuery;
use crate::testing::TestCore;
use crate::workflows::*;

fn admin() -> Caller {
    Caller { admin: true, ..Caller::customer(UserId::new()) }
}

fn code<T>(answer: Result<T>) -> &'static str {
    match answer {
        Err(error) => error.code().name(),
        Ok(_) => "fine",
    }
}

fn tag(name: &str, parent: Option<WorkflowTagId>) -> NewTag {
    NewTag { name: name.to_owned(), name_ko: format!("{name} (한국어)"), parent }
}

async fn under(core: &Core, tag: WorkflowTagId) -> Vec<String> {
    let page = tagged(core, tag, ListQuery::at(Nsfw::View, None, 50)).await.expect("a list");
    page.items.into_iter().map(|workflow| workflow.name).collect()
}

async fn found(core: &Core, text: &str) -> usize {
    index_wordless(core).await.expect("a sweep");
    search(core, text, ListQuery::at(Nsfw::View, None, 50)).await.expect("a list").items.len()
}

async fn post(core: &TestCore, name: &str, tags: &[WorkflowTagId]) -> Workflow {
    workflow(UserId::new()).name(name).tags(tags).published(core.clock.now()).insert(&core.db).await
}

async fn children(core: &Core, parent: Option<WorkflowTagId>) -> Vec<String> {
    let all = tags(core).await.expect("tags");
    all.into_iter().filter(|tag| tag.parent == parent).map(|tag| tag.name).collect()
}

#[actix::test]
async fn only_admins_change_the_tree() {
    let core = TestCore::new().await;
    for (caller, expected) in [(Caller::guest(), "AUTH_LOGIN_REQUIRED"), (Caller::customer(UserId::new()), "FORBIDDEN")]
    {
        let (one, two) = (tag_below(1, 1), tag_below(1, 2));
        assert_eq!(code(create_tag(&core, &caller, tag("New", None)).await), expected);
        assert_eq!(code(update_tag(&core, &caller, one, TagChanges::default()).await), expected);
        assert_eq!(code(order_tags(&core, &caller, None, &[]).await), expected);
        assert_eq!(code(merge_tags(&core, &caller, one, two).await), expected);
        assert_eq!(code(delete_tag(&core, &caller, one).await), expected);
        assert_eq!(code(tag_uses(&core, &caller).await), expected);
        assert_eq!(code(basics(&core, &caller).await), expected);
        assert_eq!(code(order_basics(&core, &caller, &[]).await), expected);
    }
}

#[actix::test]
async fn new_tag_is_last_and_its_name_is_unique_below_its_parent() {
    let core = TestCore::new().await;
    let admin = admin();
    let made = create_tag(&core, &admin, tag(" Portrait ", Some(root_tag(1)))).await.expect("a tag");
    assert_eq!((made.name.as_str(), made.depth), ("Portrait", 1));
    assert_eq!(children(&core, Some(root_tag(1))).await.last().map(String::as_str), Some("Portrait"));
    assert_eq!(code(create_tag(&core, &admin, tag("PORTRAIT", Some(root_tag(1)))).await), "TAG_NAME_TAKEN");
    assert_eq!(code(create_tag(&core, &admin, tag("Portrait", Some(root_tag(2)))).await), "fine", "elsewhere");
    for (new, why) in [
        (tag("", None), "no name"),
        (tag(&"x".repeat(51), None), "a long name"),
        (tag("a\nb", None), "two lines"),
        (tag("x", Some(made.id)), "a third level"),
        (tag("x", Some(WorkflowTagId::new())), "no such parent"),
        (NewTag { name_ko: " ".to_owned(), ..tag("x", None) }, "no Korean name"),
    ] {
        assert_eq!(code(create_tag(&core, &admin, new).await), "VALIDATION_FAILED", "{why}");
    }
}

#[actix::test]
async fn renamed_tag_is_searched_by_its_new_name() {
    let core = TestCore::new().await;
    let admin = admin();
    post(&core, "one", &[tag_below(1, 1)]).await;
    assert_eq!((found(&core, "Text").await, found(&core, "Typing").await), (1, 0));
    let changes = TagChanges { name: Some("Typing".to_owned()), name_ko: Some("글".to_owned()), parent: None };
    let changed = update_tag(&core, &admin, tag_below(1, 1), changes).await.expect("a tag");
    assert_eq!((changed.name.as_str(), changed.parent), ("Typing", Some(root_tag(1))));
    assert_eq!((found(&core, "Text").await, found(&core, "Typing").await, found(&core, "글").await), (0, 1, 1));
    let taken = TagChanges { name: Some("inpainting".to_owned()), ..TagChanges::default() };
    assert_eq!(code(update_tag(&core, &admin, tag_below(1, 1), taken).await), "TAG_NAME_TAKEN");
    assert_eq!(code(update_tag(&core, &admin, WorkflowTagId::new(), TagChanges::default()).await), "NOT_FOUND");
}

#[actix::test]
async fn moved_tag_moves_its_workflows_to_the_new_parent() {
    let core = TestCore::new().await;
    let admin = admin();
    post(&core, "alone", &[tag_below(1, 1)]).await;
    post(&core, "beside", &[tag_below(1, 1), tag_below(1, 2)]).await;
    post(&core, "chosen", &[tag_below(1, 1), root_tag(1)]).await;
    let to = |parent| TagChanges { parent: Some(parent), ..TagChanges::default() };
    update_tag(&core, &admin, tag_below(1, 1), to(Some(root_tag(2)))).await.expect("a tag");
    let sorted = async |tag| {
        let mut names = under(&core, tag).await;
        names.sort();
        names
    };
    assert_eq!(sorted(root_tag(1)).await, ["beside", "chosen"], "those that have another reason stay");
    assert_eq!(sorted(root_tag(2)).await, ["alone", "beside", "chosen"]);
    let root = update_tag(&core, &admin, tag_below(1, 1), to(None)).await.expect("a tag");
    assert_eq!((root.depth, root.parent), (0, None));
    assert!(sorted(root_tag(2)).await.is_empty());
    assert_eq!(sorted(tag_below(1, 1)).await.len(), 3);
    assert_eq!(code(update_tag(&core, &admin, root_tag(1), to(Some(root_tag(2)))).await), "TAG_HAS_CHILDREN");
    let own = update_tag(&core, &admin, tag_below(1, 1), to(Some(tag_below(1, 1)))).await;
    assert_eq!(code(own), "VALIDATION_FAILED", "below itself");
}

#[actix::test]
async fn order_must_name_every_tag_once() {
    let core = TestCore::new().await;
    let admin = admin();
    let parent = Some(root_tag(2));
    let before = children(&core, parent).await;
    let ids: Vec<WorkflowTagId> = [4, 1, 3, 2].map(|number| tag_below(2, number)).to_vec();
    order_tags(&core, &admin, parent, &ids).await.expect("an order");
    let expected: Vec<&String> = [3, 0, 2, 1].map(|at: usize| &before[at]).to_vec();
    assert_eq!(children(&core, parent).await.iter().collect::<Vec<_>>(), expected);
    for wrong in [&ids[..3], &[ids[0], ids[0], ids[1], ids[2]], &[ids[0], ids[1], ids[2], tag_below(1, 1)]] {
        assert_eq!(code(order_tags(&core, &admin, parent, wrong).await), "VALIDATION_FAILED");
    }
}

#[actix::test]
async fn merged_tag_keeps_all_workflows() {
    let core = TestCore::new().await;
    let admin = admin();
    let (from, into) = (tag_below(1, 1), tag_below(2, 1));
    let both = post(&core, "both", &[from, into]).await;
    let one = post(&core, "one", &[tag_below(1, 3), from]).await;
    assert_eq!(code(delete_tag(&core, &admin, from).await), "TAG_IN_USE");
    let uses = tag_uses(&core, &admin).await.expect("counts");
    assert_eq!(uses.get(&from), Some(&TagUse { workflows: 2, published: 2 }));
    merge_tags(&core, &admin, from, into).await.expect("one tag");
    let carried = tags_of(&core, &[both.id, one.id]).await.expect("tags");
    let ids = |id| carried.get(&id).map(|tags: &Vec<Tag>| tags.iter().map(|tag| tag.id).collect::<Vec<_>>());
    assert_eq!(ids(both.id), Some(vec![into]));
    assert_eq!(ids(one.id), Some(vec![tag_below(1, 3), into]), "at the place of the other");
    assert_eq!(under(&core, root_tag(2)).await.len(), 2, "found by the new parent");
    assert_eq!(under(&core, root_tag(1)).await, ["one"], "and by the old one where another tag says so");
    assert_eq!(found(&core, "Text to video").await, 2, "found by the words of the other");
    assert_eq!(code(merge_tags(&core, &admin, from, into).await), "NOT_FOUND");
    assert_eq!(code(merge_tags(&core, &admin, into, into).await), "VALIDATION_FAILED");
    assert_eq!(code(merge_tags(&core, &admin, root_tag(2), into).await), "VALIDATION_FAILED", "into its own child");
    assert_eq!(code(merge_tags(&core, &admin, root_tag(3), into).await), "TAG_HAS_CHILDREN");
    merge_tags(&core, &admin, into, root_tag(2)).await.expect("a child into its parent");
    assert_eq!(under(&core, root_tag(2)).await.len(), 2);
    merge_tags(&core, &admin, root_tag(2), root_tag(3)).await.expect("a root with its children into another");
    assert_eq!(under(&core, root_tag(3)).await.len(), 2);
    assert!(children(&core, Some(root_tag(3))).await.contains(&"Lip sync".to_owned()));
}

#[actix::test]
async fn only_unused_tags_are_deleted() {
    let core = TestCore::new().await;
    let admin = admin();
    assert_eq!(code(delete_tag(&core, &admin, root_tag(1)).await), "TAG_HAS_CHILDREN");
    let gone = workflow(UserId::new()).tags(&[tag_below(1, 1)]).insert(&core.db).await;
    assert_eq!(code(delete_tag(&core, &admin, tag_below(1, 1)).await), "TAG_IN_USE", "drafts count too");
    delete(&core, &Caller::customer(gone.user), gone.id).await.expect("deleted");
    delete_tag(&core, &admin, tag_below(1, 1)).await.expect("unused by now");
    assert_eq!(code(delete_tag(&core, &admin, tag_below(1, 1)).await), "NOT_FOUND");
    let other = workflow(UserId::new()).tags(&[tag_below(1, 2)]).insert(&core.db).await.id;
    let again = WorkflowChanges { tags: Some(vec![tag_below(1, 1)]), ..WorkflowChanges::default() };
    assert_eq!(code(update(&core, &admin, other, again).await), "VALIDATION_FAILED", "a tag that is gone");
}

#[actix::test]
async fn basic_workflows_keep_the_admins_order() {
    let core = TestCore::new().await;
    let admin = admin();
    let mut ids = Vec::new();
    for name in ["a", "b", "c"] {
        let id = post(&core, name, &[tag_below(1, 1)]).await.id;
        core.clock.advance(chrono::Duration::seconds(1));
        update(&core, &admin, id, WorkflowChanges { is_basic: Some(true), ..WorkflowChanges::default() })
            .await
            .expect("chosen");
        ids.push(id);
    }
    let shown = async || {
        let (mut names, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let page = basic(&core, ListQuery::at((), cursor.as_deref(), 1)).await.expect("a page");
            names.extend(page.items.into_iter().map(|workflow| workflow.name));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break names.concat();
            }
        }
    };
    assert_eq!(shown().await, "cba", "the latest chosen comes first");
    let ordered = order_basics(&core, &admin, &[ids[1], ids[2], ids[0]]).await.expect("an order");
    assert_eq!(ordered.iter().map(|workflow| workflow.name.as_str()).collect::<String>(), "bca");
    assert_eq!(shown().await, "bca");
    assert_eq!(code(order_basics(&core, &admin, &ids[..2]).await), "VALIDATION_FAILED");
    // A hidden one keeps its place, for admins only; choosing one again puts it first.
    update(&core, &admin, ids[2], WorkflowChanges { is_private: Some(true), ..WorkflowChanges::default() })
        .await
        .expect("hidden");
    assert_eq!(shown().await, "ba");
    assert_eq!(basics(&core, &admin).await.expect("all").len(), 3);
    core.clock.advance(chrono::Duration::seconds(1));
    for is_basic in [false, true] {
        update(&core, &admin, ids[0], WorkflowChanges { is_basic: Some(is_basic), ..WorkflowChanges::default() })
            .await
            .expect("changed");
    }
    assert_eq!(shown().await, "ab");
}
