//! The built-in worker beside the real server: a process that neither outlives the node nor ends it.

#[path = "builtin/leaver.rs"]
mod leaver;
mod node;
#[path = "builtin/shapes.rs"]
mod shapes;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use verdigraph_core::testing::TestDatabase;

use node::{Node, api_key};
use shapes::pictures;

/// Timeout of every wait.
const PATIENCE: Duration = Duration::from_secs(120);
/// `worker.memory_bytes` of the settings.
const WORKER_BYTES: u64 = 2 << 30;
/// Limit of the API process's growth, for any job, upload or view.
const API_BYTES: u64 = 50 << 20;

async fn until<T>(what: &str, mut found: impl AsyncFnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found().await {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "{what} did not come about");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The worker's process: the node's only child with this executable.
fn worker_of(node: u32) -> Option<u32> {
    let children = std::fs::read_to_string(format!("/proc/{node}/task/{node}/children")).ok()?;
    children.split_whitespace().filter_map(|id| id.parse().ok()).find(|id| {
        std::fs::read(format!("/proc/{id}/cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains("--watched"))
    })
}

fn lives(process: u32) -> bool {
    // An ended process stays as a zombie until its parent reads its status.
    std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn kill(process: u32) {
    assert!(std::process::Command::new("kill").args(["-9", &process.to_string()]).status().expect("kill").success());
}

/// A process's peak memory in bytes.
fn peak(process: u32) -> u64 {
    told(process, "VmHWM:")
}

/// A value of `/proc` for a process, in bytes.
fn told(process: u32, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let told = status.lines().find_map(|told| told.strip_prefix(line)).unwrap_or_default();
    told.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() << 10
}

struct Program {
    http: reqwest::Client,
    url: String,
    key: String,
}

impl Program {
    /// Submits a prompt and waits for its end.
    async fn run(&self, prompt: Value) -> Value {
        self.submit(json!({ "prompt": prompt })).await
    }

    /// Submits a whole request body and waits for its end.
    async fn submit(&self, body: Value) -> Value {
        let submit = self.http.post(format!("{}/api/general/job/prompt", self.url)).header("api-key", &self.key);
        let response = submit.json(&body).send().await.expect("an answer");
        let status = response.status();
        let job: Value = response.json().await.expect("JSON");
        assert_eq!(status.as_u16(), 201, "{job}");
        let id = job["_id"].as_str().or(job["id"].as_str()).expect("an id").to_owned();
        until("the end of the job", async || {
            let url = format!("{}/api/general/job/{id}/status", self.url);
            let response = self.http.get(url).header("api-key", &self.key).send().await.ok()?;
            let job: Value = response.json().await.ok()?;
            let ended = !["Pending", "Connecting", "Connected", "Running"].contains(&job["status"].as_str()?);
            ended.then(|| json!({"_id": id, "status": job["status"]}))
        })
        .await
    }

    /// Uploads a picture; returns the asset's id.
    async fn upload(&self, name: &str, file: Vec<u8>) -> String {
        let part = reqwest::multipart::Part::bytes(file).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new().part("image", part);
        let url = format!("{}/api/general/asset/file/image", self.url);
        let response =
            self.http.post(url).header("api-key", &self.key).multipart(form).send().await.expect("an answer");
        let status = response.status();
        let asset: Value = response.json().await.expect("JSON");
        assert_eq!(status.as_u16(), 201, "{name}: {asset}");
        asset["_id"].as_str().expect("an id").to_owned()
    }

    /// Downloads every version of every file that a job made, as pages do. Returns the number of files.
    async fn look_at(&self, job: &Value) -> usize {
        let url = format!("{}/api/general/job/{}/api-outputs", self.url, job["_id"].as_str().expect("an id"));
        let outputs = self.http.get(url).header("api-key", &self.key).send().await.expect("an answer");
        let outputs = outputs.text().await.expect("a text");
        let keys: BTreeSet<&str> =
            outputs.split("/media/raw/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        // The part after the slash is the name under which a browser saves the file.
        let keys: BTreeSet<&str> = keys.into_iter().filter(|key| !key.contains('/')).collect();
        for key in &keys {
            for quality in ["raw", "w200", "w480", "w960", "optimal"] {
                let url = format!("{}/media/{quality}/{key}", self.url);
                let mut file = self.http.get(url).header("api-key", &self.key).send().await.expect("an answer");
                assert_eq!(file.status().as_u16(), 200, "{quality} of {key}");
                while file.chunk().await.expect("the file").is_some() {}
            }
        }
        keys.len()
    }
}

#[actix_web::test]
async fn builtin_worker_restarts_and_ends_with_its_node() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let first = worker_of(node.process.id()).expect("a process of its own");
    let program = Program { http: client(), url: node.url.clone(), key: api_key(&node.url).await };
    assert_eq!(program.run(pictures(64, 0..1)).await["status"], "Done");
    let health = program.http.get(format!("{}/api/health", node.url)).send().await.expect("an answer");
    assert_eq!(health.json::<Value>().await.expect("JSON")["builtinWorkerRestarts"], 0);

    let data = node.folder.path().join("data");
    closed(&data);

    kill(first);
    let second =
        until("a second worker", async || worker_of(node.process.id()).filter(|second| *second != first)).await;
    let job = program.run(pictures(64, 1..2)).await;
    assert_eq!(job["status"], "Done", "{job}");
    let metrics = program.http.get(format!("{}/metrics", node.url)).send().await.expect("an answer");
    let metrics = metrics.text().await.expect("a text");
    assert!(metrics.contains("verdigraph_builtin_worker_restarts_total 1"), "{metrics}");
    let health = program.http.get(format!("{}/api/health", node.url)).send().await.expect("an answer");
    let health: Value = health.json().await.expect("JSON");
    assert_eq!(health["builtinWorkerRestarts"], 1, "who looks at the health alone does not see it: {health}");

    kill(node.process.id());
    until("the end of the worker without its node", async || (!lives(second)).then_some(())).await;
}

#[actix_web::test]
async fn websocket_images_become_outputs() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let program = Program { http: client(), url: node.url.clone(), key: api_key(&node.url).await };
    let job = program
        .run(json!({
            "1": {"class_type": "EmptyImage", "inputs": {"width": 32, "height": 24, "batch_size": 1, "color": 1_122_867}},
            "2": {"class_type": "SaveImageWebsocket", "inputs": {"images": ["1", 0]}},
        }))
        .await;
    assert_eq!(job["status"], "Done", "{job}");
    let url = format!("{}/api/general/job/{}/api-outputs", node.url, job["_id"].as_str().expect("an id"));
    let outputs = program.http.get(url).header("api-key", &program.key).send().await.expect("an answer");
    let outputs: Value = outputs.json().await.expect("JSON");
    assert_eq!(outputs.to_string().matches("\"image/png\"").count(), 1, "one picture was sent: {outputs}");
}

/// Samples a process's memory continuously, relative to a baseline. Pages of its executable do not count: a debug build
/// has hundreds of megabytes that are read on demand.
struct Watch {
    most: Arc<AtomicU64>,
    before: u64,
    wrong: Vec<String>,
}

/// Sampling interval.
const LOOKED_AT_EVERY: Duration = Duration::from_millis(4);

impl Watch {
    fn over(process: u32) -> Self {
        let before = told(process, "RssAnon:");
        let most = Arc::new(AtomicU64::new(before));
        let ends = Arc::downgrade(&most);
        std::thread::spawn(move || {
            while let Some(most) = ends.upgrade() {
                most.fetch_max(told(process, "RssAnon:"), Ordering::Relaxed);
                drop(most);
                std::thread::sleep(LOOKED_AT_EVERY);
            }
        });
        Self { most, before, wrong: Vec::new() }
    }

    /// Records the process's growth, and whether it is too much.
    fn look(&mut self, name: &str) {
        let grown = self.most.swap(0, Ordering::Relaxed).saturating_sub(self.before);
        println!("{name}: the API has grown by {} MiB", grown >> 20);
        if grown > API_BYTES {
            self.wrong.push(format!("{name}: {} MiB", grown >> 20));
        }
    }
}

fn encoded(picture: &image::DynamicImage, format: image::ImageFormat) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, format).expect("a picture");
    file.into_inner()
}

/// Small files of large pictures, and large files.
fn uploads() -> Vec<(&'static str, Vec<u8>)> {
    let flat = image::DynamicImage::new_rgb8(9000, 9000);
    let deep = image::DynamicImage::new_rgba16(6000, 6000);
    let mut state = 1_u32;
    let noise = image::RgbImage::from_fn(2500, 2500, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, red, green, blue] = state.to_le_bytes();
        image::Rgb([red, green, blue])
    });
    vec![
        ("flat.png", encoded(&flat, image::ImageFormat::Png)),
        ("flat.jpg", encoded(&flat, image::ImageFormat::Jpeg)),
        ("flat.webp", encoded(&image::DynamicImage::new_rgb8(8000, 8000), image::ImageFormat::WebP)),
        ("deep.png", encoded(&deep, image::ImageFormat::Png)),
        ("noise.png", encoded(&noise.into(), image::ImageFormat::Png)),
    ]
}

#[actix_web::test]
async fn large_jobs_do_not_grow_the_node() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let worker = worker_of(node.process.id()).expect("a process of its own");
    let program = Program { http: client(), url: node.url.clone(), key: api_key(&node.url).await };
    assert_eq!(program.run(pictures(64, 0..1)).await["status"], "Done");
    let mut api = Watch::over(node.process.id());

    let job = program.run(shapes::wide()).await;
    assert_eq!(job["status"], "ExecuteError", "{job}");

    let mut strings = json!({"0": {"class_type": "PrimitiveString", "inputs": {"value": "x".repeat(1 << 16)}}});
    for step in 1..11 {
        let upstream = json!([(step - 1).to_string(), 0]);
        strings[step.to_string()] = json!({"class_type": "StringConcatenate", "inputs":
            {"string_a": upstream, "string_b": upstream, "delimiter": ""}});
    }
    for shown in 0..4 {
        strings[format!("p{shown}")] =
            json!({"class_type": "PreviewAny", "inputs": {"source": [(10 - shown).to_string(), 0]}});
    }
    program.run(strings).await;

    assert!(peak(worker) <= WORKER_BYTES, "the worker took {} MiB", peak(worker) >> 20);
    api.look("strings");
    assert!(api.wrong.is_empty(), "the API has grown: {:#?}", api.wrong);
    assert_eq!(worker_of(node.process.id()), Some(worker), "the worker was started again");
    assert_eq!(program.run(pictures(64, 2..3)).await["status"], "Done", "the next job suffers");
}

#[actix_web::test]
#[ignore = "takes ten minutes in a debug build, and the API grows by more than is aimed at: run it to measure by which shape"]
async fn odd_jobs_do_not_grow_the_node() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let worker = worker_of(node.process.id()).expect("a process of its own");
    let program = Program { http: client(), url: node.url.clone(), key: api_key(&node.url).await };
    let first = program.run(pictures(64, 0..1)).await;
    assert_eq!(first["status"], "Done");
    assert_eq!(program.look_at(&first).await, 1, "a small picture is looked at in all its forms");
    let mut api = Watch::over(node.process.id());

    let mut ended = BTreeMap::new();
    // In the second round everything is cached from the first.
    // To measure only some of them.
    let only = std::env::var("VERDIGRAPH_SHAPES").ok();
    let asked = |name: &str| only.as_ref().is_none_or(|only| only.split(',').any(|one| one == name));
    for (name, prompt) in
        shapes::all().into_iter().chain(shapes::all().into_iter().take(2)).filter(|(name, _)| asked(name))
    {
        let job = program.run(prompt).await;
        api.look(name);
        if job["status"] == "Done" {
            program.look_at(&job).await;
            api.look(&format!("{name}, looked at"));
        }
        ended.insert(name, job["status"].as_str().expect("a status").to_owned());
    }
    for (name, file) in uploads().into_iter().filter(|(name, _)| asked(name)) {
        let asset = program.upload(name, file).await;
        api.look(name);
        let job = program.submit(json!({ "prompt": shapes::loaded(name), "files": { name: asset } })).await;
        api.look(&format!("{name}, loaded"));
        ended.insert(name, job["status"].as_str().expect("a status").to_owned());
    }
    let endless = json!({ "prompt": shapes::listed(1_900_000) });
    let submit = program.http.post(format!("{}/api/general/job/prompt", program.url)).header("api-key", &program.key);
    assert_eq!(submit.json(&endless).send().await.expect("an answer").status().as_u16(), 400);
    api.look("endless");
    println!("{ended:?}");
    assert!(api.wrong.is_empty(), "the API has grown: {:#?}", api.wrong);
    assert!(peak(worker) <= WORKER_BYTES, "the worker took {} MiB", peak(worker) >> 20);
    assert_eq!(worker_of(node.process.id()), Some(worker), "the worker was started again");
    let fits = ["large", "batched", "noisy", "noisy batch", "masks", "sent", "noise.png"].map(|name| (name, "Done"));
    for (name, as_expected) in fits.into_iter().chain([("wide", "ExecuteError")]).filter(|(name, _)| asked(name)) {
        assert_eq!(ended[name], as_expected, "{name}");
    }
    assert_eq!(program.run(pictures(64, 2..3)).await["status"], "Done", "the next job suffers");
}

#[actix_web::test]
async fn malformed_http_is_not_logged_as_an_error() {
    use std::io::{Read as _, Write as _};
    let database = TestDatabase::new().await;
    let mut node = Node::launch(database.url(), "info", std::process::Stdio::piped());
    let address = node.url.trim_start_matches("http://").to_owned();
    for sent in [&b"\x16\x03\x01\x02\x00\x01\x00"[..], b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0\0\0\0\r\n\r\n"] {
        let mut stream = std::net::TcpStream::connect(&address).expect("a connection");
        stream.write_all(sent).expect("bytes that leave");
        stream.shutdown(std::net::Shutdown::Write).expect("an end");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok();
    }
    // Other log messages of the node still appear.
    let ready = client().get(format!("{}/api/health", node.url)).send().await.expect("an answer");
    assert!(ready.status().as_u16() < 600);
    node.process.kill().expect("an end");
    let mut log = String::new();
    node.process.stderr.take().expect("a log").read_to_string(&mut log).expect("a text");
    assert!(log.contains("INFO"), "nothing is logged at all: {log}");
    assert!(!log.contains("ERROR"), "{log}");
}

fn client() -> reqwest::Client {
    rustls::crypto::ring::default_provider().install_default().ok();
    // The server closes connections that idle for longer, perhaps while a request is being written.
    reqwest::Client::builder().no_proxy().pool_idle_timeout(Duration::from_secs(1)).build().expect("a client")
}

/// What was read; `None` if the node or its worker has deleted it since it was listed.
fn if_there<T>(read: std::io::Result<T>) -> Option<T> {
    match read {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        read => Some(read.expect("a readable file or folder")),
    }
}

/// A folder, and all folders and files below it.
fn tree(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    let entries = if_there(std::fs::read_dir(folder)).into_iter().flatten();
    for path in entries.filter_map(if_there).map(|entry| entry.path()) {
        if path.is_dir() { found.extend(tree(&path)) } else { found.push(path) }
    }
    found
}

/// Asserts that others can read nothing below a data folder.
fn closed(folder: &Path) {
    assert!(folder.is_dir(), "{} is no folder", folder.display());
    for path in tree(folder) {
        let Some(metadata) = if_there(std::fs::metadata(&path)) else { continue };
        assert_eq!(Permissions::mode(&metadata.permissions()) & 0o077, 0, "{}", path.display());
    }
}
