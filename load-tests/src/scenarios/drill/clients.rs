//! The clients of a drill. Each submits its jobs with an idempotency key and retries until there is an answer.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::CLIENTS;
use super::plan::{Job, Plan};
use crate::app::{COVER, TAG};
use crate::error::{Error, Result};

/// Timeout of a request that must be answered, and is repeated.
const PATIENCE: Duration = Duration::from_secs(10);
/// Timeout of the requests before the drill, which are sent once.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(60);
/// The first and the longest pause before a retry.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

/// Accounts of the drill and their mini app.
#[derive(Debug)]
pub struct People {
    http: reqwest::Client,
    /// The nodes, which are used in turn.
    servers: Vec<String>,
    asked: AtomicUsize,
    /// One API key per account.
    keys: Vec<String>,
    app: String,
}

impl People {
    /// Signs up accounts, creates a key for each, and publishes a mini app.
    pub async fn arrive(servers: Vec<String>, count: usize) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().connect_timeout(Duration::from_secs(2)).build()?;
        let mut people = Self { http, servers, asked: AtomicUsize::new(0), keys: Vec::new(), app: String::new() };
        for number in 0..count {
            people.keys.push(people.sign_up(number).await?);
        }
        people.app = people.publish().await?;
        Ok(people)
    }

    /// The next node.
    fn server(&self) -> &str {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) % self.servers.len().max(1);
        self.servers.get(asked).map_or("", String::as_str)
    }

    async fn sign_up(&self, number: usize) -> Result<String> {
        let form = json!({
            "email": format!("drill-{number}@example.com"), "password": "a password for a drill",
            "name": format!("drill {number}"), "language": "en", "termsAccepted": true, "privacyAccepted": true,
        });
        let url = format!("{}/api/auth/signup/email-password", self.server());
        let answer = self.http.post(url).timeout(ARRIVAL_TIMEOUT).json(&form).send().await?.error_for_status()?;
        let cookies: HashMap<String, String> = answer
            .headers()
            .get_all("set-cookie")
            .iter()
            .filter_map(|value| value.to_str().ok()?.split(';').next()?.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let cookie: Vec<String> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let xsrf = cookies.get("XSRF-TOKEN").cloned().unwrap_or_default();
        let request = self.http.post(format!("{}/api/general/api-key", self.server())).timeout(ARRIVAL_TIMEOUT);
        let request = request.header("cookie", cookie.join("; ")).header("x-xsrf-token", xsrf);
        let made: Value = request.json(&json!({"name": "drill"})).send().await?.error_for_status()?.json().await?;
        text(&made, "key")
    }

    async fn publish(&self) -> Result<String> {
        let graph = graph(0);
        let image = Part::bytes(COVER).file_name("cover.png");
        let upload =
            self.request(Method::POST, "general/asset/file/image", 0).multipart(Form::new().part("image", image));
        let cover: Value = upload.timeout(ARRIVAL_TIMEOUT).send().await?.error_for_status()?.json().await?;
        let workflow = json!({"name": "Drill", "prompt": {"output": graph}, "isPrivate": false,
            "thumbnails": [text(&cover, "_id")?], "workflowTags": [TAG]});
        let workflow = self.make("general/workflow", &workflow).await?;
        let input = json!({"order": 1, "id": "1", "name": "color", "nodeName": "EmptyImage",
            "adapter": {"apiFieldName": "color"}});
        let output = json!({"id": "2", "order": 1, "name": "Picture"});
        let app = json!({"workflow": workflow, "inputs": {"1.color": input}, "outputs": {"2": output}});
        self.make("general/workflow-api", &app).await
    }

    async fn make(&self, path: &str, body: &Value) -> Result<String> {
        let answer = self.request(Method::POST, path, 0).timeout(ARRIVAL_TIMEOUT).json(body).send().await?;
        let (status, body) = (answer.status(), answer.text().await?);
        if status != StatusCode::CREATED {
            return Err(Error::Other(format!("{path} was answered {status}: {body}")));
        }
        text(&serde_json::from_str(&body).unwrap_or_default(), "_id")
    }

    /// An API request with an account's key.
    pub fn request(&self, method: Method, path: &str, account: usize) -> RequestBuilder {
        let key = self.keys.get(account).map_or("", String::as_str);
        self.http.request(method, format!("{}/api/{path}", self.server())).header("api-key", key).timeout(PATIENCE)
    }

    /// The submit request of a job, the same for every retry.
    fn submit(&self, number: usize, job: &Job) -> RequestBuilder {
        let request = if job.by_form {
            let form = json!({"color": number});
            self.request(Method::POST, &format!("general/job/workflow-api/{}", self.app), job.account).json(&form)
        } else {
            self.request(Method::POST, "general/job/prompt", job.account).json(&json!({"prompt": graph(number)}))
        };
        request.header("idempotency-key", key(number))
    }

    /// A job's status for its owner.
    pub async fn status(&self, account: usize, id: Uuid) -> Result<String> {
        let path = format!("general/job/{id}/status");
        let view: Value = asked(|| self.request(Method::GET, &path, account)).await?.json().await?;
        text(&view, "status")
    }

    /// The number of a job's pictures that its owner can download.
    pub async fn pictures(&self, account: usize, id: Uuid) -> Result<usize> {
        let path = format!("general/job/{id}/api-outputs");
        let nodes: Value = asked(|| self.request(Method::GET, &path, account)).await?.json().await?;
        let mut found = 0;
        for node in nodes.as_array().into_iter().flatten() {
            for image in node.pointer("/outputs/images").and_then(Value::as_array).into_iter().flatten() {
                let url = text(image, "url")?;
                let url = if url.starts_with('/') { format!("{}{url}", self.server()) } else { url };
                let key = self.keys.get(account).map_or("", String::as_str);
                let answer = asked(|| self.http.get(&url).header("api-key", key).timeout(PATIENCE)).await?;
                found += usize::from(answer.bytes().await?.starts_with(b"\x89PNG"));
            }
        }
        Ok(found)
    }

    /// Submits a job again. Returns the id in the answer.
    pub async fn again(&self, number: usize, job: &Job) -> Result<Uuid> {
        id_of(&asked(|| self.submit(number, job)).await?.json().await?)
    }
}

/// Retries until there is a successful answer: connections from before a kill break at their next use.
async fn asked(request: impl Fn() -> RequestBuilder) -> Result<Response> {
    for _ in 0..CLIENTS {
        match request().send().await {
            Err(error) if !error.is_timeout() => {}
            other => return Ok(other?.error_for_status()?),
        }
    }
    Ok(request().send().await?.error_for_status()?)
}

/// The idempotency key of a job.
#[must_use]
pub fn key(number: usize) -> String {
    format!("drill-{number}")
}

/// One picture. The scripted workers know both nodes.
fn graph(color: usize) -> Value {
    json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 1, "color": color}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "drill"}},
    })
}

fn text(value: &Value, key: &str) -> Result<String> {
    let text = value.get(key).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| Error::Other(format!("an answer without {key}: {value}")))
}

fn id_of(answer: &Value) -> Result<Uuid> {
    text(answer, "_id")?.parse().map_err(|_| Error::Other(format!("an answer with another id: {answer}")))
}

/// Shared state and observations of the clients.
#[derive(Debug, Default)]
pub struct Progress {
    next: AtomicUsize,
    pub accepted: AtomicUsize,
    /// Ended jobs in the table.
    pub ended: AtomicUsize,
    notes: Mutex<ClientNotes>,
}

/// The answers that clients got.
#[derive(Debug, Default, Clone)]
pub struct ClientNotes {
    /// The id of each job by number.
    pub ids: BTreeMap<usize, Uuid>,
    /// Reasons of retries, and their counts.
    pub repeated: BTreeMap<String, usize>,
    /// Answers that no client should get.
    pub wrong: Vec<String>,
    /// Answered cancels.
    pub canceled: usize,
}

impl Progress {
    /// The sum of accepted and ended jobs.
    #[must_use]
    pub fn sum(&self) -> usize {
        self.accepted.load(Ordering::Relaxed) + self.ended.load(Ordering::Relaxed)
    }

    pub fn notes(&self) -> MutexGuard<'_, ClientNotes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts clients that submit all jobs in order, with at most `window` of them in progress.
pub fn start(window: usize, plan: &Arc<Plan>, people: &Arc<People>, all: &Arc<Progress>) -> JoinSet<()> {
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let (plan, people, all) = (Arc::clone(plan), Arc::clone(people), Arc::clone(all));
        clients.spawn(async move {
            loop {
                let number = all.next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = plan.jobs.get(number) else { return };
                while all.accepted.load(Ordering::Relaxed) >= all.ended.load(Ordering::Relaxed) + window {
                    tokio::time::sleep(FIRST_PAUSE).await;
                }
                let submit = || people.submit(number, job).timeout(job.patience);
                let Some(answer) = insist(&all, submit, job.patience, StatusCode::CREATED).await else { continue };
                match id_of(&answer) {
                    Ok(id) => {
                        all.notes().ids.insert(number, id);
                        all.accepted.fetch_add(1, Ordering::Relaxed);
                        if let Some(pause) = job.cancel_after {
                            tokio::time::sleep(pause).await;
                            let path = format!("general/job/{id}/cancel");
                            let cancel = || people.request(Method::POST, &path, job.account);
                            if insist(&all, cancel, PATIENCE, StatusCode::OK).await.is_some() {
                                all.notes().canceled += 1;
                            }
                        }
                    }
                    Err(error) => all.notes().wrong.push(error.to_string()),
                }
            }
        });
    }
    clients
}

/// Repeats a request until it is answered with `wanted`. `None` if it was finally refused, which is recorded.
async fn insist(
    all: &Progress,
    request: impl Fn() -> RequestBuilder,
    patience: Duration,
    wanted: StatusCode,
) -> Option<Value> {
    let mut pause = FIRST_PAUSE;
    let mut patience = patience;
    loop {
        let why = match request().timeout(patience).send().await {
            Ok(answer) if answer.status() == wanted => match answer.json().await {
                Ok(value) => return Some(value),
                Err(_) => "the answer broke off".to_owned(),
            },
            Ok(answer) => {
                let status = answer.status();
                let says_when = answer.headers().contains_key("retry-after");
                let body = answer.text().await.unwrap_or_default();
                if !matches!((status.as_u16(), says_when), (409, _) | (429 | 503, true)) {
                    all.notes().wrong.push(format!("{status}: {body}"));
                    return None;
                }
                let code = serde_json::from_str::<Value>(&body).ok();
                let code = code.as_ref().and_then(|body| body.get("code")).and_then(Value::as_str);
                format!("{} {}", status.as_u16(), code.unwrap_or_default())
            }
            Err(error) if error.is_timeout() => "no answer in time".to_owned(),
            Err(_) => "the connection broke or was refused".to_owned(),
        };
        *all.notes().repeated.entry(why).or_default() += 1;
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
        // Waits longer with each retry, or a slow machine would never answer in time.
        patience = (patience * 2).min(PATIENCE);
    }
}
