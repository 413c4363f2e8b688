//! Graphs stay as written when they are saved, read, downloaded, copied, exported and run in every way. The worker's
//! input is compared with the sent text.

#[path = "written/graphs.rs"]
mod graphs;
#[expect(dead_code, reason = "shared with the tests of what a node does")]
mod node;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use verdigraph_core::graph::compacted;
use verdigraph_core::testing::{MP4, TestDatabase};
use verdigraph_scripted::{Options, Scripted};

use graphs::{Dice, drawn, prompt};
use node::{BINARY, Node, api_key};

const WORKFLOWS: usize = 60;
/// Timeout of every wait.
const PATIENCE: Duration = Duration::from_secs(120);

/// A node whose only worker is a scripted one that knows the class `Odd`.
struct Platform {
    node: Node,
    server: Scripted,
    http: reqwest::Client,
    key: String,
    _folder: tempfile::TempDir,
}

impl Platform {
    async fn start(database: &TestDatabase) -> Self {
        let mut options = Options::default();
        options.object_info["Odd"] = json!({
            "input": { "required": {
                "strength": ["FLOAT", {"default": 1.0}], "seed": ["INT", {"default": 0}],
                "text": ["STRING", {"multiline": true}], "marker": ["STRING", {"multiline": true}],
            }, "optional": { "images": ["IMAGE"] } },
            "output": ["IMAGE"], "output_is_list": [false], "output_name": ["IMAGE"], "name": "Odd",
            "display_name": "Odd", "description": "", "python_module": "nodes", "category": "t", "output_node": false,
        });
        let upload = |name: &str, flag: &str, kind: &str| {
            json!({
                "input": { "required": { name: [["example"], {flag: true}] } }, "output": [kind],
                "output_is_list": [false], "output_name": [kind], "name": kind, "display_name": kind, "description": "",
                "python_module": "nodes", "category": "t", "output_node": true,
            })
        };
        options.object_info["LoadVideo"] = upload("file", "video_upload", "VIDEO");
        options.object_info["LoadAudio"] = upload("audio", "audio_upload", "AUDIO");
        let server = Scripted::start(options).expect("a server");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("workers.toml");
        let worker = format!("[[worker]]\nname = \"odd\"\nurl = \"{}\"\npool = \"cpu\"\n", server.url());
        std::fs::write(&file, worker).expect("a list of workers");
        let file = file.display().to_string();
        let settings = [
            ("VERDIGRAPH_FILES_WORKERS", file.as_str()),
            ("VERDIGRAPH_WORKER_BUILTIN", "false"),
            ("VERDIGRAPH_LIMITS_REQUESTS_PER_MINUTE_PER_ADDRESS", "100000"),
        ];
        let node = Node::with(database.url(), &settings, Stdio::inherit());
        let key = api_key(&node.url).await;
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        server.heard("socket opened", 1).await;
        let platform = Self { node, server, http, key, _folder: folder };
        let known = async || platform.json("/api/general/object-info").await.get("Odd").cloned();
        platform.until("what the worker knows", known).await;
        platform
    }

    async fn until<T>(&self, what: &str, mut found: impl AsyncFnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = found().await {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "{what} did not come about");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn get(&self, path: &str) -> String {
        let request = self.http.get(format!("{}{path}", self.node.url)).header("api-key", &self.key);
        request.send().await.expect("an answer").text().await.expect("a text")
    }

    async fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path).await).unwrap_or_default()
    }

    /// Sends a body as it is; returns the response's id.
    async fn send(&self, method: Method, path: &str, body: String) -> Value {
        let request = self.http.request(method, format!("{}{path}", self.node.url)).header("api-key", &self.key);
        let answer = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        let status = answer.status();
        let text = answer.text().await.expect("a text");
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The export of the key's owner, which needs a browser session.
    async fn exported(&self) -> String {
        let form = json!({ "email": "program@example.com", "password": "a long enough one" });
        let login = self.http.post(format!("{}/api/auth/login/email-password", self.node.url)).json(&form);
        let login = login.send().await.expect("an answer");
        let cookies =
            login.headers().get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        let cookies = cookies.collect::<Vec<_>>().join("; ");
        let request = self.http.get(format!("{}/api/auth/me/export", self.node.url)).header("cookie", cookies);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), 200);
        answer.text().await.expect("a text")
    }

    /// The texts of the prompts with this marker that the worker received.
    fn received(&self, marker: &str) -> Vec<String> {
        let marker = format!("\"{marker}\"");
        let bodies = self.server.posted().into_iter().filter(|body| body.contains(&marker));
        bodies.map(|body| compacted(serde_json::from_str::<Posted>(&body).expect("a post").prompt.get())).collect()
    }

    /// Waits until the worker has received this marker's prompts `times` times, each as expected.
    async fn must_receive(&self, marker: &str, times: usize, expected: &str) {
        let received =
            self.until(marker, async || Some(self.received(marker)).filter(|received| received.len() >= times));
        for text in received.await {
            assert_eq!(text, expected, "{marker}");
        }
    }
}

#[derive(Deserialize)]
struct Posted {
    prompt: Box<RawValue>,
}

#[derive(Deserialize)]
struct Graph {
    workflow: Box<RawValue>,
    output: Box<RawValue>,
}

struct Case {
    marker: String,
    /// As sent.
    prompt: String,
    drawn: String,
}

impl Case {
    fn compact(&self) -> [String; 2] {
        [compacted(&self.drawn), compacted(&self.prompt)]
    }
}

fn cases() -> Vec<Case> {
    let mut dice = Dice(30);
    (0..WORKFLOWS)
        .map(|number| {
            let marker = format!("case-{number}-end");
            Case { prompt: prompt(&mut dice, &marker), drawn: drawn(&mut dice), marker }
        })
        .collect()
}

fn id(answer: &Value) -> String {
    answer["_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// A workflow's graph as pages read it.
async fn graph(platform: &Platform, workflow: &str) -> [String; 2] {
    let told = platform.json(&format!("/api/general/workflow/{workflow}?select=prompt%20name")).await;
    let graph: Graph = serde_json::from_str(told["prompt"].as_str().expect("a graph")).expect("a graph");
    [graph.workflow, graph.output].map(|text| text.get().to_owned())
}

#[actix_web::test]
async fn workflows_keep_every_digit_when_saved_copied_exported_and_run() {
    let database = TestDatabase::new().await;
    let platform = Platform::start(&database).await;
    let cases = cases();
    let mut whole = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let written = case.compact();
        let graph_text = format!(r#"{{"workflow": {}, "output": {}}}"#, case.drawn, case.prompt);
        // As an object, or as its text.
        let sent = if number % 2 == 0 { graph_text } else { Value::from(graph_text).to_string() };
        let body = format!(r#"{{"name": "{}", "prompt": {sent}}}"#, case.marker);
        let made = id(&platform.send(Method::POST, "/api/general/workflow", body).await);
        assert_eq!(graph(&platform, &made).await, written, "{}", case.marker);
        let file = platform.get(&format!("/api/general/workflow/{made}/download")).await;
        assert_eq!(compacted(&file), written[0], "{}", case.marker);
        let copy = format!(r#"{{"workflow": "{made}"}}"#);
        let copied = id(&platform.send(Method::POST, "/api/general/workflow/copy", copy).await);
        assert_eq!(graph(&platform, &copied).await, written, "{}", case.marker);
        // Versions that differ only in digits are different.
        let other =
            format!(r#"{{"prompt": {{"output": {{"1": {{"class_type": "Odd", "inputs": {{"a": 1.0{number}0}}}}}}}}}}"#);
        platform.send(Method::PATCH, &format!("/api/general/workflow/{copied}"), other).await;
        assert!(graph(&platform, &copied).await[1].contains(&format!("1.0{number}0")), "{}", case.marker);
        whole.push(format!(r#""graph":{{"workflow":{},"output":{}}}"#, written[0], written[1]));

        let body = format!(r#"{{"prompt": {}, "extraData": {{"odd": 1.10}}}}"#, case.prompt);
        let job = id(&platform.send(Method::POST, "/api/general/job/prompt", body).await);
        platform.must_receive(&case.marker, 1, &written[1]).await;
        platform
            .until("the job's end", async || {
                let status = platform.json(&format!("/api/general/job/{job}/status")).await;
                (status["status"] == "Done").then_some(())
            })
            .await;
        platform.send(Method::POST, &format!("/api/general/job/{job}/again"), "{}".to_owned()).await;
    }
    let exported = platform.exported().await;
    for (case, graph) in cases.iter().zip(&whole) {
        assert!(exported.contains(graph), "{} is another one in the export", case.marker);
    }

    // All of them in one file, which begins with a byte-order mark.
    let lines =
        cases.iter().map(|case| format!(r#"{{"key": "{}", "prompt": {}}}"#, case.marker, compacted(&case.prompt)));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("items.ndjson");
    std::fs::write(&file, format!("\u{feff}{}", lines.collect::<Vec<_>>().join("\n"))).expect("a file");
    let client = || {
        let mut command = Command::new(BINARY);
        command.args(["run", "--server", &platform.node.url, "--api-key", &platform.key]);
        command
    };
    let ended = client().arg("--wait").arg("--batch").arg(&file).output().expect("the client starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    for case in cases.iter().take(5) {
        let file = folder.path().join(format!("{}.json", case.marker));
        std::fs::write(&file, &case.prompt).expect("a file");
        let ended = client().arg(&file).arg("-o").arg(folder.path().join("out")).output().expect("the client starts");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    for (number, case) in cases.iter().enumerate() {
        let times = if number < 5 { 4 } else { 3 };
        platform.must_receive(&case.marker, times, &case.compact()[1]).await;
    }
}

#[actix_web::test]
async fn mini_app_changes_only_the_forms_values() {
    let database = TestDatabase::new().await;
    let platform = Platform::start(&database).await;
    let written = r#"{"1":{"is_changed":[0.10],"inputs":{"seed":9007199254740993,"more":{"b":1E2,"a":18446744073709551616},"strength":0.000003,"marker":"app","text":"a cat"},"class_type":"Odd"},"2":{"class_type":"SaveImage","inputs":{"images":["1",0],"filename_prefix":"odd"}}}"#;
    let body = format!(r#"{{"name": "An app", "prompt": {{"output": {written}}}}}"#);
    let workflow = id(&platform.send(Method::POST, "/api/general/workflow", body).await);
    let editor = platform.json(&format!("/api/general/workflow-api/editor/{workflow}")).await;
    let inputs = &editor["nodes"][0]["inputs"]["required"];
    let entry = |name: &str| {
        let mut entry = inputs[name].clone();
        entry["adapter"]["apiFieldName"] = json!(name);
        entry["adapter"]["isRandom"] = json!(false);
        (format!("1.{name}"), entry)
    };
    let inputs: serde_json::Map<String, Value> = ["seed", "strength", "text"].map(entry).into_iter().collect();
    let outputs = json!({ "2": editor["outputs"][0] });
    let body = json!({ "workflow": workflow, "inputs": inputs, "outputs": outputs }).to_string();
    let app = id(&platform.send(Method::POST, "/api/general/workflow-api", body).await);
    let run = format!("/api/general/job/workflow-api/{app}");
    for (form, expected) in [
        ("{}", written.to_owned()),
        (r#"{"text": "a dog"}"#, written.replace("a cat", "a dog")),
        (r#"{"strength": 3e-6, "seed": "9007199254740993"}"#, written.to_owned()),
        (r#"{"strength": 1.1500000000000001}"#, written.replace("0.000003", "1.1500000000000001")),
        (r#"{"seed": 18446744073709551615}"#, written.replace("9007199254740993", "18446744073709551615")),
    ] {
        let before = platform.received("app").len();
        platform.send(Method::POST, &run, form.to_owned()).await;
        let received = platform.until(form, async || platform.received("app").into_iter().nth(before)).await;
        assert_eq!(received, expected, "{form}");
    }
}

#[actix_web::test]
async fn nan_is_accepted_in_notes_and_refused_in_inputs() {
    let database = TestDatabase::new().await;
    let platform = Platform::start(&database).await;
    let prompt = |note: &str, strength: &str| {
        format!(
            r#"{{"1": {{"is_changed": [{note}], "inputs": {{"seed": 1, "strength": {strength}, "marker": "nan", "text": "a"}}, "class_type": "Odd"}},
                 "2": {{"class_type": "SaveImage", "inputs": {{"images": ["1", 0], "filename_prefix": "odd"}}}}}}"#
        )
    };
    let good = prompt("NaN", "1.50");
    let drawn = r#"{"nodes": [{"id": 1, "widgets_values": [Infinity, -Infinity]}]}"#;
    for body in [
        format!(r#"{{"name": "Notes", "prompt": {{"workflow": {drawn}, "output": {good}}}}}"#),
        format!(
            r#"{{"name": "Notes", "prompt": {}}}"#,
            Value::from(format!(r#"{{"workflow": {drawn}, "output": {good}}}"#))
        ),
    ] {
        let made = id(&platform.send(Method::POST, "/api/general/workflow", body).await);
        let [drawn, output] = graph(&platform, &made).await;
        assert_eq!(drawn, r#"{"nodes":[{"id":1,"widgets_values":[null,null]}]}"#);
        assert_eq!(output, compacted(&prompt("null", "1.50")));
    }
    platform.send(Method::POST, "/api/general/job/prompt", format!(r#"{{"prompt": {good}}}"#)).await;
    platform.must_receive("nan", 1, &compacted(&prompt("null", "1.50"))).await;

    let refused = |path: &'static str, kind: &'static str, body: String| {
        let request = platform.http.post(format!("{}{path}", platform.node.url)).header("api-key", &platform.key);
        async move {
            let answer = request.header("content-type", kind).body(body).send().await.expect("an answer");
            answer.text().await.expect("a text")
        }
    };
    for word in ["NaN", "Infinity", "-Infinity"] {
        let bad = prompt("0", word);
        let direct = refused("/api/general/job/prompt", "application/json", format!(r#"{{"prompt": {bad}}}"#)).await;
        assert!(direct.contains("prompt.1.inputs.strength") && direct.contains("VALIDATION_FAILED"), "{direct}");
        let body = format!(r#"{{"name": "Bad", "prompt": {}}}"#, Value::from(format!(r#"{{"output": {bad}}}"#)));
        let saved = refused("/api/general/workflow", "application/json", body).await;
        assert!(saved.contains("prompt.output.1.inputs.strength"), "{saved}");
        let line = format!(r#"{{"key": "a", "prompt": {}}}"#, bad.replace('\n', " "));
        let line = refused("/api/general/job/batch", "application/x-ndjson", line).await;
        assert!(line.contains("prompt.1.inputs.strength") && line.contains(r#""key":"a""#), "{line}");
    }
    assert_eq!(platform.received("nan").len(), 1, "the worker was sent more");
}

/// A second of silence.
fn sound() -> Vec<u8> {
    let samples = vec![0_u8; 16_000];
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(16_036_u32.to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16_u32.to_le_bytes());
    bytes.extend([1_u16, 1].map(u16::to_le_bytes).concat());
    bytes.extend([8_000_u32, 16_000].map(u32::to_le_bytes).concat());
    bytes.extend([2_u16, 16].map(u16::to_le_bytes).concat());
    bytes.extend(b"data");
    bytes.extend(16_000_u32.to_le_bytes());
    [bytes, samples].concat()
}

#[actix_web::test]
async fn files_of_equal_names_reach_their_own_nodes() {
    let database = TestDatabase::new().await;
    let platform = Platform::start(&database).await;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (name, shade) in [("one", 10), ("two", 200)] {
        std::fs::create_dir(path(name)).expect("a folder");
        let picture = image::RgbImage::from_pixel(16, 16, image::Rgb([shade, shade, shade]));
        picture.save(path(name).join("cat.png")).expect("a picture");
    }
    std::fs::write(path("film.mp4"), MP4).expect("a film");
    std::fs::write(path("song.wav"), sound()).expect("a sound");
    let prompt = r#"{
        "1": {"class_type": "LoadImage", "inputs": {"image": "cat.png"}},
        "2": {"class_type": "LoadImage", "inputs": {"image": "cat.png"}},
        "3": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "files"}},
        "4": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "files"}},
        "5": {"class_type": "LoadVideo", "inputs": {"file": "none.mp4"}},
        "6": {"class_type": "LoadAudio", "inputs": {"audio": "song.wav"}}
    }"#;
    std::fs::write(path("prompt.json"), format!("\u{feff}{prompt}")).expect("a prompt");
    let ended = Command::new(BINARY)
        .args(["run", "--server", &platform.node.url, "--api-key", &platform.key])
        .arg(path("prompt.json"))
        .args(["--input", &format!("1.image=@{}", path("one/cat.png").display())])
        .args(["--input", &format!("2.image=@{}", path("two/cat.png").display())])
        .args(["--input", &format!("5.file=@{}", path("film.mp4").display())])
        .arg("-o")
        .arg(path("out"))
        .output()
        .expect("the client starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let posted = platform.server.posted();
    let posted: Value = serde_json::from_str(posted.last().expect("a post")).expect("JSON");
    let name = |place: &str| posted["prompt"].pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned();
    let names = ["/1/inputs/image", "/2/inputs/image", "/5/inputs/file", "/6/inputs/audio"].map(name);
    assert_ne!(names[0], names[1], "both nodes got one picture");
    for (name, ending) in names.iter().zip([".png", ".png", ".mp4", ".wav"]) {
        assert!(name.ends_with(ending) && platform.server.uploaded(name).is_some(), "{names:?}");
    }
    let picture = |name: &str| {
        let bytes = platform.server.uploaded(name).expect("a file");
        image::load_from_memory(&bytes).expect("a picture").into_rgb8().get_pixel(0, 0).0[0]
    };
    assert_eq!((picture(&names[0]), picture(&names[1])), (10, 200));
}
