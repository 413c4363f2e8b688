//! One suite for both forms.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use chrono::{DateTime, TimeDelta};
use secrecy::SecretString;

use super::*;

/// A form under test, and how its time passes.
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

    /// Lets time pass: at once where the clock is ours, really where it is Redis's own.
    async fn pass(&self, time: Duration) {
        match &self.clock {
            Some(clock) => clock.advance(TimeDelta::from_std(time).expect("a short time")),
            None => tokio::time::sleep(time).await,
        }
    }
}

/// A Redis of this test's own.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
        let process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        Self { process, port }
    }

    async fn client(&self, prefix: &str) -> Redis {
        let url = SecretString::from(format!("redis://127.0.0.1:{}", self.port));
        let settings = RedisSettings { url: Some(url.clone()), prefix: prefix.to_owned(), pool_connections: 4 };
        let redis = Redis::open(&url, &settings, &Clock::System).expect("a Redis");
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

/// Long enough that a busy machine does several calls within it.
const WINDOW: Duration = Duration::from_millis(1500);

async fn counts_within_a_window_and_begins_again_after_it(form: &Form) {
    let shared = &form.shared;
    assert_eq!(shared.incr("a", WINDOW).await.count, 1);
    let second = shared.incr("a", WINDOW).await;
    assert_eq!(second.count, 2);
    assert!(second.ends_in <= WINDOW && second.ends_in > Duration::ZERO);
    assert_eq!(shared.incr("b", WINDOW).await.count, 1, "keys are counted apart");
    shared.remove("a").await;
    assert_eq!(shared.incr("a", WINDOW).await.count, 1, "a removed counter begins again");
    form.pass(WINDOW * 2).await;
    assert_eq!(shared.incr("b", WINDOW).await.count, 1, "a window ends");
}

async fn values_live_for_their_time(form: &Form) {
    let shared = &form.shared;
    assert_eq!(shared.get("v").await, None);
    shared.set("v", Bytes::from_static(b"\0one"), Duration::from_secs(60)).await;
    shared.set("short", Bytes::from_static(b"x"), WINDOW).await;
    assert_eq!(shared.get("v").await.as_deref(), Some(&b"\0one"[..]));
    shared.set("v", Bytes::from_static(b"two"), Duration::from_secs(60)).await;
    assert_eq!(shared.get("v").await.as_deref(), Some(&b"two"[..]));
    form.pass(WINDOW * 2).await;
    assert_eq!(shared.get("short").await, None, "a value is over after its time");
    assert_eq!(shared.get("v").await.as_deref(), Some(&b"two"[..]));
    shared.remove("v").await;
    assert_eq!(shared.get("v").await, None);
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
    // Seen by one who was there, so that it is not still on its way when the next one comes.
    assert_eq!(received(&mut other).await, "before");
    drop(other);
    let mut late = shared.subscribe("jobs");
    shared.publish("jobs", Bytes::from_static(b"3")).await;
    assert_eq!(received(&mut late).await, "3", "a subscriber gets what is sent after it came");
}

async fn received(subscription: &mut Subscription) -> Bytes {
    tokio::time::timeout(Duration::from_secs(20), subscription.next())
        .await
        .expect("a message in time")
        .expect("a message")
}

async fn whole_suite(form: Form) {
    counts_within_a_window_and_begins_again_after_it(&form).await;
    values_live_for_their_time(&form).await;
    messages_reach_all_subscribers_of_their_channel_in_order(&form).await;
}

#[tokio::test]
async fn the_form_in_the_process_keeps_the_whole_contract() {
    whole_suite(Form::local()).await;
}

#[tokio::test]
async fn the_form_in_redis_keeps_the_whole_contract() {
    whole_suite(Form::redis().await).await;
}

#[tokio::test]
async fn two_nodes_count_together_and_hear_each_other() {
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
    // Until the other one is listening, what is sent to it is lost.
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
async fn a_node_goes_on_by_itself_while_redis_is_away() {
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
fn what_is_over_is_cleared_away_before_the_memory_grows_without_end() {
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
