//! Several nodes on one database. Their connections only record the commands.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use actix::{Actor, Context, Handler};
use futures_util::FutureExt as _;
use serde_json::json;

use super::*;
use crate::database;
use crate::graph::{Needs, NodeDefinitions};
use crate::shared::Bucket;
use crate::testing::TestCore;

/// The recorded state of one node's connections.
#[derive(Clone, Default)]
struct Connections {
    wanted: Arc<Mutex<BTreeMap<WorkerId, WorkerSpec>>>,
    /// How many refreshes arrived.
    asked: Arc<Mutex<u32>>,
}

impl Actor for Connections {
    type Context = Context<Self>;
}

impl Handler<FleetCommand> for Connections {
    type Result = ();
    fn handle(&mut self, command: FleetCommand, _: &mut Self::Context) {
        let mut wanted = self.wanted.lock().expect("a lock");
        match command {
            FleetCommand::Add(worker) => drop(wanted.insert(worker.config.id, worker)),
            FleetCommand::Remove(worker) | FleetCommand::Release(worker) => drop(wanted.remove(&worker)),
            FleetCommand::All(all) => {
                *wanted = all.into_iter().map(|worker| (worker.config.id, worker)).collect();
            }
        }
    }
}

impl Handler<Assign> for Connections {
    type Result = ();
    fn handle(&mut self, _: Assign, _: &mut Self::Context) {}
}

impl Handler<Stop> for Connections {
    type Result = ();
    fn handle(&mut self, _: Stop, _: &mut Self::Context) {}
}

impl Handler<Refresh> for Connections {
    type Result = ();
    fn handle(&mut self, _: Refresh, _: &mut Self::Context) {
        *self.asked.lock().expect("a lock") += 1;
    }
}

struct Node {
    core: Core,
    connections: Connections,
    actor: actix::Addr<Connections>,
}

impl Node {
    async fn start(core: Core, workers: &[NewWorker]) -> Self {
        let connections = Connections::default();
        let actor = connections.clone().start();
        core.fleet.connect(actor.clone().recipient());
        start(&core, workers).await.expect("a fleet");
        Self { core, connections, actor }
    }

    async fn reconcile(&self) -> OwnershipChanges {
        reconcile(&self.core).await.expect("a heartbeat")
    }

    /// The names of the workers it is to connect to.
    async fn connected(&self) -> Vec<String> {
        // All earlier commands have been handled.
        self.actor.send(Refresh).await.expect("live connections");
        let wanted = self.connections.wanted.lock().expect("a lock");
        let mut names: Vec<String> = wanted.values().map(|wanted| wanted.config.name.clone()).collect();
        names.sort();
        names
    }

    /// A worker of this node reports that it is idle and has these node classes.
    async fn report_idle(&self, worker: WorkerId, classes: &[&str]) {
        let node = |class: &&str| ((*class).to_owned(), json!({ "input": {}, "output": [], "output_node": true }));
        let info = classes.iter().map(node).collect::<serde_json::Map<_, _>>().into();
        let definitions = Arc::new(NodeDefinitions::from_object_info(&info));
        let capabilities = Some(Arc::new(Capabilities::new(Some("1.0".into()), definitions, BTreeMap::new())));
        let actor = self.actor.clone();
        let link = WorkerLink {
            assign: actor.clone().recipient(),
            stop: actor.clone().recipient(),
            refresh: actor.recipient(),
        };
        let changed = WorkerChanged {
            worker,
            state: WorkerState::Idle,
            reason: None,
            unanswered_for: None,
            fetching: Vec::new(),
            capabilities,
            link,
        };
        self.core.fleet.reports().send(changed).await.expect("a live fleet actor");
    }

    /// How many workers it may send prompts to.
    fn owned(&self) -> usize {
        let owns = ownership_check(&self.core);
        self.core.fleet.roster().views().iter().filter(|view| owns(view.id)).count()
    }

    fn id_of(&self, name: &str) -> WorkerId {
        let views = self.core.fleet.roster().views();
        views.iter().find(|view| view.name == name).expect("a worker of this name").id
    }

    /// Makes its last heartbeat a minute old.
    async fn become_silent(&self) {
        sqlx::query("UPDATE nodes SET heartbeat_at = heartbeat_at - interval '1 minute' WHERE id = $1")
            .bind(self.core.node.0)
            .execute(&self.core.db)
            .await
            .expect("an update");
    }

    /// Makes it appear alive for an hour.
    async fn become_old(&self) {
        sqlx::query("UPDATE nodes SET alive_since = alive_since - interval '1 hour' WHERE id = $1")
            .bind(self.core.node.0)
            .execute(&self.core.db)
            .await
            .expect("an update");
    }
}

fn list(count: usize) -> Vec<NewWorker> {
    let worker = |number| NewWorker {
        name: format!("w{number}"),
        url: format!("http://10.0.0.{number}:8188"),
        pool: "cpu".into(),
        home: None,
    };
    (1..=count).map(worker).collect()
}

fn needs(class: &str) -> Needs {
    Needs::from_value(&json!({ "classes": [class], "models": [] })).expect("needs")
}

/// Reconciles all nodes until nothing moves.
async fn settle(nodes: &[&Node]) {
    for _ in 0..4 {
        for node in nodes {
            node.reconcile().await;
        }
    }
}

#[actix::test]
async fn each_worker_of_a_list_is_connected_by_one_of_three_nodes() {
    let test = TestCore::new().await;
    let workers = list(6);
    let one = Node::start(test.core.clone(), &workers).await;
    assert_eq!(one.connected().await.len(), 6, "the only node");
    let two = Node::start(test.another("two"), &workers).await;
    let three = Node::start(test.another("three"), &workers).await;
    settle(&[&one, &two, &three]).await;
    let mut all = Vec::new();
    for node in [&one, &two, &three] {
        let connected = node.connected().await;
        assert_eq!(connected.len(), 2, "each node has its share: {connected:?}");
        all.extend(connected);
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6, "no worker is connected to twice");
}

#[actix::test]
async fn workers_of_a_silent_node_are_taken_over_and_released_by_it() {
    let test = TestCore::new().await;
    let workers = list(4);
    let lost = Node::start(test.core.clone(), &workers).await;
    let heir = Node::start(test.another("heir"), &workers).await;
    settle(&[&lost, &heir]).await;
    assert_eq!((lost.connected().await.len(), heir.connected().await.len()), (2, 2));

    lost.become_silent().await;
    assert_eq!(heir.reconcile().await, OwnershipChanges::default(), "a node that just started removes no others");
    heir.become_old().await;
    assert_eq!(heir.reconcile().await, OwnershipChanges { taken: 2, removed_nodes: 1 });
    assert_eq!(heir.connected().await.len(), 4);

    lost.reconcile().await;
    let (kept, inherited) = (lost.connected().await, heir.connected().await);
    assert!(kept.iter().all(|worker| !inherited.contains(worker)), "{kept:?} and {inherited:?}");
    assert!(has_lease(&lost.core));
    assert_eq!(lost.owned(), kept.len(), "its new lease does not cover the workers that it has lost");
    settle(&[&lost, &heir]).await;
    assert_eq!((lost.connected().await.len(), heir.connected().await.len()), (2, 2), "it takes its share again");
}

#[actix::test]
async fn nodes_without_redis_each_grant_their_part_of_a_bucket() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &[]).await;
    let two = Node::start(test.another_without_redis("two"), &[]).await;
    settle(&[&one, &two]).await;
    let bucket = Bucket::per_minute(1, 8);
    for node in [&one, &two] {
        assert_eq!(node.core.fleet.living_nodes(), 2);
        let left = node.core.shared.take("k", bucket).await.expect("it is full");
        assert_eq!((left.burst, left.remaining), (4, 3), "each gives half");
    }
    leave(&two.core).await.expect("it leaves");
    one.reconcile().await;
    assert_eq!(
        one.core.shared.take("l", bucket).await.expect("it is full").burst,
        8,
        "a single node grants the whole bucket"
    );
}

#[actix::test]
async fn node_that_was_silent_itself_removes_no_silent_nodes() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(2)).await;
    let two = Node::start(test.another("two"), &[]).await;
    settle(&[&one, &two]).await;
    one.become_old().await;
    two.become_old().await;
    one.become_silent().await;
    two.become_silent().await;
    assert_eq!(one.reconcile().await, OwnershipChanges::default(), "the node was silent itself");
    assert_eq!(two.reconcile().await, OwnershipChanges::default());
    assert_eq!(two.connected().await.len(), 1, "no worker moved");
}

#[actix::test]
async fn node_that_pauses_after_its_heartbeat_does_not_remove_itself() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(1)).await;
    one.become_old().await;
    one.become_silent().await;
    let removed = store::remove_silent_nodes(&test.db, test.node, 15.0).await.expect("a statement");
    assert_eq!((removed, test.database.count("SELECT count(*) FROM nodes").await), (0, 1));
}

#[actix::test]
async fn capabilities_of_remote_workers_are_known_on_every_node() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &[]).await;
    let two = Node::start(test.another("two"), &list(2)).await;
    settle(&[&one, &two]).await;
    let [at_two] = <[String; 1]>::try_from(two.connected().await).expect("its share");
    let worker = two.id_of(&at_two);
    let here = |node: &Node| node.core.fleet.roster().can_run("cpu", &needs("Blur"));
    two.report_idle(worker, &["Blur"]).await;
    assert!(here(&two) && !here(&one), "the other node has not learned it yet");
    // Capabilities are stored in the background; each node then learns of them by reconciling.
    let learned = async {
        loop {
            two.reconcile().await;
            one.reconcile().await;
            if here(&one) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), learned).await.expect("the other node knows");
    assert_eq!(one.core.fleet.roster().availability("cpu", &needs("Blur")).remote, [worker]);
    assert!(one.core.fleet.roster().free().iter().all(|free| free.id != worker), "only its owner assigns jobs to it");

    let admin = Caller::system();
    let request = async { refresh(&one.core, &admin, worker).await.expect("its owner refreshes it") };
    let owner = async {
        loop {
            two.reconcile().await;
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        view = request => assert_eq!(view.id, worker),
        () = owner => {}
    }

    change(&one.core, &admin, worker, WorkerAction::Drain).await.expect("drained");
    two.reconcile().await;
    two.connected().await;
    assert!(two.connections.wanted.lock().expect("a lock")[&worker].draining, "its owner applies the change");
    assert!(!here(&one), "a draining worker gets no new jobs");
    change(&one.core, &admin, worker, WorkerAction::Remove).await.expect("removed");
    two.reconcile().await;
    assert!(two.connected().await.is_empty());
}

#[actix::test]
async fn home_worker_belongs_to_its_node_and_is_removed_with_it() {
    let test = TestCore::new().await;
    let own = |core: &Core| NewWorker { home: Some(core.instance.clone()), ..list(1).remove(0) };
    let one = Node::start(test.core.clone(), &[own(&test.core)]).await;
    let second = test.another("two");
    let built_in = own(&second);
    let two = Node::start(second, &[built_in]).await;
    settle(&[&one, &two]).await;
    assert_eq!(
        (one.connected().await.len(), two.connected().await.len()),
        (1, 1),
        "two workers of one name, one on each node"
    );
    assert_eq!(one.core.fleet.roster().views().len(), 2);
    two.become_silent().await;
    one.become_old().await;
    assert_eq!(one.reconcile().await, OwnershipChanges { taken: 0, removed_nodes: 1 });
    assert_eq!(one.core.fleet.roster().views().len(), 1, "no living node can reach the other worker");
    two.reconcile().await;
    assert_eq!(two.connected().await.len(), 1, "the node is alive and registers its worker again");
    leave(&two.core).await.expect("it leaves");
    one.reconcile().await;
    assert_eq!(one.core.fleet.roster().views().len(), 1, "a leaving node removes its own worker");
}

#[actix::test]
async fn worker_of_a_lost_node_is_away_until_it_is_taken() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(1)).await;
    let worker = one.id_of("w1");
    one.report_idle(worker, &["Blur"]).await;
    one.reconcile().await;
    let two = Node::start(test.another_with("two", |settings| settings.fleet.weight = 0), &[]).await;
    let able = || two.core.fleet.roster().availability("cpu", &needs("Blur"));
    let known = async {
        while able().able.is_empty() {
            one.reconcile().await;
            two.reconcile().await;
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), known).await.expect("the other node knows");
    sqlx::query("DELETE FROM nodes WHERE id = $1")
        .bind(one.core.node.0)
        .execute(&one.core.db)
        .await
        .expect("it is gone");
    two.reconcile().await;
    assert_eq!((able().able.len(), able().away), (0, 1), "no node owns the worker");
}

#[actix::test]
async fn node_sends_heartbeats_while_it_waits_for_the_state_lock() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(1)).await;
    let mut lock = database::begin(&test.db).await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE workers IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    let keeping = || {
        let core = one.core.clone();
        actix::spawn(async move { reconcile(&core).await.expect("a heartbeat") })
    };
    let until = async |sql: &'static str, wanted: i64| {
        let asked = async {
            while test.database.count(sql).await != wanted {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), asked).await.expect(sql);
    };
    let first = keeping();
    // It holds the state lock and waits for the table lock.
    until(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'workers'::regclass
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        1,
    )
    .await;
    one.become_silent().await;
    let second = keeping();
    until("SELECT count(*) FROM nodes WHERE heartbeat_at < clock_timestamp() - interval '30 seconds'", 0).await;
    lock.rollback().await.expect("the end of the lock");
    first.await.expect("the first call ends");
    second.await.expect("the second call ends");
}

#[actix::test]
async fn second_worker_at_an_address_is_refused_or_skipped_in_a_list() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(1)).await;
    let admin = Caller::system();
    let named = |name: &str, url: &str| NewWorker { name: name.into(), url: url.into(), ..list(1).remove(0) };
    for url in ["http://10.0.0.1:8188", "http://10.0.0.1:8188/"] {
        let second = add(&one.core, &admin, named("second", url)).await;
        assert!(matches!(second, Err(Error::Refused { code: Code::WorkerAddressTaken, .. })), "{url}: {second:?}");
    }
    add(&one.core, &admin, named("w1", "http://10.0.0.1:8188")).await.expect("the same one again");
    let elsewhere = add(&one.core, &admin, named("second", "http://10.0.0.2:8188")).await.expect("another address");
    assert_eq!(elsewhere.node_name.as_deref(), Some("test"), "the node's name is shown");
    let moved = add(&one.core, &admin, named("second", "http://10.0.0.1:8188")).await;
    assert!(matches!(moved, Err(Error::Refused { .. })), "{moved:?}");
    let listed = [named("third", "http://10.0.0.1:8188"), named("fourth", "http://10.0.0.4:8188")];
    Node::start(test.another("two"), &listed).await.reconcile().await;
    one.reconcile().await;
    let mut names: Vec<_> = one.core.fleet.roster().views().into_iter().map(|view| view.name).collect();
    names.sort();
    assert_eq!(names, ["fourth", "second", "w1"]);
}

#[actix::test]
async fn node_whose_name_was_taken_owns_nothing_until_it_is_free() {
    let test = TestCore::new().await;
    let lost = Node::start(test.core.clone(), &list(2)).await;
    let successor = test.another("test");
    remove_ended_node(&successor, test.core.node).await.expect("the node is removed");
    let successor = Node::start(successor, &list(2)).await;
    settle(&[&lost, &successor]).await;
    assert_eq!(
        (lost.connected().await.len(), successor.connected().await.len()),
        (0, 2),
        "the replaced node owns nothing"
    );
    assert_eq!(test.database.count("SELECT count(*) FROM nodes").await, 1, "two nodes of one name");
    check_that_jobs_are_left_to_the_next_owner(&lost);
    leave(&successor.core).await.expect("it leaves");
    check_that_jobs_are_left_to_the_next_owner(&successor);
    settle(&[&lost]).await;
    assert_eq!(lost.connected().await.len(), 2, "the name is free, so the node registers again");
    assert!(has_lease(&lost.core), "it claims jobs again");
    assert_eq!(lost.owned(), 2, "it posts prompts again");
}

fn check_that_jobs_are_left_to_the_next_owner(node: &Node) {
    assert!(!has_lease(&node.core), "it claims no jobs");
    assert_eq!(node.owned(), 0, "it posts no prompts");
    assert!(wait_for_lease(&node.core).now_or_never().is_some(), "its jobs wait for a lease that it does not get");
}
