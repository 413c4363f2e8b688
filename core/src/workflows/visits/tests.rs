//! Views, launches and runs.

use chrono::Duration;

use crate::ids::JobId;
use crate::testing::TestCore;
use crate::users::RequestOrigin;
use crate::visits;
use crate::workflows::tests::customer;
use crate::workflows::*;

#[actix::test]
async fn visits_count_once_per_viewer_and_day() {
    let core = TestCore::new().await;
    let owner = customer(&core, "Free").await;
    let bob = customer(&core, "Free").await;
    let post = workflow(owner.user.unwrap()).published(core.clock.now()).insert(&core.db).await;
    let from = |address: &str, agent: &str| RequestOrigin {
        address: Some(address.parse().unwrap()),
        user_agent: Some(agent.to_owned()),
    };
    let guest = Caller::guest();
    let look = async |core: &Core| {
        for _ in 0..3 {
            visit(core, &guest, &from("192.0.2.1", "a"), &post, Visit::View).await;
            visit(core, &guest, &from("192.0.2.1", "b"), &post, Visit::View).await;
            visit(core, &guest, &from("192.0.2.2", "a"), &post, Visit::View).await;
            visit(core, &bob, &from("192.0.2.1", "a"), &post, Visit::View).await;
            visit(core, &bob, &from("198.51.100.7", "c"), &post, Visit::Launch).await;
            visit(core, &owner, &from("192.0.2.3", "a"), &post, Visit::View).await;
            visit(core, &guest, &RequestOrigin::default(), &post, Visit::View).await;
        }
        settle_visits(core).await.unwrap();
    };
    let counts = async || {
        let now = find(&core, &guest, post.id).await.unwrap();
        (now.view_count, now.launch_count)
    };
    look(&core).await;
    assert_eq!(counts().await, (3, 1), "two browsers at one address are one visitor");
    look(&core).await;
    assert_eq!(counts().await, (3, 1), "a reload was counted");
    look(&core.another("beside")).await;
    assert_eq!(counts().await, (3, 1), "another node counted the same people again");
    core.clock.advance(Duration::days(1));
    look(&core).await;
    assert_eq!(counts().await, (6, 2));
    // Of a mini app, each finished run counts once, and no launch.
    let app = Workflow { workflow_api: Some(WorkflowApiId::new()), ..post.clone() };
    visit(&core, &customer(&core, "Free").await, &from("198.51.100.8", "a"), &app, Visit::Launch).await;
    for job in [JobId::new(), JobId::new(), JobId::new()] {
        note_run(&core, bob.user.unwrap(), owner.user.unwrap(), post.id, job);
        note_run(&core, bob.user.unwrap(), owner.user.unwrap(), post.id, job);
        note_run(&core, owner.user.unwrap(), owner.user.unwrap(), post.id, JobId::new());
    }
    settle_visits(&core).await.unwrap();
    assert_eq!(counts().await, (6, 5));
    core.clock.advance(Duration::days(2));
    visits::delete_old(&core).await.unwrap();
    let left = core.database.count("SELECT count(*) FROM visits").await;
    let salts = core.database.count("SELECT count(*) FROM visit_salts").await;
    assert_eq!((left, salts), (0, 0), "who came was kept");
}
