//! The editor's WebSocket: what a client gets about the jobs that it queued.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Method;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;
use verdigraph_core::Caller;
use verdigraph_core::fleet::{self, NewWorker};
use verdigraph_core::ids::{JobId, UserId};
use verdigraph_core::jobs::{self, PromptCall, PromptSubmit, RunTerms};
use verdigraph_scripted::{Options, Run, Scripted, Step, THIS_PROMPT};
use verdigraph_workers::connection;
use verdigraph_workers::fleet::Fleet;

use crate::site::{Browser, Site, text};
use crate::streams::standing_still;

const PATIENCE: Duration = Duration::from_secs(20);
const CLIENT: &str = "5f0c6f0f6c7d4f9c8a4e1f2d3c4b5a69";
const FEATURES: &str = r#"{"type":"feature_flags","data":{"supports_preview_metadata":true}}"#;

static NO_DATA: Value = Value::Null;

/// One message to a client.
#[derive(Debug, Clone, PartialEq)]
pub enum Frame {
    Text(Value),
    Binary(Vec<u8>),
}

impl Frame {
    pub fn kind(&self) -> &str {
        match self {
            Self::Text(message) => message["type"].as_str().unwrap_or_default(),
            Self::Binary(_) => "binary",
        }
    }

    pub fn data(&self) -> &Value {
        match self {
            Self::Text(message) => &message["data"],
            Self::Binary(_) => &NO_DATA,
        }
    }
}

pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Opens a socket, or returns the status of the refusal.
    pub async fn open(site: &Site, who: &Browser, query: &str, origin: Option<&str>) -> Result<Self, u16> {
        let cookies = format!("vg_session={}; XSRF-TOKEN={}", who.session, who.xsrf);
        let cookies = (!who.session.is_empty()).then_some(("cookie", cookies.as_str()));
        let headers: Vec<(&'static str, &str)> =
            cookies.into_iter().chain(origin.map(|origin| ("origin", origin))).collect();
        Self::with_headers(site, &format!("/ws{query}"), &headers).await
    }

    /// The same with these headers, at a path below the editor's address.
    pub async fn with_headers(site: &Site, path: &str, headers: &[(&'static str, &str)]) -> Result<Self, u16> {
        let url = format!("{}/comfyui-editor{path}", site.url.replacen("http", "ws", 1));
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).expect("a header"));
        }
        match connect_async(request).await {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// A socket of the client, after its greeting.
    async fn of(site: &Site, who: &Browser, client: &str) -> Self {
        let mut socket = Self::open(site, who, &format!("?clientId={client}"), None).await.expect("a socket");
        let greeting = socket.next().await.expect("a greeting");
        assert_eq!((greeting.kind(), &greeting.data()["sid"]), ("status", &json!(client)));
        socket
    }

    pub async fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.expect("an open socket");
    }

    /// The next message; `None` if the socket is closed.
    pub async fn next(&mut self) -> Option<Frame> {
        let read = async {
            loop {
                match self.0.next().await? {
                    Ok(Message::Text(text)) => {
                        return Some(Frame::Text(serde_json::from_str(text.as_str()).expect("JSON")));
                    }
                    Ok(Message::Binary(bytes)) => return Some(Frame::Binary(bytes.to_vec())),
                    Ok(Message::Close(_)) | Err(_) => return None,
                    Ok(_) => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, read).await.expect("a message in time")
    }

    /// The messages up to one of this type that matches.
    pub async fn until(&mut self, kind: &str, wanted: impl Fn(&Value) -> bool) -> Vec<Frame> {
        let mut frames = Vec::new();
        loop {
            let frame = self.next().await.expect("an open socket");
            let ends = frame.kind() == kind && wanted(frame.data());
            frames.push(frame);
            if ends {
                return frames;
            }
        }
    }

    /// The messages of a job, until its end.
    pub async fn whole(&mut self) -> Vec<Frame> {
        self.until("executing", |data| data["node"].is_null()).await
    }

    pub async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(200), self.0.next()).await.is_err()
    }
}

fn kinds(frames: &[Frame]) -> Vec<&str> {
    frames.iter().map(Frame::kind).collect()
}

/// Connects a scripted worker.
async fn with_scripted(site: &Site) -> Scripted {
    with_scripted_as(site, Options::default()).await
}

/// The same with these options.
pub async fn with_scripted_as(site: &Site, options: Options) -> Scripted {
    let server = Scripted::start(options).expect("a server");
    let connections = {
        let (arbiter, reports) = (actix_rt::Arbiter::current(), site.core.fleet.reports());
        let files = Arc::new(site.core.files.clone());
        Fleet::start(&arbiter, &site.core.supervisor, files, reports, connection::Settings::default())
    };
    site.core.fleet.connect(connections.recipient());
    let worker = NewWorker { name: "scripted".to_owned(), url: server.url(), pool: "cpu".to_owned(), home: None };
    fleet::start(&site.core, &[worker]).await.expect("a fleet");
    jobs::start(&site.core.core);
    let connected = async {
        while site.core.fleet.roster().connected_in("cpu") == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, connected).await.expect("the worker is connected");
    server
}

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).expect("JSON")
}

async fn caller(site: &Site, who: &Browser) -> Caller {
    let me: Value = site.get(who, "/api/auth").await.json().await.expect("JSON");
    Caller::customer(UserId(text(&me, "_id").parse().expect("an id")))
}

/// Queues a prompt as a ComfyUI client does, and returns its job and the client's id of it.
async fn queue(site: &Site, who: &Browser, client: &str, prompt_id: Option<Uuid>) -> (JobId, String) {
    let prompt = json!({
        "1": { "class_type": "EmptyImage", "inputs": { "width": 16, "height": 8, "batch_size": 1, "color": 1 } },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "test" } },
    });
    let submit = PromptSubmit {
        prompt: raw(&prompt),
        files: std::collections::HashMap::new(),
        extra_data: Some(raw(&json!({ "extra_pnginfo": { "workflow": {} }, "client_id": client }))),
        strict: false,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    let call = PromptCall { prompt_id, client_id: Some(client.to_owned()), ..PromptCall::default() };
    let caller = caller(site, who).await;
    let (submitted, prompt) = jobs::submit_client_prompt(&site.core, &caller, submit, call).await.expect("a job");
    (submitted.id, prompt.prompt_id.to_string())
}

#[actix_web::test]
async fn client_gets_the_messages_of_its_job_in_comfyuis_order() {
    // A slow machine stores an output later, and the order is the same.
    let site = Site::with(|settings| settings.jobs.output_hold_seconds = 600).await;
    let (ann, bob) = (site.person().await, site.person().await);
    let server = with_scripted(&site).await;
    let mut socket = Socket::of(&site, &ann, CLIENT).await;
    let mut other_tab = Socket::of(&site, &ann, "another").await;
    let mut stranger = Socket::of(&site, &bob, CLIENT).await;
    socket.say("not JSON").await;
    socket.say(FEATURES).await;
    let flags = socket.next().await.expect("features");
    assert_eq!((flags.kind(), &flags.data()["supports_preview_metadata"]), ("feature_flags", &json!(true)));

    let metadata = json!({ "node_id": "1", "prompt_id": THIS_PROMPT, "image_type": "image/jpeg" });
    let preview = Step::Preview { metadata, bytes: b"JPEG".as_slice().into() };
    let outputs = json!({ "images": [{ "filename": "test_00001_.png", "subfolder": "", "type": "output" }] });
    let run = Run::success(&["1".to_owned(), "2".to_owned()], &[("2".to_owned(), outputs)], Duration::ZERO);
    server.script(run.with_before("progress_state", preview));
    let (job, prompt_id) = queue(&site, &ann, CLIENT, Some(Uuid::from_u128(7))).await;
    let frames = socket.whole().await;
    let expected = [
        "status",
        "status",
        "execution_start",
        "execution_cached",
        "executing",
        "binary",
        "progress_state",
        "executing",
        "progress_state",
        "executed",
        "execution_success",
        "status",
        "executing",
    ];
    assert_eq!(kinds(&frames), expected);
    let remaining: Vec<&Value> =
        frames.iter().filter_map(|it| it.data().pointer("/status/exec_info/queue_remaining")).collect();
    assert_eq!(remaining, [1, 1, 0]);
    let own = frames.iter().filter(|frame| !["status", "binary"].contains(&frame.kind()));
    for frame in own {
        assert_eq!(frame.data()["prompt_id"], prompt_id, "{frame:?}");
    }
    assert_eq!(frames[6].data()["nodes"]["1"]["prompt_id"], prompt_id);
    let Frame::Binary(preview) = &frames[5] else { panic!("a preview") };
    assert_eq!(preview[..4], [0, 0, 0, 4]);
    assert!(preview.ends_with(b"JPEG") && !preview.windows(36).any(|part| part == job.to_string().as_bytes()));
    let file = &frames[9].data()["output"]["images"][0];
    let (name, folder) = (text(file, "filename"), text(file, "subfolder"));
    let view = format!("/comfyui-editor/api/view?filename={name}&subfolder={folder}&type=output");
    assert_eq!(site.get(&ann, &view).await.status(), 200, "the file cannot be viewed: {file}");
    assert_eq!(site.get(&bob, &view).await.status(), 404);

    let of_others = other_tab.until("status", |data| data["status"]["exec_info"]["queue_remaining"] == 0).await;
    assert!(kinds(&of_others).iter().all(|kind| *kind == "status"), "{of_others:?}");
    assert!(stranger.is_silent().await, "a client id is no authority over another account's jobs");
    site.finish().await;
}

#[actix_web::test]
async fn client_that_reconnects_gets_what_it_missed() {
    let site = Site::start().await;
    let ann = site.person().await;
    let server = with_scripted(&site).await;
    let held = Run::success(&["1".to_owned(), "2".to_owned()], &[], Duration::ZERO);
    server.script(held.with_before("execution_success", Step::Hold));
    let mut socket = Socket::of(&site, &ann, CLIENT).await;
    let (_, prompt_id) = queue(&site, &ann, CLIENT, None).await;
    let saves = |data: &Value| data["nodes"].get("2").is_some();
    socket.until("progress_state", saves).await;
    drop(socket);

    // A page that was reloaded while the job runs.
    let mut reloaded = Socket::of(&site, &ann, CLIENT).await;
    let running = reloaded.next().await.expect("the running node");
    assert_eq!(running.kind(), "executing");
    reloaded.say(FEATURES).await;
    let frames = reloaded.until("progress_state", saves).await;
    let start = frames.iter().find(|frame| frame.kind() == "execution_start").expect("a start");
    assert_eq!(start.data()["prompt_id"], prompt_id);
    drop(reloaded);
    server.release();
    let ended = async {
        while jobs::count_active_client_prompts(&site.core, &caller(&site, &ann).await).await.expect("a count") > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.expect("the job ends");

    // A page that was away when it ended.
    let mut late = Socket::of(&site, &ann, CLIENT).await;
    assert!(late.is_silent().await, "a plain client gets nothing about ended jobs, as from ComfyUI");
    late.say(FEATURES).await;
    let frames = late.whole().await;
    let shown: Vec<&str> = kinds(&frames).into_iter().filter(|kind| *kind != "status").collect();
    assert!(shown.starts_with(&["feature_flags", "execution_start"]), "{shown:?}");
    assert!(shown.ends_with(&["execution_success", "executing"]), "{shown:?}");
    site.finish().await;
}

#[actix_web::test]
async fn error_of_a_node_is_sent_with_its_node() {
    let site = Site::start().await;
    let ann = site.person().await;
    let server = with_scripted(&site).await;
    server.script(Run::failure(&["1".to_owned()], Duration::ZERO));
    let mut socket = Socket::of(&site, &ann, CLIENT).await;
    let (_, prompt_id) = queue(&site, &ann, CLIENT, None).await;
    let frames = socket.whole().await;
    assert_eq!(kinds(&frames)[frames.len() - 3..], ["execution_error", "status", "executing"]);
    let error = frames[frames.len() - 3].data();
    assert_eq!((&error["node_id"], &error["prompt_id"]), (&json!("1"), &json!(prompt_id)));
    assert_eq!(error["exception_type"], "RuntimeError");
    site.finish().await;
}

#[actix_web::test]
async fn text_of_a_node_reaches_only_its_prompts_client() {
    let site = Site::start().await;
    let ann = site.person().await;
    let server = with_scripted(&site).await;
    let frame = |node: &[u8]| {
        let mut frame = vec![0, 0, 0, 3, 0, 0, 0, 1];
        frame.extend_from_slice(node);
        frame.extend_from_slice(b"48 x 32");
        frame
    };
    let run = Run::success(&["1".to_owned(), "2".to_owned()], &[], Duration::ZERO);
    let run = run.with_before("execution_success", Step::Binary(frame(b"2").into()));
    server.script(run.with_before("execution_success", Step::Binary(frame(b"9").into())));
    let mut socket = Socket::of(&site, &ann, CLIENT).await;
    queue(&site, &ann, CLIENT, None).await;
    let frames = socket.whole().await;
    let texts: Vec<&Frame> = frames.iter().filter(|frame| frame.kind() == "binary").collect();
    assert_eq!(texts, [&Frame::Binary(frame(b"2"))], "a text of a node that the prompt does not have was sent");
    site.finish().await;
}

#[actix_web::test]
async fn waiting_job_that_is_canceled_changes_only_the_count() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (_worker, _folder) = standing_still(&site).await;
    let mut socket = Socket::of(&site, &ann, CLIENT).await;
    let (job, _) = queue(&site, &ann, CLIENT, None).await;
    let count = |wanted: i64| move |data: &Value| data["status"]["exec_info"]["queue_remaining"] == wanted;
    assert_eq!(socket.until("status", count(1)).await.len(), 1);
    jobs::cancel(&site.core, &caller(&site, &ann).await, job).await.expect("a cancel");
    assert_eq!(kinds(&socket.until("status", count(0)).await), ["status"]);
    site.finish().await;
}

#[actix_web::test]
async fn socket_needs_its_own_page_and_ends_with_the_session() {
    let site = Site::start().await;
    let ann = site.person().await;
    let guest = Browser::default();
    assert_eq!(Socket::open(&site, &guest, "", None).await.err(), Some(401));
    assert_eq!(Socket::open(&site, &guest, "?token=vg_wrong", None).await.err(), Some(401));
    assert_eq!(Socket::open(&site, &ann, "", Some("https://elsewhere.example")).await.err(), Some(403));
    let mut socket = Socket::open(&site, &ann, "", Some(&site.url)).await.expect("a socket of our page");
    let greeting = socket.next().await.expect("a greeting");
    let sid = text(greeting.data(), "sid");
    assert!(sid.len() == 32 && sid.chars().all(|letter| letter.is_ascii_hexdigit()), "{sid}");
    let upgrade = site.get(&ann, "/comfyui-editor/ws").await;
    assert_eq!(upgrade.status(), 426);

    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key: Value = made.json().await.expect("JSON");
    let by_token = format!("?clientId=x&token={}", text(&key, "key"));
    let mut by_token = Socket::open(&site, &guest, &by_token, None).await.expect("a socket with a key");
    assert_eq!(by_token.next().await.expect("a greeting").data()["sid"], "x");
    let revoke = format!("/api/general/api-key/{}", text(&key, "_id"));
    assert_eq!(site.send(&ann, Method::DELETE, &revoke, &json!({})).await.status(), 204);
    assert_eq!(by_token.next().await, None, "a socket lives on after its key");

    assert_eq!(site.send(&ann, Method::POST, "/api/auth/logout", &json!({})).await.status(), 204);
    assert_eq!(socket.next().await, None, "a socket lives on after its session");
    site.finish().await;
}
