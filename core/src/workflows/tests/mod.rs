//! The public functions on a real database.

mod posts;
mod translations;

use std::io;

use bytes::Bytes;
use chrono::Duration;
use image::{DynamicImage, ImageFormat};
use serde_json::json;
use serde_json::value::RawValue;

use super::*;
use crate::assets;
use crate::database;
use crate::graph::{JsonText, MAX_PROMPT_BYTES};
use crate::list::{Cursor, ListQuery, Page};
use crate::testing::TestCore;
use crate::users::factory::user;

pub(in crate::workflows) async fn customer(core: &TestCore, plan: &str) -> Caller {
    Caller::customer(user().plan(plan).insert(&core.db).await)
}

pub(in crate::workflows) async fn picture(core: &TestCore, owner: &Caller, side: u32) -> AssetId {
    let mut bytes = io::Cursor::new(Vec::new());
    DynamicImage::new_rgb8(side, 8).write_to(&mut bytes, ImageFormat::Png).expect("an encoded picture");
    assets::upload(core, owner, "a.png", Bytes::from(bytes.into_inner())).await.expect("an asset").id
}

pub(in crate::workflows) fn names(page: &Page<Workflow>) -> Vec<&str> {
    page.items.iter().map(|workflow| workflow.name.as_str()).collect()
}

pub(in crate::workflows) fn page_at(cursor: Option<&str>, limit: i64) -> ListQuery<'_> {
    ListQuery::at((), cursor, limit)
}

fn text(value: Value) -> Option<JsonText> {
    Some(JsonText::of(&value))
}

fn new(name: &str) -> NewWorkflow {
    let prompt = json!({
        "9": {"class_type": "SaveImage", "inputs": {"images": ["10", 0], "filename_prefix": "x"}},
        "10": {"class_type": "EmptyImage", "inputs": {"width": 8, "batch_size": 1, "height": 8, "color": 1}},
    });
    NewWorkflow {
        name: name.into(),
        description: "<p>Hello <script>alert(1)</script></p>".into(),
        translations: Translations::default(),
        graph: NewGraph { ui: text(json!({"nodes": [{"id": 9}], "links": []})), prompt: text(prompt) },
        is_private: true,
        cover: None,
        thumbnails: Vec::new(),
        tags: Vec::new(),
    }
}

#[actix::test]
async fn stored_graphs_keep_the_order_of_their_keys() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let made = create(&core, &ada, new(" My picture ")).await.unwrap();
    assert_eq!((made.name.as_str(), made.description.as_str(), made.version), ("My picture", "<p>Hello </p>", 1));
    assert_eq!(find(&core, &ada, made.id).await.unwrap(), made);
    let graph = graph(&core, &made).await.unwrap();
    assert_eq!(graph.ui.unwrap().as_str(), r#"{"nodes":[{"id":9}],"links":[]}"#);
    let prompt = graph.prompt.unwrap();
    assert_eq!(prompt.0.keys().collect::<Vec<_>>(), ["9", "10"], "nodes were put in another order");
    assert_eq!(prompt.0["10"].inputs.keys().collect::<Vec<_>>(), ["width", "batch_size", "height", "color"]);
}

#[actix::test]
async fn private_workflow_is_not_found_by_others() {
    let core = TestCore::new().await;
    let (ada, bob) = (UserId::new(), Caller::customer(UserId::new()));
    let workflow = workflow(ada).insert(&core.db).await;
    for caller in [&bob, &Caller::guest()] {
        let gone = |error: Error| matches!(error, Error::NotFound { .. });
        assert!(gone(find(&core, caller, workflow.id).await.unwrap_err()));
        assert!(gone(update(&core, caller, workflow.id, WorkflowChanges::default()).await.unwrap_err()));
        assert!(gone(delete(&core, caller, workflow.id).await.unwrap_err()));
    }
    assert!(gone_after_login(copy(&core, &bob, workflow.id, None).await.unwrap_err()));
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    assert_eq!(find(&core, &admin, workflow.id).await.unwrap().id, workflow.id);
}

fn gone_after_login(error: Error) -> bool {
    matches!(error, Error::NotFound { .. })
}

#[actix::test]
async fn published_workflow_is_public_and_only_its_owner_changes_it() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let bob = Caller::customer(UserId::new());
    let made = workflow(ada.user.unwrap()).name("Open").insert(&core.db).await;
    core.clock.advance(Duration::hours(1));
    let published =
        update(&core, &ada, made.id, WorkflowChanges { is_private: Some(false), ..WorkflowChanges::default() })
            .await
            .unwrap();
    assert_eq!(published.published_at, Some(core.clock.now()));
    assert_eq!(published.version, 1, "publishing is no new graph");
    assert!(find(&core, &Caller::guest(), made.id).await.is_ok());
    let theft =
        update(&core, &bob, made.id, WorkflowChanges { name: Some("Mine".into()), ..WorkflowChanges::default() }).await;
    assert!(matches!(theft, Err(Error::Forbidden)));
    assert!(matches!(delete(&core, &Caller::guest(), made.id).await, Err(Error::LoginRequired)));
    assert_eq!(find(&core, &bob, made.id).await.unwrap().name, "Open");
}

#[actix::test]
async fn only_a_changed_graph_makes_a_new_version() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let made = create(&core, &ada, new("Steps")).await.unwrap();
    let save = |graph: NewGraph| {
        update(&core, &ada, made.id, WorkflowChanges { graph: Some(graph), ..WorkflowChanges::default() })
    };
    let same = save(new("Steps").graph).await.unwrap();
    assert_eq!(same.version, 1, "the same graph was saved as a new version");
    let changed = |from: &str, to: &str| {
        let graph = new("Steps").graph;
        let prompt = graph.prompt.as_ref().unwrap().as_str().replace(from, to);
        NewGraph { prompt: Some(RawValue::from_string(prompt).unwrap().into()), ..graph }
    };
    assert_eq!(save(changed(r#""width":8"#, r#""width":16"#)).await.unwrap().version, 2);
    let graph = graph(&core, &find(&core, &ada, made.id).await.unwrap()).await.unwrap();
    assert_eq!(graph.prompt.unwrap().0["10"].inputs["width"], 16);
    let digits = save(changed(r#""width":8"#, r#""width":16.0e0"#)).await.unwrap();
    assert_eq!(digits.version, 3, "the same number with other digits was not saved");
}

#[actix::test]
async fn error_names_the_field_beyond_its_limit() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let with = |change: &dyn Fn(&mut NewWorkflow)| {
        let mut workflow = new("Limits");
        change(&mut workflow);
        workflow
    };
    let cases = [
        (with(&|new| new.name = "  ".into()), "name"),
        (with(&|new| new.name = "가".repeat(101)), "name"),
        (with(&|new| new.name = "a\u{0}b".into()), "name"),
        (with(&|new| new.description = "x".repeat(MAX_DESCRIPTION_BYTES + 1)), "description"),
        (with(&|new| new.graph = NewGraph::default()), "prompt"),
        (with(&|new| new.graph.ui = text(json!([1]))), "prompt.workflow"),
        (with(&|new| new.graph.ui = text(json!({"a": "x".repeat(MAX_PROMPT_BYTES)}))), "prompt.workflow"),
        (with(&|new| new.graph.ui = text(json!({"a": "\u{0}"}))), "prompt.workflow"),
    ];
    for (workflow, place) in cases {
        match create(&core, &ada, workflow).await {
            Err(Error::Invalid { field, .. }) => assert_eq!(field, place),
            other => panic!("{place}: {other:?}"),
        }
    }
    let broken = create(&core, &ada, with(&|new| new.graph.prompt = text(json!({"1": {"inputs": {}}})))).await;
    assert!(matches!(broken, Err(Error::InvalidPrompt { .. })));
    assert!(
        create(&core, &ada, with(&|new| new.name = "가".repeat(100))).await.is_ok(),
        "100 letters of any alphabet fit"
    );
    assert!(
        create(&core, &ada, with(&|new| new.graph.ui = text(json!({"nodes": [], "a": "\\u0000 as text"}))))
            .await
            .is_ok()
    );
    assert!(matches!(create(&core, &Caller::guest(), new("Guest")).await, Err(Error::LoginRequired)));
}

#[actix::test]
async fn pages_of_own_workflows_have_no_gap_or_overlap() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let mut made = Vec::new();
    for index in 0..7 {
        made.push(create(&core, &ada, new(&format!("No. {index}"))).await.unwrap().id);
    }
    workflow(UserId::new()).insert(&core.db).await;
    delete(&core, &ada, made.remove(3)).await.unwrap();
    made.reverse();
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let page = mine(&core, &ada, page_at(cursor.as_deref(), 2)).await.unwrap();
        seen.extend(page.items.iter().map(|workflow| workflow.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, made);
    for unknown in ["x", "", "bjox", &Cursor { key: 1, id: WorkflowId::new().0 }.text(WorkflowOrder::Like)] {
        assert!(
            matches!(mine(&core, &ada, page_at(Some(unknown), 2)).await, Err(Error::Invalid { .. })),
            "{unknown} was accepted"
        );
    }
}

#[actix::test]
async fn only_published_mini_apps_are_listed_in_every_order() {
    let core = TestCore::new().await;
    let day = |day: i64| core.clock.now() + Duration::days(day);
    let mut apps = Vec::new();
    for (published, likes, views) in [(3, 5, 0), (1, 9, 7), (2, 5, 8), (4, 0, 8)] {
        let app = workflow(UserId::new()).published(day(published)).counts(likes, views).insert(&core.db).await;
        attach(&core, app.id).await;
        apps.push(app.id);
    }
    workflow(UserId::new()).published(day(9)).insert(&core.db).await;
    let private = workflow(UserId::new()).insert(&core.db).await;
    attach(&core, private.id).await;
    for (sort, order) in [
        (WorkflowOrder::Newest, [3, 0, 2, 1]),
        (WorkflowOrder::Oldest, [1, 2, 0, 3]),
        (WorkflowOrder::Like, [1, 2, 0, 3]),
        (WorkflowOrder::View, [3, 2, 1, 0]),
    ] {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let page = published_apps(&core, ListQuery::at(AppFilter::default(), cursor.as_deref(), 1).sorted(sort))
                .await
                .unwrap();
            seen.extend(page.items.iter().map(|workflow| workflow.id));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, order.map(|index| apps[index]), "{sort:?}");
    }
}

async fn attach(core: &Core, id: WorkflowId) {
    let mut tx = database::begin(&core.db).await.unwrap();
    attach_api(&mut tx, id, Some(WorkflowApiId::new())).await.unwrap();
    tx.commit().await.unwrap();
}

#[actix::test]
async fn stored_description_is_sanitized_when_read() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let stored = workflow(ada).description("<p onclick=\"x()\">old</p>").insert(&core.db).await;
    assert_eq!(find(&core, &Caller::customer(ada), stored.id).await.unwrap().description, "<p>old</p>");
    let listed = mine(&core, &Caller::customer(ada), page_at(None, 10)).await.unwrap();
    assert_eq!(listed.items[0].description, "<p>old</p>");
}

#[actix::test]
async fn copy_is_private_and_belongs_to_the_caller() {
    let core = TestCore::new().await;
    let original = workflow(UserId::new()).published(core.clock.now()).counts(3, 4).insert(&core.db).await;
    let bob = Caller::customer(UserId::new());
    let copied = copy(&core, &bob, original.id, Some("  ")).await.unwrap();
    assert_eq!(copied.name, "Copy of A small picture");
    assert_eq!((copied.user, copied.is_private, copied.like_count), (bob.user.unwrap(), true, 0));
    let (ours, theirs) = (graph(&core, &copied).await.unwrap(), graph(&core, &original).await.unwrap());
    assert_eq!(ours, theirs);
    assert_eq!(copy(&core, &bob, original.id, Some("Mine")).await.unwrap().name, "Mine");
}

#[actix::test]
async fn publishing_several_is_all_or_nothing() {
    let core = TestCore::new().await;
    let ada = UserId::new();
    let (mine, other) = (workflow(ada).insert(&core.db).await, workflow(UserId::new()).insert(&core.db).await);
    let caller = Caller::customer(ada);
    assert!(set_private(&core, &caller, &[mine.id, other.id], false).await.is_err());
    assert!(find(&core, &caller, mine.id).await.unwrap().is_private, "half of a refused change was kept");
    let changed = set_private(&core, &caller, &[mine.id, mine.id], false).await.unwrap();
    assert_eq!(changed.len(), 1);
    assert!(find(&core, &Caller::guest(), mine.id).await.is_ok());
}
