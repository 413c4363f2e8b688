//! Versions on a real database.

use chrono::Duration;
use serde_json::json;

use super::*;
use crate::Code;
use crate::ids::UserId;
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::workflows::{graph, workflow};

fn drawn(nodes: usize) -> NewGraph {
    NewGraph { ui: Some(JsonText::of(&json!({ "nodes": vec![json!({}); nodes], "links": [] }))), prompt: None }
}

async fn save(core: &TestCore, caller: &Caller, id: WorkflowId, nodes: usize, base: Option<i32>) -> Result<Workflow> {
    core.clock.advance(Duration::minutes(1));
    let changes = WorkflowChanges { graph: Some(drawn(nodes)), base_version: base, ..WorkflowChanges::default() };
    update(core, caller, id, changes).await
}

fn numbers(page: &Page<WorkflowVersion>) -> Vec<i32> {
    page.items.iter().map(|item| item.version).collect()
}

#[actix::test]
async fn each_save_is_a_version_and_the_list_is_read_in_pages() {
    let core = TestCore::new().await;
    let ada = Caller::customer(user().insert(&core.db).await);
    let id = workflow(ada.user.unwrap()).insert(&core.db).await.id;
    for nodes in 1..=4 {
        save(&core, &ada, id, nodes, None).await.unwrap();
    }
    let page = |cursor| versions(&core, &ada, id, ListQuery::at((), cursor, 2));
    let first = page(None).await.unwrap();
    assert_eq!((numbers(&first), first.next_cursor.as_deref()), (vec![5, 4], Some("4")));
    assert_eq!(first.items[0].created_at, core.clock.now());
    assert!(first.items[0].size_bytes > first.items[1].size_bytes, "the size of another version");
    let second = page(first.next_cursor.as_deref()).await.unwrap();
    let third = page(second.next_cursor.as_deref()).await.unwrap();
    assert_eq!((numbers(&second), numbers(&third), third.next_cursor), (vec![3, 2], vec![1], None));
    for wrong in ["x", "0", "-1"] {
        assert_eq!(page(Some(wrong)).await.unwrap_err().code(), Code::ValidationFailed, "{wrong}");
    }
    let (_, old) = version_graph(&core, &ada, id, 3).await.unwrap();
    assert_eq!(old.ui, drawn(2).ui);
    assert!(matches!(version_graph(&core, &ada, id, 9).await, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn restored_version_is_saved_as_the_latest() {
    let core = TestCore::new().await;
    let ada = Caller::customer(user().insert(&core.db).await);
    let id = workflow(ada.user.unwrap()).insert(&core.db).await.id;
    save(&core, &ada, id, 1, None).await.unwrap();
    let original = version_graph(&core, &ada, id, 1).await.unwrap().1;
    let stale = restore_version(&core, &ada, id, 1, Some(1)).await;
    assert_eq!(stale.unwrap_err().code(), Code::WorkflowChanged);
    assert_eq!(restore_version(&core, &ada, id, 1, Some(2)).await.unwrap().version, 3);
    let restored = find(&core, &ada, id).await.unwrap();
    assert_eq!(graph(&core, &restored).await.unwrap(), original);
    assert_eq!(version_graph(&core, &ada, id, 2).await.unwrap().1.ui, drawn(1).ui, "an earlier version was changed");
}

#[actix::test]
async fn later_save_of_a_stale_page_is_refused() {
    let core = TestCore::new().await;
    let ada = Caller::customer(user().insert(&core.db).await);
    let id = workflow(ada.user.unwrap()).insert(&core.db).await.id;
    assert_eq!(save(&core, &ada, id, 1, Some(1)).await.unwrap().version, 2);
    assert_eq!(save(&core, &ada, id, 2, Some(1)).await.unwrap_err().code(), Code::WorkflowChanged);
    assert_eq!(version_graph(&core, &ada, id, 2).await.unwrap().1.ui, drawn(1).ui);
    assert_eq!(save(&core, &ada, id, 2, Some(2)).await.unwrap().version, 3);
}

#[actix::test]
async fn only_author_and_admins_see_versions() {
    let core = TestCore::new().await;
    let (ada, bob) = (UserId::new(), Caller::customer(UserId::new()));
    let open = workflow(ada).published(core.clock.now()).insert(&core.db).await.id;
    let hidden = workflow(ada).insert(&core.db).await.id;
    let all = ListQuery::at((), None, 10);
    for (caller, id, expected) in [
        (&bob, open, Code::Forbidden),
        (&bob, hidden, Code::NotFound),
        (&Caller::guest(), open, Code::AuthLoginRequired),
    ] {
        assert_eq!(versions(&core, caller, id, all).await.unwrap_err().code(), expected);
        assert_eq!(version_graph(&core, caller, id, 1).await.unwrap_err().code(), expected);
        assert_eq!(restore_version(&core, caller, id, 1, None).await.unwrap_err().code(), expected);
    }
    let admin = Caller { admin: true, ..Caller::customer(UserId::new()) };
    assert_eq!(numbers(&versions(&core, &admin, hidden, all).await.unwrap()), [1]);
}
