//! Mini apps that operators bind to the addresses of simple apps.

use uuid::Uuid;

use super::*;
use crate::audit::AuditFilter;
use crate::clock::Clock;
use crate::ids::{UserId, WorkerId, WorkflowApiId};

const ADDRESS: SimpleAppAddress = SimpleAppAddress::BackgroundRemover;
const CHECKPOINT: (&str, &str) = ("checkpoints", "v1-5-pruned-emaonly.safetensors");
/// Its model cuts out what words name.
const CUTTER: (&str, &str) = ("checkpoints", "sam3.1_multiplex.safetensors");

async fn shown(core: &TestCore) -> (SimpleAppState, Option<WorkflowId>) {
    let app = simple_app(core, &Caller::guest(), ADDRESS).await.expect("an answer");
    (app.state, app.workflow.map(|workflow| workflow.id))
}

/// A published app of the generators for a task.
async fn app_for(core: &TestCore, task: Task) -> (WorkflowId, WorkflowApiId) {
    let apps = live_apps(core, &Caller::guest()).await.expect("a list");
    let (_, workflow) = apps.into_iter().find(|(other, _)| *other == task).expect("an app");
    (workflow.id, workflow.workflow_api.expect("a mini app"))
}

/// Connects a worker, and makes what it can run.
async fn connect(core: &TestCore, pool: &str, can: Arc<Capabilities>) -> WorkerId {
    let id = worker(core, pool, &can, false).await;
    report(core, id, WorkerState::Idle, Some(can)).await;
    refresh(core).await.expect("a round");
    id
}

async fn set_private(core: &TestCore, id: WorkflowId, is_private: bool) {
    let house = users::house(core).await.expect("the platform's account");
    let changes = WorkflowChanges { is_private: Some(is_private), ..WorkflowChanges::default() };
    workflows::update(core, &house, id, changes).await.expect("changed");
}

#[actix::test]
async fn bound_app_stands_at_its_address_until_it_is_hidden_or_unbound() {
    let core = TestCore::new().await;
    let admin = Caller::system();
    let worker = connect(&core, "cpu", capabilities(OLD, &[CHECKPOINT])).await;
    let (workflow, app) = app_for(&core, Task::ImageToImage).await;
    assert_eq!(shown(&core).await, (SimpleAppState::Unbound, None));

    bind_simple_app(&core, &admin, ADDRESS, Some(app)).await.expect("bound");
    assert_eq!(shown(&core).await, (SimpleAppState::Ready, Some(workflow)));
    let bindings = simple_app_bindings(&core, &admin).await.expect("a list");
    let bound: Vec<_> = bindings.iter().map(|binding| (binding.address, binding.bound)).collect();
    let others = [SimpleAppAddress::FaceSwap, SimpleAppAddress::ImageToPrompt].map(|address| (address, None));
    assert_eq!(bound, [(ADDRESS, Some(app)), others[0], others[1]]);

    report(&core, worker, WorkerState::Connecting, None).await;
    assert_eq!(shown(&core).await, (SimpleAppState::Waiting, Some(workflow)));
    set_private(&core, workflow, true).await;
    assert_eq!(shown(&core).await.1, None, "a hidden post is not shown");
    set_private(&core, workflow, false).await;
    assert_eq!(shown(&core).await.1, Some(workflow));

    for _ in 0..2 {
        bind_simple_app(&core, &admin, ADDRESS, None).await.expect("unbound");
        assert_eq!(shown(&core).await, (SimpleAppState::Unbound, None));
    }
    let filter = AuditFilter { action: Some(Action::SimpleAppBind), ..AuditFilter::default() };
    let entries = audit::entries(&core, &admin, filter, None, 10).await.expect("entries");
    let apps: Vec<_> = entries.iter().map(|entry| entry.act.after["workflowApi"].clone()).collect();
    assert_eq!(apps, [Value::Null, json!(app.0)], "each change is recorded once");
}

#[actix::test]
async fn bound_app_of_a_deleted_workflow_leaves_the_address_to_the_generators() {
    let core = TestCore::new().await;
    connect(&core, "cpu", capabilities(NEW, &[CUTTER, CHECKPOINT])).await;
    let (remover, _) = app_for(&core, Task::RemoveBackground).await;
    let (bound, app) = app_for(&core, Task::ImageToImage).await;
    bind_simple_app(&core, &Caller::system(), ADDRESS, Some(app)).await.expect("bound");
    assert_eq!(shown(&core).await, (SimpleAppState::Ready, Some(bound)));
    let house = users::house(&core).await.expect("the platform's account");
    workflows::delete(&core, &house, bound).await.expect("deleted");
    assert_eq!(shown(&core).await, (SimpleAppState::Ready, Some(remover)));
}

#[actix::test]
async fn binding_is_refused_for_other_callers_and_for_apps_without_a_picture() {
    let core = TestCore::new().await;
    connect(&core, "cpu", capabilities(OLD, &[CHECKPOINT])).await;
    let (_, drawing) = app_for(&core, Task::TextToImage).await;
    let (hidden, editing) = app_for(&core, Task::ImageToImage).await;
    let bind = async |caller: Caller, app| bind_simple_app(&core, &caller, ADDRESS, Some(app)).await;
    assert!(matches!(bind(Caller::guest(), editing).await, Err(Error::LoginRequired)));
    assert!(matches!(bind(Caller::customer(UserId::new()), editing).await, Err(Error::Forbidden)));
    set_private(&core, hidden, true).await;
    for app in [WorkflowApiId::new(), drawing, editing] {
        assert!(matches!(bind(Caller::system(), app).await, Err(Error::Invalid { .. })), "{app}");
    }
    assert_eq!(shown(&core).await, (SimpleAppState::Unbound, None));
}

#[actix::test]
async fn configured_app_counts_where_no_admin_bound_one_and_a_lost_one_leaves_the_choice_to_generators() {
    let lost = Uuid::from_u128(7);
    let clock = Clock::held(TestCore::start_of_time());
    let core = TestCore::with(clock, |settings| settings.simple_apps.background_remover = Some(lost)).await;
    connect(&core, "cpu", capabilities(NEW, &[CUTTER])).await;
    let bindings = simple_app_bindings(&core, &Caller::system()).await.expect("a list");
    let binding = bindings.first().expect("an address");
    assert_eq!((binding.app(), binding.bound), (Some(WorkflowApiId(lost)), None));
    let (workflow, app) = app_for(&core, Task::RemoveBackground).await;
    assert_eq!(shown(&core).await, (SimpleAppState::Ready, Some(workflow)));
    bind_simple_app(&core, &Caller::system(), ADDRESS, Some(app)).await.expect("bound");
    let bindings = simple_app_bindings(&core, &Caller::system()).await.expect("a list");
    assert_eq!(bindings.first().and_then(SimpleAppBinding::app), Some(app));
}

#[actix::test]
async fn app_that_only_a_pool_of_other_plans_can_run_waits_for_a_user_without_that_pool() {
    let core = TestCore::new().await;
    connect(&core, "pro", capabilities(NEW, &[CUTTER])).await;
    connect(&core, "cpu", capabilities(OLD, &[])).await;
    let (workflow, app) = app_for(&core, Task::RemoveBackground).await;
    let user = Caller::customer(users::factory::user().insert(&core.db).await);
    for bound in [None, Some(app)] {
        bind_simple_app(&core, &Caller::system(), ADDRESS, bound).await.expect("bound");
        assert_eq!(shown(&core).await, (SimpleAppState::Ready, Some(workflow)), "guests see all pools");
        let seen = simple_app(&core, &user, ADDRESS).await.expect("an answer");
        assert_eq!(seen.state, SimpleAppState::Waiting, "{bound:?}");
        assert!(seen.missing.contains(&"SAM3_Detect".to_owned()), "{:?}", seen.missing);
    }
}
