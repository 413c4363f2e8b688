use std::future::pending;

use futures_util::future::LocalBoxFuture;

use super::*;
use crate::testing::TestCore;

fn task(run: for<'a> fn(&'a Core) -> LocalBoxFuture<'a, Result<u64>>) -> UpkeepTask {
    let (every, deadline) = (Duration::from_secs(60), Duration::from_secs(60));
    UpkeepTask { name: "test", by: RunOn::OneNode, every, deadline, batch: Some(10), run, wake_up: None }
}

async fn row(core: &Core, name: &str) -> store::TaskRow {
    let rows = store::all(&core.db).await.expect("rows");
    rows.into_iter().find(|row| row.name == name).expect("a round")
}

#[actix::test]
async fn every_task_completes_a_round_on_an_empty_installation() {
    let core = TestCore::new().await;
    let mut names: Vec<_> = TASKS.iter().map(|task| task.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names, TASKS.map(|task| task.name), "names are unique and sorted");
    for (number, task) in TASKS.iter().enumerate() {
        round(&core, number, task).await.expect("a round");
    }
    for state in list(&core, &Caller::system()).await.expect("tasks") {
        assert_eq!((state.error, state.failures, state.is_running), (None, 0, false), "{}", state.name);
        assert_eq!(state.node, Some(core.node), "{}", state.name);
    }
    assert!(matches!(list(&core, &Caller::guest()).await, Err(Error::LoginRequired)));
    assert!(matches!(run_now(&core, &Caller::system(), "laundry").await, Err(Error::NotFound { .. })));
}

#[actix::test]
async fn failed_or_hanging_round_is_recorded_and_repeated_when_it_is_due() {
    let core = TestCore::new().await;
    let fails = task(|_| Box::pin(async { Err(Error::Internal("out of soap".into())) }));
    let hangs = UpkeepTask { deadline: Duration::from_millis(50), ..task(|_| Box::pin(pending())) };
    for (failures, (task, why)) in (1..).zip([(fails, "soap"), (hangs, "0.05 s"), (fails, "soap")]) {
        assert_eq!(round(&core, 0, &task).await.expect("a row"), task.every);
        let row = row(&core, "test").await;
        assert_eq!((row.failures, row.lease_until), (failures, None));
        assert!(row.error.as_ref().is_some_and(|error| error.contains(why)), "{row:?}");
        core.clock.advance(TimeDelta::seconds(60));
    }
    let goes = task(|_| Box::pin(async { Ok(3) }));
    round(&core, 0, &goes).await.expect("a row");
    let row = row(&core, "test").await;
    assert_eq!((row.failures, row.error, row.done), (0, None, 3));
}

#[actix::test]
async fn one_node_does_a_round_and_another_takes_over_an_expired_lease() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let goes = task(|_| Box::pin(async { Ok(1) }));
    assert_eq!(round(&core, 0, &goes).await.expect("a round"), goes.every);
    core.clock.advance(TimeDelta::seconds(20));
    assert_eq!(round(&other, 0, &goes).await.expect("a look"), Duration::from_secs(40), "it is not due");
    assert_eq!(row(&core, "test").await.node_id, core.node.0);

    core.clock.advance(TimeDelta::seconds(40));
    let (now, soon) = (core.clock.now(), core.clock.now() + TimeDelta::seconds(30));
    assert!(store::claim(&core.db, "test", core.node, now, soon).await.expect("a claim"), "a node that is lost later");
    assert_eq!(round(&other, 0, &goes).await.expect("a look"), Duration::from_secs(30), "the lease is taken");
    core.clock.advance(TimeDelta::seconds(30));
    round(&other, 0, &goes).await.expect("a round");
    assert_eq!(row(&core, "test").await.node_id, other.node.0);
}

#[actix::test]
async fn round_that_panicked_frees_its_lease_at_once() {
    let core = TestCore::new().await;
    let now = core.clock.now();
    assert!(store::claim(&core.db, "test", core.node, now, now + TimeDelta::hours(1)).await.expect("a claim"));
    store::give_up(&core.db, "test", core.node, now, "it panicked").await.expect("a row");
    let goes = task(|_| Box::pin(async { Ok(1) }));
    assert_eq!(row(&core, "test").await.failures, 1);
    round(&core, 0, &goes).await.expect("a round");
    assert_eq!((row(&core, "test").await.done, row(&core, "test").await.failures), (1, 0));
}

#[actix::test]
async fn full_round_and_requested_round_are_followed_by_another() {
    let core = TestCore::new().await;
    let full = task(|_| Box::pin(async { Ok(10) }));
    assert_eq!(round(&core, 0, &full).await.expect("a round"), SOON);
    core.clock.advance(TimeDelta::seconds(1));
    let last = task(|_| Box::pin(async { Ok(9) }));
    assert_eq!(round(&core, 0, &last).await.expect("a round"), last.every);
    let mut connection = core.db.acquire().await.expect("a connection");
    store::make_due(&mut connection, "test", core.clock.now()).await.expect("a row");
    assert_eq!(round(&core, 0, &full).await.expect("a round"), SOON, "requested before it is due");

    // Requested during a round.
    core.clock.advance(TimeDelta::seconds(60));
    let asks = task(|core| {
        Box::pin(async move {
            core.clock.advance(TimeDelta::milliseconds(5));
            store::make_due(&mut *core.db.acquire().await?, "test", core.clock.now()).await?;
            Ok(1)
        })
    });
    assert_eq!(round(&core, 0, &asks).await.expect("a round"), Duration::ZERO);
}
