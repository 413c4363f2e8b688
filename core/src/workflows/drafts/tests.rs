//! Drafts on a real database.

use serde_json::json;

use super::*;
use crate::graph::JsonText;
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::workflows::{self, NewGraph, WorkflowChanges, workflow};

async fn customer(core: &TestCore) -> Caller {
    Caller::customer(user().insert(&core.db).await)
}

fn new(page: &str, known: Option<Uuid>, nodes: usize) -> NewDraft {
    let ui = JsonText::of(&json!({ "nodes": vec![json!({}); nodes], "links": [] }));
    NewDraft { name: "Silk".into(), ui, base_version: None, page: page.into(), known }
}

fn code_of<T: std::fmt::Debug>(result: Result<T>) -> Code {
    result.expect_err("a refusal").code()
}

#[actix::test]
async fn draft_is_kept_for_each_user_and_workflow() {
    let core = TestCore::new().await;
    let (ada, bob) = (customer(&core).await, customer(&core).await);
    let now = core.clock.now();
    let own = workflow(ada.user.unwrap()).published(now).insert(&core.db).await.id;
    assert_eq!(draft(&core, &ada, Some(own)).await.unwrap(), None);
    save_draft(&core, &ada, Some(own), new("a", None, 1)).await.unwrap();
    save_draft(&core, &bob, Some(own), new("b", None, 2)).await.unwrap();
    save_draft(&core, &ada, None, new("a", None, 3)).await.unwrap();
    for (caller, id, nodes) in [(&ada, Some(own), 1), (&bob, Some(own), 2), (&ada, None, 3)] {
        let stored = draft(&core, caller, id).await.unwrap().expect("a draft");
        assert_eq!(stored.ui, new("a", None, nodes).ui, "a draft of another user or workflow is shown");
        assert_eq!(stored.name, "Silk");
    }
    assert_eq!(draft(&core, &bob, None).await.unwrap(), None);
    let first = drafts_after(&core, &ada, None, 1).await.unwrap();
    let rest = drafts_after(&core, &ada, first.first().map(|(_, draft)| draft.revision), 9).await.unwrap();
    let ids: Vec<_> = first.iter().chain(&rest).map(|(id, _)| *id).collect();
    assert_eq!(ids, [Some(own), None], "the list has other drafts");
    delete_draft(&core, &ada, Some(own)).await.unwrap();
    assert_eq!(draft(&core, &ada, Some(own)).await.unwrap(), None);
    assert!(draft(&core, &bob, Some(own)).await.unwrap().is_some(), "another user's draft was deleted");
    forget_drafts(&core, bob.user.unwrap()).await.unwrap();
    assert_eq!(draft(&core, &bob, Some(own)).await.unwrap(), None);
}

#[actix::test]
async fn stored_draft_keeps_digits_and_the_order_of_keys() {
    let core = TestCore::new().await;
    let ada = customer(&core).await;
    let text = r#"{"nodes":[{"id":9,"seed":18446744073709551615,"cfg":7.50}],"links":[],"a":1}"#;
    let ui = JsonText::from(serde_json::value::RawValue::from_string(text.to_owned()).unwrap());
    save_draft(&core, &ada, None, NewDraft { ui, ..new("a", None, 0) }).await.unwrap();
    assert_eq!(draft(&core, &ada, None).await.unwrap().unwrap().ui.as_str(), text);
}

#[actix::test]
async fn page_replaces_only_a_draft_that_it_knows() {
    let core = TestCore::new().await;
    let ada = customer(&core).await;
    let first = save_draft(&core, &ada, None, new("a", None, 1)).await.unwrap();
    // The page's last answer was lost.
    let second = save_draft(&core, &ada, None, new("a", None, 2)).await.unwrap();
    assert_ne!(first, second);
    assert_eq!(code_of(save_draft(&core, &ada, None, new("b", None, 3)).await), Code::DraftChanged);
    assert_eq!(code_of(save_draft(&core, &ada, None, new("b", Some(first), 3)).await), Code::DraftChanged);
    assert_eq!(draft(&core, &ada, None).await.unwrap().unwrap().revision, second, "a refused draft was stored");
    let third = save_draft(&core, &ada, None, new("b", Some(second), 3)).await.unwrap();
    assert_eq!(code_of(save_draft(&core, &ada, None, new("a", Some(second), 4)).await), Code::DraftChanged);
    assert_eq!(draft(&core, &ada, None).await.unwrap().unwrap().revision, third);
}

#[actix::test]
async fn drafts_of_invisible_workflows_are_refused() {
    let core = TestCore::new().await;
    let (ada, bob) = (customer(&core).await, customer(&core).await);
    let hidden = Some(workflow(ada.user.unwrap()).insert(&core.db).await.id);
    for refused in [
        code_of(draft(&core, &bob, hidden).await),
        code_of(save_draft(&core, &bob, hidden, new("b", None, 1)).await),
        code_of(delete_draft(&core, &bob, hidden).await),
    ] {
        assert_eq!(refused, Code::NotFound);
    }
    assert_eq!(code_of(draft(&core, &Caller::guest(), hidden).await), Code::AuthLoginRequired);
}

#[actix::test]
async fn invalid_drafts_are_refused() {
    let core = TestCore::new().await;
    let ada = customer(&core).await;
    let cases = [
        NewDraft { name: " ".into(), ..new("a", None, 1) },
        NewDraft { ui: JsonText::of(&json!([])), ..new("a", None, 1) },
        NewDraft { base_version: Some(0), ..new("a", None, 1) },
        new(" ", None, 1),
        new(&"a".repeat(65), None, 1),
    ];
    for case in cases {
        assert_eq!(code_of(save_draft(&core, &ada, None, case.clone()).await), Code::ValidationFailed, "{case:?}");
    }
}

#[actix::test]
async fn saved_graph_and_deleted_workflow_delete_the_draft() {
    let core = TestCore::new().await;
    let ada = customer(&core).await;
    let saved = workflow(ada.user.unwrap()).insert(&core.db).await.id;
    let store = |id| save_draft(&core, &ada, Some(id), NewDraft { base_version: Some(1), ..new("a", None, 1) });
    store(saved).await.unwrap();
    let renamed = WorkflowChanges { name: Some("New".into()), ..WorkflowChanges::default() };
    workflows::update(&core, &ada, saved, renamed).await.unwrap();
    assert!(draft(&core, &ada, Some(saved)).await.unwrap().is_some(), "another change deleted the draft");
    let graph = NewGraph { ui: Some(new("a", None, 2).ui), prompt: None };
    let changes = WorkflowChanges { graph: Some(graph), ..WorkflowChanges::default() };
    workflows::update(&core, &ada, saved, changes).await.unwrap();
    assert_eq!(draft(&core, &ada, Some(saved)).await.unwrap(), None);

    store(saved).await.unwrap();
    workflows::delete(&core, &ada, saved).await.unwrap();
    let left = sqlx::query_scalar("SELECT count(*) FROM workflow_drafts").fetch_one(&core.db).await;
    assert_eq!(left.unwrap_or(-1_i64), 0, "the draft of a deleted workflow is left");
}

#[actix::test]
async fn oldest_draft_makes_place() {
    let core = TestCore::new().await;
    let ada = customer(&core).await;
    let mut ids = Vec::new();
    for _ in 0..=MAX_DRAFTS {
        core.clock.advance(chrono::Duration::seconds(1));
        let id = workflow(ada.user.unwrap()).insert(&core.db).await.id;
        save_draft(&core, &ada, Some(id), new("a", None, 1)).await.unwrap();
        ids.push(id);
    }
    assert_eq!(draft(&core, &ada, Some(ids[0])).await.unwrap(), None, "no draft made place");
    assert!(draft(&core, &ada, Some(ids[1])).await.unwrap().is_some(), "a newer draft made place");
}
