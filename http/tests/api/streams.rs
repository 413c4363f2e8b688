//! Live event streams: many of them, and events of other nodes.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use verdigraph_core::database;
use verdigraph_core::fleet::{self, WorkerAction, WorkerState};
use verdigraph_core::ids::{JobId, UserId};
use verdigraph_core::{Caller, jobs};
use verdigraph_workers::cpu::server::Running;

use crate::jobs::{prompt, submit, with_worker};
use crate::site::{Browser, Site, cookie, error, text};

/// Timeout of an event.
const PATIENCE: Duration = Duration::from_secs(20);

/// Most refreshes of the follower that a test waits for.
const MOST_LOOKS: usize = 50;

/// A stream that is read event by event.
pub struct Events {
    response: Response,
    unread: String,
}

impl Events {
    async fn open(site: &Site, who: &Browser, job: &str) -> Self {
        Self::at(site, who, &format!("/api/general/job/{job}/events")).await
    }

    pub async fn at(site: &Site, who: &Browser, path: &str) -> Self {
        let response = site.get(who, path).await;
        assert_eq!(response.status(), 200);
        Self { response, unread: String::new() }
    }

    /// Reads until an event of this name whose data match.
    pub async fn until(&mut self, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let read = async {
            loop {
                while let Some((frame, rest)) = self.unread.split_once("\n\n") {
                    let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                    let (event, data) = (field("event: "), field("data: "));
                    self.unread = rest.to_owned();
                    if event.as_deref() == Some(name) {
                        let data = serde_json::from_str(&data.expect("data")).expect("JSON");
                        if wanted(&data) {
                            return data;
                        }
                    }
                }
                let chunk = self.response.chunk().await.expect("an open stream").expect("more of the stream");
                self.unread.push_str(std::str::from_utf8(&chunk).expect("text"));
            }
        };
        tokio::time::timeout(PATIENCE, read).await.unwrap_or_else(|_| panic!("no such {name} event in time"))
    }
}

/// A site that knows node classes but runs nothing: its only worker is paused.
pub async fn standing_still(site: &Site) -> (Running, tempfile::TempDir) {
    let (worker, folder) = with_worker(site).await;
    let id = site.core.fleet.roster().views()[0].id;
    fleet::change(&site.core, &Caller::system(), id, WorkerAction::Pause).await.expect("a paused worker");
    let paused = async {
        while site.core.fleet.roster().view(id).map(|view| view.state) != Some(WorkerState::Paused) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, paused).await.expect("the worker is paused");
    (worker, folder)
}

/// The core's caller of a browser.
async fn caller(site: &Site, who: &Browser) -> Caller {
    let me: Value = site.get(who, "/api/auth").await.json().await.expect("JSON");
    Caller::customer(UserId(text(&me, "_id").parse().expect("an id")))
}

pub async fn waiting_job(site: &Site, who: &Browser, key: &str) -> String {
    let accepted = submit(site, who, &prompt(1), key).await;
    assert_eq!(accepted.status(), 201);
    text(&accepted.json().await.expect("JSON"), "_id")
}

#[actix_web::test]
async fn stream_has_queue_positions_and_events_of_other_nodes() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (_worker, _folder) = standing_still(&site).await;
    let (first, second) = (waiting_job(&site, &ann, "a").await, waiting_job(&site, &ann, "b").await);
    let mut events = Events::open(&site, &ann, &second).await;
    events.until("queue", |place| place["position"] == 2).await;

    // Another node, which shares only the database with this one.
    let other = site.core.another("other");
    let owner = caller(&site, &ann).await;
    let id: JobId = first.parse::<uuid::Uuid>().map(JobId).expect("an id");
    jobs::cancel(&other, &owner, id).await.expect("a cancel");
    events.until("queue", |place| place["position"] == 1).await;
    let id: JobId = second.parse::<uuid::Uuid>().map(JobId).expect("an id");
    jobs::cancel(&other, &owner, id).await.expect("a cancel");
    events.until("status", |status| status["status"] == "Canceled").await;
    let rest = tokio::time::timeout(PATIENCE, events.response.chunk()).await.expect("the end in time");
    assert!(rest.expect("an end").is_none(), "the stream ends with the job");
    site.finish().await;
}

/// Waits until the follower's refresh is blocked by a lock: at the rows of the jobs with listeners, or at queue and
/// runs of their pool. Returns how many queries are blocked, and how many of them at the rows.
async fn blocked_reads(site: &Site) -> (i64, i64) {
    let look = async {
        loop {
            let waiting: (i64, i64) = sqlx::query_as(
                "SELECT count(*), count(*) FILTER (WHERE query LIKE '%FROM all_jobs LEFT JOIN jobs USING (id)%')
                 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                 AND query ~ 'FROM all_jobs LEFT JOIN jobs USING|version_id, needs FROM jobs|started_at FROM jobs'",
            )
            .fetch_one(&site.core.db)
            .await
            .expect("a count");
            if waiting.0 > 0 {
                return waiting;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("a look in time")
}

#[actix_web::test]
async fn idle_streams_do_not_query_the_database() {
    let site = Site::with(|settings| settings.limits.streams_per_account = 400).await;
    let ann = site.person().await;
    let (_worker, _folder) = standing_still(&site).await;
    let mut jobs = Vec::new();
    for number in 0..4 {
        jobs.push(waiting_job(&site, &ann, &number.to_string()).await);
    }
    let mut streams = Vec::new();
    for number in 0..400 {
        streams.push(Events::open(&site, &ann, &jobs[number % jobs.len()]).await);
    }
    for stream in &mut streams {
        stream.until("queue", |_| true).await;
    }
    let (status, code, body) = error(site.get(&ann, &format!("/api/general/job/{}/events", jobs[0])).await).await;
    assert_eq!((status, code.as_str()), (429, "RATE_LIMITED"), "one too many is told so at once: {body}");

    // While the table is locked, every reader keeps a connection busy. Two refreshes of the shared follower take as
    // long as one stream alone would have slept; a refresh starts at the rows.
    let mut looks = 0;
    for _ in 0..MOST_LOOKS {
        if looks >= 2 {
            break;
        }
        let mut lock = database::begin(&site.core.db).await.expect("a transaction");
        sqlx::raw_sql("LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
        let (waiting, at_the_rows) = blocked_reads(&site).await;
        assert_eq!(waiting, 1, "{} streams are followed by one", streams.len());
        let busy = site.core.pools.of("http").busy;
        assert_eq!(busy, 0, "{} idle streams keep {busy} connections busy", streams.len());
        lock.rollback().await.expect("the lock is gone");
        looks += at_the_rows;
    }
    assert!(looks >= 2, "of {MOST_LOOKS} looks {looks} were at the rows of those who listen");

    waiting_job(&site, &ann, "beside-them").await;
    for job in &jobs {
        let cancel = format!("/api/general/job/{job}/cancel");
        assert_eq!(site.send(&ann, Method::POST, &cancel, &Value::Null).await.status(), 200);
    }
    for stream in &mut streams {
        stream.until("status", |status| status["status"] == "Canceled").await;
    }
    site.finish().await;
}

/// Whether a stream ends within five seconds, or a bit more on a slow machine.
async fn ends(mut events: Events) -> bool {
    let read = async { while let Ok(Some(_)) = events.response.chunk().await {} };
    tokio::time::timeout(PATIENCE, read).await.is_ok()
}

#[actix_web::test]
async fn stream_ends_with_its_key_session_or_account() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (_worker, _folder) = standing_still(&site).await;
    let job = waiting_job(&site, &ann, "a").await;
    let box_path = "/api/general/notification-box/events";

    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key: Value = made.json().await.expect("JSON");
    let by_key = |path: String| site.ask(Method::GET, &path).header("api-key", text(&key, "key")).send();
    let mut streams = Vec::new();
    for path in [format!("/api/general/job/{job}/events"), box_path.to_owned()] {
        let response = by_key(path).await.expect("an answer");
        assert_eq!(response.status(), 200);
        streams.push(Events { response, unread: String::new() });
    }
    let mut own = Events::open(&site, &ann, &job).await;
    own.until("queue", |_| true).await;
    let revoke = format!("/api/general/api-key/{}", text(&key, "_id"));
    assert_eq!(site.send(&ann, Method::DELETE, &revoke, &json!({})).await.status(), 204);
    for stream in streams {
        assert!(ends(stream).await, "a stream lives on after its key");
    }

    // The session is another credential, and its stream continues until it ends itself.
    let login = json!({ "email": ann.email, "password": "correct horse" });
    let again = site.send(&Browser::default(), Method::POST, "/api/auth/login/email-password", &login).await;
    let other =
        Browser { email: ann.email.clone(), session: cookie(&again, "vg_session"), xsrf: cookie(&again, "XSRF-TOKEN") };
    let at_the_other = Events::at(&site, &other, box_path).await;
    assert_eq!(site.send(&other, Method::POST, "/api/auth/logout", &json!({})).await.status(), 204);
    assert!(ends(at_the_other).await, "a stream lives on after its session");
    let listening = tokio::time::timeout(Duration::from_millis(300), own.response.chunk()).await;
    assert!(!matches!(listening, Ok(Ok(None) | Err(_))), "a stream of another session ended too: {listening:?}");

    let farewell = json!({ "password": "correct horse" });
    assert_eq!(site.send(&ann, Method::DELETE, "/api/auth/me", &farewell).await.status(), 204);
    assert!(ends(own).await, "a stream lives on after its account");
    site.finish().await;
}

#[actix_web::test]
async fn closed_pages_free_their_streams() {
    let site = Site::with(|settings| settings.limits.streams_per_account = 3).await;
    let ann = site.person().await;
    // Each page is a browser that disappears without closing its connection, as on a reload.
    for page in 0..10 {
        let browser = reqwest::Client::builder().no_proxy().build().expect("a client");
        let request = browser.get(format!("{}/api/general/notification-box/events", site.url));
        let mut answer = ann.sign(request).send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "page {page} got no stream");
        answer.chunk().await.expect("an open stream").expect("the first count");
    }
    site.finish().await;
}
