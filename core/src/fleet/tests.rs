//! Several nodes on one database, each with connections that only write down what they are told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use actix::{Actor, Context, Handler};
use serde_json::json;

use super::*;
use crate::graph::{Needs, NodeDefinitions};
use crate::shared::Bucket;
use crate::testing::TestCore;

/// The connections of one node: whom it is told to connect to, and what each is.
#[derive(Clone, Default)]
struct Connections {
    wanted: Arc<Mutex<BTreeMap<WorkerId, Wanted>>>,
    /// How often workers were asked what they can do.
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

/// A node and what its connections were told.
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

    async fn keep(&self) -> Kept {
        keep(&self.core).await.expect("a sign of life")
    }

    /// The names of those it connects to.
    async fn connected(&self) -> Vec<String> {
        // What was sent before is in.
        self.actor.send(Refresh).await.expect("they are there");
        let wanted = self.connections.wanted.lock().expect("a lock");
        let mut names: Vec<String> = wanted.values().map(|wanted| wanted.config.name.clone()).collect();
        names.sort();
        names
    }

    /// A worker of this node says that it is idle and has these node classes.
    async fn says(&self, worker: WorkerId, classes: &[&str]) {
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
            over: Vec::new(),
            capabilities,
            link,
        };
        self.core.fleet.reports().send(changed).await.expect("the fleet hears of it");
    }

    fn id_of(&self, name: &str) -> WorkerId {
        let views = self.core.fleet.roster().views();
        views.iter().find(|view| view.name == name).expect("a worker of this name").id
    }

    /// It has given no sign of life for a minute.
    async fn falls_silent(&self) {
        sqlx::query("UPDATE nodes SET heartbeat_at = heartbeat_at - interval '1 minute' WHERE id = $1")
            .bind(self.core.node.0)
            .execute(&self.core.db)
            .await
            .expect("silence");
    }

    /// It has lived for an hour.
    async fn is_old(&self) {
        sqlx::query("UPDATE nodes SET alive_since = alive_since - interval '1 hour' WHERE id = $1")
            .bind(self.core.node.0)
            .execute(&self.core.db)
            .await
            .expect("an hour");
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

/// Signs of life of all, until nobody moves.
async fn settle(nodes: &[&Node]) {
    for _ in 0..4 {
        for node in nodes {
            node.keep().await;
        }
    }
}

#[actix::test]
async fn of_one_list_given_to_three_nodes_each_worker_is_connected_to_once() {
    let test = TestCore::new().await;
    let workers = list(6);
    let one = Node::start(test.core.clone(), &workers).await;
    assert_eq!(one.connected().await.len(), 6, "it is alone");
    let two = Node::start(test.another("two"), &workers).await;
    let three = Node::start(test.another("three"), &workers).await;
    settle(&[&one, &two, &three]).await;
    let mut all = Vec::new();
    for node in [&one, &two, &three] {
        let connected = node.connected().await;
        assert_eq!(connected.len(), 2, "each has its share: {connected:?}");
        all.extend(connected);
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6, "no worker is connected to twice");
}

#[actix::test]
async fn the_workers_of_a_node_that_falls_silent_are_taken_over_and_it_lets_go_of_them() {
    let test = TestCore::new().await;
    let workers = list(4);
    let lost = Node::start(test.core.clone(), &workers).await;
    let heir = Node::start(test.another("heir"), &workers).await;
    settle(&[&lost, &heir]).await;
    assert_eq!((lost.connected().await.len(), heir.connected().await.len()), (2, 2));

    lost.falls_silent().await;
    assert_eq!(heir.keep().await, Kept::default(), "who has only just begun gives nobody up");
    heir.is_old().await;
    assert_eq!(heir.keep().await, Kept { taken: 2, given_up: 1 });
    assert_eq!(heir.connected().await.len(), 4);

    lost.keep().await;
    let (kept, inherited) = (lost.connected().await, heir.connected().await);
    assert!(kept.iter().all(|worker| !inherited.contains(worker)), "{kept:?} and {inherited:?}");
    settle(&[&lost, &heir]).await;
    assert_eq!((lost.connected().await.len(), heir.connected().await.len()), (2, 2), "it has its share again");
}

#[actix::test]
async fn nodes_without_a_redis_know_of_each_other_and_give_their_part_of_a_bucket() {
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
    one.keep().await;
    assert_eq!(one.core.shared.take("l", bucket).await.expect("it is full").burst, 8, "it is alone again");
}

#[actix::test]
async fn after_the_database_was_away_nobody_is_given_up_who_has_not_had_the_time_to_speak() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(2)).await;
    let two = Node::start(test.another("two"), &[]).await;
    settle(&[&one, &two]).await;
    one.is_old().await;
    two.is_old().await;
    one.falls_silent().await;
    two.falls_silent().await;
    assert_eq!(one.keep().await, Kept::default(), "it was silent itself");
    assert_eq!(two.keep().await, Kept::default());
    assert_eq!(two.connected().await.len(), 1, "and nothing has moved");
}

#[actix::test]
async fn what_a_worker_of_another_node_can_do_counts_everywhere() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &[]).await;
    let two = Node::start(test.another("two"), &list(2)).await;
    settle(&[&one, &two]).await;
    let [at_two] = <[String; 1]>::try_from(two.connected().await).expect("its share");
    let worker = two.id_of(&at_two);
    let here = |node: &Node| node.core.fleet.roster().can_run("cpu", &needs("Blur"));
    two.says(worker, &["Blur"]).await;
    assert!(here(&two) && !here(&one), "nobody has told it yet");
    // The words are written beside; then the sign of life of the one tells, and that of the other hears.
    let said = async {
        loop {
            two.keep().await;
            one.keep().await;
            if here(&one) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), said).await.expect("the other node knows");
    assert_eq!(one.core.fleet.roster().prospects("cpu", &needs("Blur")).remote, [worker]);
    assert!(one.core.fleet.roster().free().iter().all(|free| free.id != worker), "it is not this node's to give jobs");

    let admin = Caller::system();
    let wish = async { refresh(&one.core, &admin, worker).await.expect("its owner asks it") };
    let owner = async {
        loop {
            two.keep().await;
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        view = wish => assert_eq!(view.id, worker),
        () = owner => {}
    }

    change(&one.core, &admin, worker, Change::Drain).await.expect("drained");
    two.keep().await;
    two.connected().await;
    assert!(two.connections.wanted.lock().expect("a lock")[&worker].draining, "its owner hears of it");
    assert!(!here(&one), "who drains gets nothing new");
    change(&one.core, &admin, worker, Change::Remove).await.expect("removed");
    two.keep().await;
    assert!(two.connected().await.is_empty());
}

#[actix::test]
async fn a_worker_that_one_node_alone_can_reach_is_that_nodes_and_goes_with_it() {
    let test = TestCore::new().await;
    let own = |core: &Core| NewWorker { home: Some(core.instance.clone()), ..list(1).remove(0) };
    let one = Node::start(test.core.clone(), &[own(&test.core)]).await;
    let second = test.another("two");
    let built_in = own(&second);
    let two = Node::start(second, &[built_in]).await;
    settle(&[&one, &two]).await;
    assert_eq!((one.connected().await.len(), two.connected().await.len()), (1, 1), "of one name, and each its own");
    assert_eq!(one.core.fleet.roster().views().len(), 2);
    two.falls_silent().await;
    one.is_old().await;
    assert_eq!(one.keep().await, Kept { taken: 0, given_up: 1 });
    assert_eq!(one.core.fleet.roster().views().len(), 1, "nobody can reach the other one any more");
    two.keep().await;
    assert_eq!(two.connected().await.len(), 1, "it lived all the same, and has its own again");
    leave(&two.core).await.expect("it leaves");
    one.keep().await;
    assert_eq!(one.core.fleet.roster().views().len(), 1, "who leaves takes its own along");
}

#[actix::test]
async fn a_worker_whose_owner_is_gone_counts_as_away_until_somebody_else_has_it() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(1)).await;
    let worker = one.id_of("w1");
    one.says(worker, &["Blur"]).await;
    one.keep().await;
    let two = Node::start(test.another_with("two", |settings| settings.fleet.weight = 0), &[]).await;
    let able = || two.core.fleet.roster().prospects("cpu", &needs("Blur"));
    let known = async {
        while able().able.is_empty() {
            one.keep().await;
            two.keep().await;
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), known).await.expect("the other node knows");
    sqlx::query("DELETE FROM nodes WHERE id = $1")
        .bind(one.core.node.0)
        .execute(&one.core.db)
        .await
        .expect("it is gone");
    two.keep().await;
    assert_eq!((able().able.len(), able().away), (0, 1), "nobody connects to it");
}

#[actix::test]
async fn a_node_that_waits_for_its_turn_gives_a_sign_of_life_meanwhile() {
    let test = TestCore::new().await;
    let one = Node::start(test.core.clone(), &list(1)).await;
    let mut lock = test.db.begin().await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE workers IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    let keeping = || {
        let core = one.core.clone();
        actix::spawn(async move { keep(&core).await.expect("it lives") })
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
    // It has its turn, and does not come on.
    until("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'workers'::regclass", 1).await;
    one.falls_silent().await;
    let second = keeping();
    until("SELECT count(*) FROM nodes WHERE heartbeat_at < clock_timestamp() - interval '30 seconds'", 0).await;
    lock.rollback().await.expect("the end of the lock");
    first.await.expect("its turn is over");
    second.await.expect("and it has had its own");
}

#[actix::test]
async fn a_second_worker_at_an_address_is_refused_and_one_of_a_list_is_left_out() {
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
    assert_eq!(elsewhere.node_name.as_deref(), Some("test"), "which node has it");
    let moved = add(&one.core, &admin, named("second", "http://10.0.0.1:8188")).await;
    assert!(matches!(moved, Err(Error::Refused { .. })), "{moved:?}");
    let listed = [named("third", "http://10.0.0.1:8188"), named("fourth", "http://10.0.0.4:8188")];
    Node::start(test.another("two"), &listed).await.keep().await;
    one.keep().await;
    let mut names: Vec<_> = one.core.fleet.roster().views().into_iter().map(|view| view.name).collect();
    names.sort();
    assert_eq!(names, ["fourth", "second", "w1"]);
}

#[actix::test]
async fn a_node_whose_name_another_one_has_meanwhile_owns_nothing_until_it_is_free() {
    let test = TestCore::new().await;
    let lost = Node::start(test.core.clone(), &list(2)).await;
    let successor = test.another("test");
    note_ended(&successor, test.core.node).await.expect("it counts as dead");
    let successor = Node::start(successor, &list(2)).await;
    settle(&[&lost, &successor]).await;
    assert_eq!((lost.connected().await.len(), successor.connected().await.len()), (0, 2), "it has let go of all");
    assert_eq!(test.database.count("SELECT count(*) FROM nodes").await, 1, "two nodes of one name");
    leave(&successor.core).await.expect("it leaves");
    settle(&[&lost]).await;
    assert_eq!(lost.connected().await.len(), 2, "the name is free, and it begins again");
}
