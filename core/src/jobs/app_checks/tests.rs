use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::Duration;
use serde_json::{Value, json};

use super::*;
use crate::Caller;
use crate::fleet::{self, Capabilities, WorkerState};
use crate::graph::NodeDefinitions;
use crate::ids::WorkerId;
use crate::jobs::tests::worker;
use crate::list::ListQuery;
use crate::mini_apps::{self, InputEntry, MiniApp, Missing, NewMiniApp, OutputEntry, describe_input, describe_output};
use crate::notifications::{self, NotificationKind};
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::workflows::{self, AppFilter, WorkflowOrder};

const CLASSES: &str = include_str!("../../../tests/data/graph/v0.3.64/object_info.json");
const BOTH: [&str; 2] = ["EmptyImage", "SaveImage"];

fn definitions() -> NodeDefinitions {
    NodeDefinitions::from_object_info(&serde_json::from_str(CLASSES).expect("classes"))
}

async fn save(core: &TestCore, owner: &Caller, workflow: &workflows::Workflow) -> MiniApp {
    let (definitions, prompt) = (definitions(), workflows::graph(core, workflow).await.expect("a graph").prompt);
    let prompt = prompt.expect("a prompt");
    let input = InputEntry { order: 1, ..describe_input(&definitions, &prompt, "1", "width").expect("an input") };
    let output = OutputEntry { order: 1, ..describe_output(&definitions, &prompt, "2").expect("an output") };
    let (inputs, outputs) = ([("1.width".to_owned(), input)], [("2".to_owned(), output)]);
    let (inputs, outputs) = (inputs.into_iter().collect(), outputs.into_iter().collect());
    let new = NewMiniApp { workflow: workflow.id, inputs, outputs };
    mini_apps::save(core, owner, &definitions, new).await.expect("a mini app")
}

/// Gives a worker these node classes.
async fn set_classes(core: &TestCore, worker: WorkerId, classes: &[&str], state: WorkerState) {
    let info: Value = classes.iter().map(|class| ((*class).to_owned(), json!({ "output_node": true }))).collect();
    let definitions = Arc::new(NodeDefinitions::from_object_info(&info));
    let capabilities = Some(Arc::new(Capabilities::new(None, definitions, BTreeMap::new())));
    fleet::factory::report(core, worker, state, capabilities).await;
}

/// Checks the app, and returns what its view shows.
async fn checked(core: &TestCore, app: &MiniApp) -> (Option<bool>, Vec<String>) {
    check_app(core, app.id, app.version).await.expect("a look");
    let (seen, _) = mini_apps::find(core, &Caller::system(), &definitions(), app.id).await.expect("an app");
    assert_eq!(seen.checked_at, Some(core.clock.now()));
    (seen.workflow.app.works, seen.missing.unwrap_or_default().classes)
}

#[actix::test]
async fn author_is_notified_once_when_no_worker_can_run_an_app_any_more() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    let owner = Caller::customer(ann);
    let workflow = workflows::workflow(ann).published(core.clock.now()).insert(&core.db).await;
    let app = save(&core, &owner, &workflow).await;
    let notifications = async || {
        let bell = notifications::page(
            &core,
            &owner,
            Some(NotificationKind::Notice),
            0,
            100,
            notifications::NotificationOrder::Newest,
        )
        .await;
        (bell.expect("a box").items.len(), core.mails().await.len())
    };
    let lists = async |works| {
        let filter = AppFilter { works: Some(works), ..AppFilter::default() };
        mini_apps::published(&core, ListQuery::at(filter, None, 10).sorted(WorkflowOrder::Newest))
            .await
            .expect("a list")
            .items
            .len()
    };
    assert_eq!(checked(&core, &app).await, (None, vec![]), "no worker is connected");
    let id = worker(&core, "cpu", &["SaveImage"], Some(WorkerState::Idle), false).await;
    assert_eq!(checked(&core, &app).await, (Some(false), vec!["EmptyImage".to_owned()]));
    assert_eq!((notifications().await, lists(true).await, lists(false).await), ((0, 0), 0, 1), "it has never worked");

    for times in 1..=2 {
        set_classes(&core, id, &BOTH, WorkerState::Idle).await;
        assert_eq!(checked(&core, &app).await, (Some(true), vec![]));
        assert_eq!((lists(true).await, lists(false).await), (1, 0));
        set_classes(&core, id, &["SaveImage"], WorkerState::Idle).await;
        for _ in 0..2 {
            assert_eq!(checked(&core, &app).await.0, Some(false));
            assert_eq!(notifications().await, (times, times), "once each time that it stops working");
            core.clock.advance(Duration::minutes(1));
        }
    }
    set_classes(&core, id, &BOTH, WorkerState::Idle).await;
    assert_eq!(checked(&core, &app).await.0, Some(true));
    let again = save(&core, &owner, &workflow).await;
    let (seen, _) = mini_apps::find(&core, &owner, &definitions(), again.id).await.expect("an app");
    assert_eq!((seen.workflow.app.works, seen.checked_at), (None, None), "a new version is not checked yet");
    check_app(&core, app.id, app.version).await.expect("a look at what was replaced");
    let (seen, _) = mini_apps::find(&core, &owner, &definitions(), again.id).await.expect("an app");
    assert_eq!(
        (seen.workflow.app.works, seen.checked_at),
        (None, None),
        "a check of the old version counts for the new one"
    );
}

#[actix::test]
async fn app_whose_workers_are_disconnected_does_not_count_as_broken() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    let workflow = workflows::workflow(ann).insert(&core.db).await;
    let app = save(&core, &Caller::customer(ann), &workflow).await;
    let able = worker(&core, "cpu", &BOTH, Some(WorkerState::Idle), false).await;
    worker(&core, "cpu", &["SaveImage"], Some(WorkerState::Idle), false).await;
    assert_eq!(checked(&core, &app).await.0, Some(true));
    set_classes(&core, able, &BOTH, WorkerState::Connecting).await;
    assert_eq!(checked(&core, &app).await, (None, vec![]));
    assert_eq!(core.mails().await.len(), 0);
}

#[actix::test]
async fn two_checks_at_once_notify_the_author_once() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    let workflow = workflows::workflow(ann).published(core.clock.now()).insert(&core.db).await;
    let app = save(&core, &Caller::customer(ann), &workflow).await;
    worker(&core, "cpu", &BOTH, Some(WorkerState::Idle), false).await;
    assert_eq!(checked(&core, &app).await.0, Some(true));
    let fleet = mini_apps::note_fleet(&core, "a fleet").await.expect("a number");
    // Both have read the app before either writes.
    let due = mini_apps::app_for_check(&core, app.id, app.version).await.expect("a read").expect("an app");
    let missing = Missing { classes: vec!["EmptyImage".to_owned()], ..Missing::default() };
    let found = [(due, AppVerdict::No(missing))];
    for _ in 0..2 {
        mini_apps::record_verdicts(&core, fleet, &found).await.expect("results");
        assert_eq!(core.mails().await.len(), 1);
    }
}

#[actix::test]
async fn apps_are_checked_each_day_and_broken_ones_each_hour() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    for _ in 0..2 {
        let workflow = workflows::workflow(ann).insert(&core.db).await;
        save(&core, &Caller::customer(ann), &workflow).await;
    }
    let id = worker(&core, "cpu", &BOTH, Some(WorkerState::Idle), false).await;
    let looks = async || check_apps(&core).await.expect("a round");
    assert_eq!((looks().await, looks().await), (2, 0));
    core.clock.advance(Duration::hours(23));
    assert_eq!(looks().await, 0);
    core.clock.advance(Duration::hours(1));
    set_classes(&core, id, &["SaveImage"], WorkerState::Idle).await;
    assert_eq!((looks().await, looks().await), (2, 0));
    core.clock.advance(Duration::hours(1));
    assert_eq!(looks().await, 2);
}

#[actix::test]
async fn change_of_the_fleet_makes_all_apps_due_at_once() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    for _ in 0..3 {
        let workflow = workflows::workflow(ann).insert(&core.db).await;
        save(&core, &Caller::customer(ann), &workflow).await;
    }
    let id = worker(&core, "cpu", &BOTH, Some(WorkerState::Idle), false).await;
    let looks = async || check_apps(&core).await.expect("a round");
    let working = async || {
        let count = "SELECT count(*) FROM workflows WHERE app_works";
        sqlx::query_scalar::<_, i64>(count).fetch_one(&core.db).await.expect("a count")
    };
    assert_eq!((looks().await, working().await, looks().await), (3, 3, 0));

    core.clock.advance(Duration::minutes(1));
    let changes = core.fleet.roster().changes().notified();
    worker(&core, "cpu", &BOTH, Some(WorkerState::Idle), false).await;
    tokio::time::timeout(std::time::Duration::from_secs(30), changes).await.expect("a wake-up of the checks");
    assert_eq!(looks().await, 0, "a second equal worker offers nothing else");

    set_classes(&core, id, &["SaveImage"], WorkerState::Idle).await;
    assert_eq!((looks().await, working().await), (3, 3), "the other worker still has everything");
    set_classes(&core, id, &["SaveImage", "EmptyImage", "Third"], WorkerState::Idle).await;
    assert_eq!(looks().await, 0, "two changes within ten seconds are one");
    core.clock.advance(Duration::seconds(10));
    assert_eq!((looks().await, looks().await), (3, 0));
}

#[actix::test]
async fn saved_and_deleted_apps_of_a_round_are_left_out() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    let owner = Caller::customer(ann);
    let mut apps = Vec::new();
    for _ in 0..3 {
        let workflow = workflows::workflow(ann).insert(&core.db).await;
        apps.push(save(&core, &owner, &workflow).await);
    }
    worker(&core, "cpu", &BOTH, Some(WorkerState::Idle), false).await;
    let fleet = mini_apps::note_fleet(&core, "a fleet").await.expect("a number");
    let due = mini_apps::due_for_check(&core, fleet, 10).await.expect("apps");
    assert_eq!(due.len(), 3);
    let again = save(&core, &owner, &apps[0].workflow).await;
    mini_apps::delete(&core, &owner, apps[1].id).await.expect("a deletion");
    let found: Vec<_> = due.into_iter().map(|app| (app, AppVerdict::Yes)).collect();
    mini_apps::record_verdicts(&core, fleet, &found).await.expect("results");
    let works =
        async |app: &MiniApp| workflows::find(&core, &owner, app.workflow.id).await.expect("a workflow").app.works;
    assert_eq!([works(&apps[0]).await, works(&apps[1]).await, works(&apps[2]).await], [None, None, Some(true)]);
    let due = mini_apps::due_for_check(&core, fleet, 10).await.expect("apps");
    assert_eq!(due.iter().map(|app| app.version).collect::<Vec<_>>(), [again.version]);
}

#[actix::test]
async fn unreadable_version_does_not_stop_the_round() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    let mut apps = Vec::new();
    for _ in 0..2 {
        let workflow = workflows::workflow(ann).insert(&core.db).await;
        apps.push(save(&core, &Caller::customer(ann), &workflow).await);
    }
    worker(&core, "cpu", &BOTH, Some(WorkerState::Idle), false).await;
    sqlx::query("UPDATE workflow_api_versions SET template = '[]' WHERE id = $1")
        .bind(apps[0].version.0)
        .execute(&core.db)
        .await
        .expect("a broken row");
    assert_eq!(check_apps(&core).await.expect("a round"), 2);
    let works = async |app: &MiniApp| {
        let find = workflows::find(&core, &Caller::customer(ann), app.workflow.id).await;
        find.expect("a workflow").app.works
    };
    assert_eq!([works(&apps[0]).await, works(&apps[1]).await], [None, Some(true)]);
}
