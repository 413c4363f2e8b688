//! One test suite for both implementations.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use chrono::{DateTime, TimeDelta};
use secrecy::SecretString;

use super::*;

/// An implementation under test, and its clock.
struct Form {
    shared: Arc<dyn Shared>,
    clock: Option<Clock>,
    _server: Option<Server>,
}

impl Form {
    fn local() -> Self {
        let clock = Clock::held(DateTime::UNIX_EPOCH);
        Self { shared: Arc::new(Local::new(clock.clone())), clock: Some(clock), _server: None }
    }

    async fn redis() -> Self {
        let server = Server::start();
        let redis = server.client("vg:").await;
        Self { shared: Arc::new(redis), clock: None, _server: Some(server) }
    }

    /// Lets time pass: by the test clock, or by waiting for Redis' clock.
    async fn pass(&self, time: Duration) {
        match &self.clock {
            Some(clock) => clock.advance(TimeDelta::from_std(time).expect("a short time")),
            None => tokio::time::sleep(time).await,
        }
    }
}

/// A Redis server of this test.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// Another process may take the free port before Redis does. Redis ends then, and another one is started.
    fn start() -> Self {
        loop {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
            let mut server = Self::at(port);
            if server.listens() {
                return server;
            }
        }
    }

    fn at(port: u16) -> Self {
        let process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("redis-server is installed");
        Self { process, port }
    }

    /// Waits for its message that it listens; `false` if it has ended instead.
    fn listens(&mut self) -> bool {
        let log = BufReader::new(self.process.stdout.as_mut().expect("a log"));
        log.lines().map_while(Result::ok).any(|line| line.contains("Ready to accept connections"))
    }

    async fn client(&self, prefix: &str) -> Redis {
        self.open_with_lease(prefix, Duration::from_secs(30)).await
    }

    /// A client with this lease of permits.
    async fn open_with_lease(&self, prefix: &str, lease: Duration) -> Redis {
        let url = SecretString::from(format!("redis://127.0.0.1:{}", self.port));
        let settings = RedisSettings { url: Some(url.clone()), prefix: prefix.to_owned(), pool_connections: 4 };
        let redis = Redis::open_with_lease(lease, &url, &settings, &Clock::System).expect("a Redis");
        tokio::time::timeout(Duration::from_secs(20), redis.connected()).await.expect("redis-server answers");
        redis
    }

    fn stop(&mut self) {
        self.process.kill().and_then(|()| self.process.wait()).expect("an end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Long enough for several calls on a slow machine. All expirations share one wait, because Redis has its own clock.
const WINDOW: Duration = Duration::from_secs(5);

async fn counters_and_values_expire(form: &Form) {
    let shared = &form.shared;
    shared.set("short", Bytes::from_static(b"x"), WINDOW).await;
    assert_eq!(shared.get("short").await.as_deref(), Some(&b"x"[..]));
    counts_within_a_window(form).await;
    values_are_kept_and_replaced(form).await;
    form.pass(WINDOW + Duration::from_millis(500)).await;
    assert_eq!(shared.incr("b", WINDOW).await.count, 1, "a window ends");
    assert_eq!(shared.get("short").await, None, "a value is over after its time");
    assert_eq!(shared.get("v").await.as_deref(), Some(&b"two"[..]));
    shared.remove("v").await;
    assert_eq!(shared.get("v").await, None);
}

async fn counts_within_a_window(form: &Form) {
    let shared = &form.shared;
    assert_eq!(shared.incr("a", WINDOW).await.count, 1);
    let second = shared.incr("a", WINDOW).await;
    assert_eq!(second.count, 2);
    assert!(second.ends_in <= WINDOW && second.ends_in > Duration::ZERO);
    assert_eq!(shared.incr("b", WINDOW).await.count, 1, "keys are counted apart");
    shared.remove("a").await;
    assert_eq!(shared.incr("a", WINDOW).await.count, 1, "a removed counter begins again");
}

async fn values_are_kept_and_replaced(form: &Form) {
    let shared = &form.shared;
    assert_eq!(shared.get("v").await, None);
    shared.set("v", Bytes::from_static(b"\0one"), Duration::from_secs(60)).await;
    assert_eq!(shared.get("v").await.as_deref(), Some(&b"\0one"[..]));
    shared.set("v", Bytes::from_static(b"two"), Duration::from_secs(60)).await;
    assert_eq!(shared.get("v").await.as_deref(), Some(&b"two"[..]));
}

async fn messages_reach_all_subscribers_of_their_channel_in_order(form: &Form) {
    let shared = &form.shared;
    let (mut one, mut other) = (shared.subscribe("jobs"), shared.subscribe("jobs"));
    let mut elsewhere = shared.subscribe("users");
    shared.publish("jobs", Bytes::from_static(b"1")).await;
    shared.publish("users", Bytes::from_static(b"u")).await;
    shared.publish("jobs", Bytes::from_static(b"2")).await;
    for subscription in [&mut one, &mut other] {
        assert_eq!(received(subscription).await, "1");
        assert_eq!(received(subscription).await, "2");
    }
    assert_eq!(received(&mut elsewhere).await, "u");
    drop(one);
    shared.publish("jobs", Bytes::from_static(b"before")).await;
    // Received once, so that it is not in flight when the next subscriber starts.
    assert_eq!(received(&mut other).await, "before");
    drop(other);
    let mut late = shared.subscribe("jobs");
    shared.publish("jobs", Bytes::from_static(b"3")).await;
    assert_eq!(received(&mut late).await, "3", "a subscriber gets the messages sent after it subscribed");
}

async fn new_flow_starts_beside_the_next_turn_of_a_busy_one(form: &Form) {
    let shared = &form.shared;
    let (many, newcomer) = (Uuid::now_v7(), Uuid::now_v7());
    let mut starts = Vec::new();
    for _ in 0..100 {
        starts.push(shared.fair_start("many", many, 1000).await);
    }
    shared.fair_taken("many", starts[0], false).await;
    let start = shared.fair_start("many", newcomer, 1000).await;
    assert!(start <= starts[1], "the newcomer must not wait for more than the turn that is under way");
    assert_eq!(shared.fair_start("other", many, 1000).await, 0, "lines are apart");
}

async fn turns_of_half_the_length_come_twice_as_often(form: &Form) {
    let shared = &form.shared;
    let (heavy, light) = (Uuid::now_v7(), Uuid::now_v7());
    let mut queue: Vec<(i64, Uuid)> = Vec::new();
    for _ in 0..300 {
        queue.push((shared.fair_start("weights", heavy, 500).await, heavy));
        queue.push((shared.fair_start("weights", light, 1000).await, light));
    }
    queue.sort_by_key(|(start, _)| *start);
    let first = queue.iter().take(150).filter(|(_, who)| *who == heavy).count();
    assert!((95..=105).contains(&first), "{first} of the first 150 turns were the heavy one's");
}

async fn idle_time_is_not_saved_up(form: &Form) {
    let shared = &form.shared;
    let (busy, idle) = (Uuid::now_v7(), Uuid::now_v7());
    let mut last = 0;
    for _ in 0..100 {
        last = shared.fair_start("idle", busy, 1000).await;
    }
    shared.fair_taken("idle", last, false).await;
    assert_eq!(shared.fair_start("idle", idle, 1000).await, last);
}

async fn turns_without_competition_do_not_count_later(form: &Form) {
    let shared = &form.shared;
    let (often, seldom) = (Uuid::now_v7(), Uuid::now_v7());
    for _ in 0..10 {
        let start = shared.fair_start("dry", often, 1000).await;
        shared.fair_taken("dry", start, true).await;
    }
    let first = shared.fair_start("dry", often, 1000).await;
    let then = shared.fair_start("dry", seldom, 1000).await;
    assert!(first <= then, "the first request is served first: {first} and {then}");
    assert!(shared.fair_start("dry", often, 1000).await > then, "a second one of theirs waits its turn");
}

async fn queue_is_restored_from_observed_turns(form: &Form) {
    let shared = &form.shared;
    let (known, newcomer) = (Uuid::now_v7(), Uuid::now_v7());
    shared.fair_observe("rows", 5_000, &[(known, 9_000)]);
    assert_eq!(shared.fair_start("rows", known, 1000).await, 9_000, "behind their own turns");
    assert_eq!(shared.fair_start("rows", newcomer, 1000).await, 5_000, "beside the turn that was taken last");
}

async fn received(subscription: &mut ChannelSubscription) -> Bytes {
    tokio::time::timeout(Duration::from_secs(20), subscription.next())
        .await
        .expect("a message in time")
        .expect("a message")
}

async fn bucket_gives_its_burst_and_then_refills(form: &Form) {
    let (shared, bucket) = (&form.shared, Bucket::per_minute(60, 3));
    let (mut given, began) = (0, std::time::Instant::now());
    let empty = loop {
        match shared.take("a", bucket).await {
            Ok(left) => {
                assert!(left.burst == 3 && left.remaining < 3 && left.full_in <= 3 * Duration::from_secs(1))
            }
            Err(empty) => break empty,
        }
        given += 1;
    };
    assert!(given >= 3 && given <= 4 + began.elapsed().as_millis() / 1000, "{given} in {:?}", began.elapsed());
    assert!(empty.burst == 3 && empty.next_in <= Duration::from_secs(1), "{empty:?}");
    assert!(shared.take("b", bucket).await.is_ok(), "one never empties the bucket of another");
    tokio::time::sleep(empty.next_in).await;
    assert!(shared.take("a", bucket).await.is_ok(), "it gives when it said that it would");
    shared.sweep();
}

async fn permits_are_limited_and_holders_hear_requests(form: &Form) {
    let shared = form.shared.as_ref();
    let mut first = shared.acquire_permit("p", 2).await.expect("a permit");
    let second = shared.acquire_permit("p", 2).await.expect("a permit");
    let elsewhere = shared.acquire_permit("q", 2).await.expect("a permit of another key");
    assert!(shared.acquire_permit("p", 2).await.is_none(), "there are two");
    request_permit(shared, "p").await;
    tokio::time::timeout(Duration::from_secs(20), first.requested()).await.expect("it is told");
    drop(second);
    let given_back = async {
        while shared.acquire_permit("p", 2).await.is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), given_back).await.expect("a returned permit is free");
    drop((first, elsewhere));
}

async fn whole_suite(form: Form) {
    new_flow_starts_beside_the_next_turn_of_a_busy_one(&form).await;
    turns_of_half_the_length_come_twice_as_often(&form).await;
    idle_time_is_not_saved_up(&form).await;
    turns_without_competition_do_not_count_later(&form).await;
    queue_is_restored_from_observed_turns(&form).await;
    bucket_gives_its_burst_and_then_refills(&form).await;
    permits_are_limited_and_holders_hear_requests(&form).await;
    counters_and_values_expire(&form).await;
    messages_reach_all_subscribers_of_their_channel_in_order(&form).await;
}

#[tokio::test]
async fn memory_implementation_passes_the_suite() {
    whole_suite(Form::local()).await;
}

#[tokio::test]
async fn redis_implementation_passes_the_suite() {
    whole_suite(Form::redis().await).await;
}

#[tokio::test]
async fn two_nodes_share_counters_and_messages() {
    let server = Server::start();
    let (one, other) = (server.client("vg:").await, server.client("vg:").await);
    let stranger = server.client("other:").await;
    assert_eq!(one.incr("k", Duration::from_secs(60)).await.count, 1);
    assert_eq!(other.incr("k", Duration::from_secs(60)).await.count, 2);
    assert_eq!(stranger.incr("k", Duration::from_secs(60)).await.count, 1, "prefixes part installations");
    let mut heard = other.subscribe("c");
    stranger.publish("c", Bytes::from_static(b"not for us")).await;
    one.publish("c", Bytes::from_static(b"hello")).await;
    assert_eq!(received(&mut heard).await, "hello");
    let (mut mine, mut theirs) = (other.inbox("other"), one.inbox("one"));
    // Messages are lost until the other node listens.
    let sent = async {
        loop {
            one.post("other", Bytes::from_static(b"for you")).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        message = received(&mut mine) => assert_eq!(message, "for you"),
        () = sent => {}
    }
    other.post("one", Bytes::from_static(b"and for you")).await;
    assert_eq!(received(&mut theirs).await, "and for you", "an inbox is one node's alone");
}

#[tokio::test]
async fn two_nodes_share_a_bucket() {
    let server = Server::start();
    let (one, other) = (server.client("vg:").await, server.client("vg:").await);
    let stranger = server.client("other:").await;
    // Without Redis each node would give half of it.
    one.set_node_count(2);
    other.set_node_count(2);
    let bucket = Bucket::per_minute(1, 4);
    for left in [3, 2, 1] {
        assert_eq!(one.take("k", bucket).await.expect("it is not empty").remaining, left);
    }
    assert_eq!(other.take("k", bucket).await.expect("the last one").remaining, 0);
    for node in [&one, &other] {
        let empty = node.take("k", bucket).await.expect_err("both know that it is empty");
        assert!(empty.next_in <= Duration::from_secs(60) && empty.next_in > Duration::from_secs(30), "{empty:?}");
    }
    assert_eq!(stranger.take("k", bucket).await.expect("a bucket of its own").remaining, 3);
}

#[tokio::test]
async fn redis_bucket_never_exceeds_its_rate() {
    let server = Server::start();
    let redis = server.client("vg:").await;
    let (bucket, began, mut given) = (Bucket::per_minute(60_000, 20), std::time::Instant::now(), 0);
    for _ in 0..500 {
        given += u128::from(redis.take("k", bucket).await.is_ok());
    }
    let most = 21 + began.elapsed().as_millis();
    assert!(given >= 20 && given <= most, "{given} were given, of {most} that there were");
}

#[tokio::test]
async fn two_nodes_share_permits_and_those_of_a_lost_node_expire() {
    let server = Server::start();
    let lease = Duration::from_secs(5);
    let (one, other) = (server.open_with_lease("vg:", lease).await, server.open_with_lease("vg:", lease).await);
    let mut left_behind = one.acquire_permit("ann", 2).await.expect("a permit");
    let own = other.acquire_permit("ann", 2).await.expect("another permit");
    assert!(
        one.acquire_permit("ann", 2).await.is_none() && other.acquire_permit("ann", 2).await.is_none(),
        "there are two"
    );
    request_permit(&other, "ann").await;
    tokio::time::timeout(Duration::from_secs(20), left_behind.requested())
        .await
        .expect("the other node's are asked too");
    // Its lease is no longer renewed.
    drop(one);
    let began = std::time::Instant::now();
    let taken = async {
        loop {
            match other.acquire_permit("ann", 2).await {
                Some(permit) => return permit,
                None => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    };
    let taken = tokio::time::timeout(Duration::from_secs(20), taken).await.expect("the permit of the lost node");
    tokio::time::sleep((2 * lease).saturating_sub(began.elapsed()).min(lease)).await;
    assert!(other.acquire_permit("ann", 2).await.is_none(), "leases of a node that lives are renewed");
    drop((own, taken));
}

#[tokio::test]
async fn node_without_redis_gives_its_share_until_redis_is_back() {
    let mut server = Server::start();
    let redis = server.client("vg:").await;
    let bucket = Bucket::per_minute(1, 4);
    redis.set_node_count(2);
    assert!(redis.is_connected());
    server.stop();
    let given = (0..10).map(|_| redis.take("k", bucket));
    let given = futures_util::future::join_all(given).await.iter().filter(|taken| taken.is_ok()).count();
    assert_eq!(given, 2, "half of the bucket is this node's");
    assert!(redis.acquire_permit("ann", 1).await.is_some(), "it has its own permits");
    let again = Server::at(server.port);
    tokio::time::timeout(Duration::from_secs(20), async {
        while !redis.is_connected() || redis.take("l", bucket).await.is_ok_and(|left| left.burst != 4) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .expect("it counts with others again");
    drop(again);
}

#[tokio::test]
async fn nodes_share_a_fair_queue_and_survive_the_loss_of_its_data() {
    let mut server = Server::start();
    let nodes = [server.client("vg:").await, server.client("vg:").await, server.client("vg:").await];
    let (many, newcomer) = (Uuid::now_v7(), Uuid::now_v7());
    let mut starts = Vec::new();
    for node in nodes.iter().cycle().take(99) {
        starts.push(node.fair_start("cpu", many, 1000).await);
    }
    assert_eq!(starts, (0..99).map(|turn| turn * 1000).collect::<Vec<_>>(), "through three nodes as through one");
    nodes[0].fair_taken("cpu", 50_000, false).await;
    assert_eq!(nodes[2].fair_start("cpu", newcomer, 1000).await, 50_000, "the usage on one node is known to all");
    server.stop();
    assert_eq!(nodes[2].fair_start("cpu", many, 1000).await, 99_000, "its own last turn is the last of all");
    assert_eq!(nodes[2].fair_start("cpu", Uuid::now_v7(), 1000).await, 50_000);
}

#[tokio::test]
async fn node_works_without_redis() {
    let mut server = Server::start();
    let redis = server.client("vg:").await;
    redis.set("v", Bytes::from_static(b"x"), Duration::from_secs(60)).await;
    server.stop();
    assert_eq!(redis.incr("k", Duration::from_secs(60)).await.count, 1);
    assert_eq!(redis.incr("k", Duration::from_secs(60)).await.count, 2);
    redis.set("w", Bytes::from_static(b"y"), Duration::from_secs(60)).await;
    assert_eq!(redis.get("w").await.as_deref(), Some(&b"y"[..]));
    let mut heard = redis.subscribe("c");
    redis.publish("c", Bytes::from_static(b"local")).await;
    assert_eq!(received(&mut heard).await, "local");
}

#[test]
fn expired_entries_are_removed_before_memory_grows() {
    let clock = Clock::held(DateTime::UNIX_EPOCH);
    let local = Local::new(clock.clone());
    for round in 0..20 {
        for key in 0..1000 {
            local.count(&format!("{round}:{key}"), Duration::from_secs(1));
        }
        clock.advance(TimeDelta::seconds(2));
    }
    assert!(local.remembered() < 6000, "{} entries are remembered", local.remembered());
}
