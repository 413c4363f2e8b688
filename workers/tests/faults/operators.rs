//! Workers that operators drain, pause, remove or move.

use verdigraph_core::fleet::{FleetCommand, WorkerConfig, WorkerSpec, WorkerState};
use verdigraph_scripted::{Options, Scripted, Step};

use crate::harness::one_picture;
use crate::stage::{Stage, bounded, name, picture};

#[actix::test]
async fn draining_worker_finishes_its_job_and_takes_no_other() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.command(FleetCommand::Add(WorkerSpec { draining: true, ..stage.wanted() }));
    stage.is(WorkerState::Draining).await;
    stage.server.release();
    assert_eq!(name(&stage.last(job).await), "Finished");
    let refused = stage.assign(picture(), Vec::new());
    assert_eq!(name(&stage.last(refused).await), "Unreachable");
    stage.command(FleetCommand::Add(stage.wanted()));
    stage.works().await;
}

#[actix::test]
async fn paused_worker_stays_connected_and_resumes() {
    let mut stage = Stage::open().await;
    let config = WorkerConfig { paused: true, ..stage.wanted().config };
    stage.command(FleetCommand::Add(WorkerSpec { config, ..stage.wanted() }));
    stage.is(WorkerState::Paused).await;
    let refused = stage.assign(picture(), Vec::new());
    assert_eq!(name(&stage.last(refused).await), "Unreachable");
    assert_eq!(stage.server.count("socket closed"), 0);
    stage.command(FleetCommand::Add(stage.wanted()));
    stage.works().await;
}

#[actix::test]
async fn removed_worker_loses_its_job_and_stops_the_prompt() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.command(FleetCommand::Remove(stage.worker));
    assert_eq!(name(&stage.last(job).await), "Lost");
    stage.is(WorkerState::Gone).await;
    bounded("the server", stage.server.heard("POST /interrupt", 1)).await;
    bounded("the server", stage.server.heard("socket closed", 1)).await;
    stage.command(FleetCommand::Add(stage.wanted()));
    stage.works().await;
}

#[actix::test]
async fn changed_address_reconnects() {
    let mut stage = Stage::open().await;
    let other = Scripted::start(Options { version: "0.3.64".into(), ..Options::default() }).unwrap();
    let mut wanted = stage.wanted();
    wanted.config.url = other.url();
    stage.command(FleetCommand::Add(wanted));
    bounded("the server", stage.server.heard("socket closed", 1)).await;
    bounded("the server", other.heard("socket opened", 1)).await;
    stage.server = other;
    let at_the_new_one = |changed: &verdigraph_core::fleet::WorkerChanged| {
        changed.state == WorkerState::Idle
            && changed.capabilities.as_ref().is_some_and(|capable| capable.version.as_deref() == Some("0.3.64"))
    };
    stage.until("moved", at_the_new_one).await;
    stage.works().await;
}
