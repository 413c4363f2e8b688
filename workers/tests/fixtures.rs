//! Runs recorded graphs of real ComfyUI servers of both versions through the protocol, and compares every picture and
//! text within the graph's limit.

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::StreamExt;
use image::{DynamicImage, GenericImageView};
use reqwest::Client;
use reqwest::multipart::{Form, Part};
use serde_json::{Value as Json, json};
use tokio_tungstenite::tungstenite::Message;
use verdigraph_workers::cpu::ComfyVersion;
use verdigraph_workers::cpu::server::{Options, Running, serve};

/// Timeout of a graph.
const PATIENCE: Duration = Duration::from_secs(120);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fixtures")
}

fn read(path: &Path) -> Json {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Sorted names in a folder that start with `prefix`.
fn names(folder: &Path, prefix: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with(prefix));
    names.sort();
    names
}

struct Worker {
    like: ComfyVersion,
    running: Running,
    client: Client,
    _folder: tempfile::TempDir,
}

impl Worker {
    async fn start(like: ComfyVersion) -> Self {
        // Another test of this process may have installed it.
        drop(rustls::crypto::ring::default_provider().install_default());
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new("127.0.0.1:0".parse().unwrap(), folder.path());
        options.like = like;
        let running = serve(options).await.unwrap();
        // A connection that was idle while a graph ran may be closed by the server just as the next request is sent.
        let client = Client::builder().timeout(PATIENCE).pool_max_idle_per_host(0).build().unwrap();
        Self { like, running, client, _folder: folder }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address())
    }

    async fn upload(&self, path: &Path, name: &str) -> Json {
        let part = Part::bytes(std::fs::read(path).unwrap()).file_name(name.to_owned());
        let form = Form::new().text("overwrite", "true").part("image", part);
        let response = self.client.post(self.url("/upload/image")).multipart(form).send().await.unwrap();
        assert_eq!(response.status(), 200, "{name}");
        response.json().await.unwrap()
    }

    /// Runs a prompt to its end and returns its history.
    async fn run(&self, prompt: &Json) -> Json {
        let url = format!("ws://{}/ws?clientId=fixtures", self.running.address());
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        let body = json!({"prompt": prompt, "client_id": "fixtures"}).to_string();
        let response = self.client.post(self.url("/prompt")).body(body).send().await.unwrap();
        let answer: Json = response.json().await.unwrap();
        assert_eq!(answer["node_errors"], json!({}), "{answer}");
        let id = answer["prompt_id"].as_str().unwrap();
        loop {
            let message = tokio::time::timeout(PATIENCE, socket.next()).await.expect("the graph takes too long");
            let Message::Text(text) = message.unwrap().unwrap() else {
                continue;
            };
            let message: Json = serde_json::from_str(&text).unwrap();
            if message["type"] == "executing" && message["data"]["node"].is_null() {
                break;
            }
        }
        let history: Json =
            self.client.get(self.url(&format!("/history/{id}"))).send().await.unwrap().json().await.unwrap();
        history[id].clone()
    }

    async fn view(&self, file: &Json) -> Vec<u8> {
        let text = |name: &str| file[name].as_str().unwrap_or_default().to_owned();
        let query = [("filename", text("filename")), ("subfolder", text("subfolder")), ("type", text("type"))];
        let response = self.client.get(self.url("/view")).query(&query).send().await.unwrap();
        assert_eq!(response.status(), 200, "{file}");
        response.bytes().await.unwrap().to_vec()
    }

    /// All differences between a graph's results and the recorded ones.
    async fn differences(&self, folder: &Path) -> Vec<String> {
        let expected = read(&folder.join("expected.json"));
        let prompt = read(&folder.join("workflow.json"));
        for name in names(folder, "input") {
            let stored = self.upload(&folder.join(&name), &name).await;
            assert_eq!(stored["name"], name.as_str());
        }
        let entry = self.run(&prompt).await;
        if entry["status"]["status_str"] != "success" {
            return vec![entry["status"]["messages"].to_string()];
        }
        let limit = limit(expected["compare"].as_str().unwrap());
        let mut differences = Vec::new();
        for (node, files) in expected["images"].as_object().into_iter().flatten() {
            let made = entry["outputs"][node]["images"].as_array().cloned().unwrap_or_default();
            let wanted = files.as_array().unwrap();
            if made.len() != wanted.len() {
                differences.push(format!("node {node}: {} pictures, expected {}", made.len(), wanted.len()));
                continue;
            }
            for (file, wanted) in made.iter().zip(wanted) {
                let name = wanted["file"].as_str().unwrap();
                let made = image::load_from_memory(&self.view(file).await).unwrap();
                let own = folder.join(format!("expected-v{}", self.like)).join(name);
                let wanted = image::open(if own.exists() { own } else { folder.join(name) }).unwrap();
                differences.extend(compare(&made, &wanted, limit).map(|difference| format!("{name}: {difference}")));
            }
        }
        for (node, text) in expected["text"].as_object().into_iter().flatten() {
            let made = &entry["outputs"][node]["text"];
            if made != text {
                differences.push(format!("node {node}: text {made}, expected {text}"));
            }
        }
        differences
    }
}

/// `within 2 …` allows two levels of 255; anything else allows none.
fn limit(compare: &str) -> u8 {
    let (_, rest) = compare.split_once("within ").unwrap_or_default();
    rest.split(|letter: char| !letter.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

fn compare(made: &DynamicImage, wanted: &DynamicImage, limit: u8) -> Option<String> {
    let kind = |image: &DynamicImage| (image.dimensions(), image.color().has_alpha());
    if kind(made) != kind(wanted) {
        return Some(format!("size and alpha {:?}, expected {:?}", kind(made), kind(wanted)));
    }
    let (made, wanted) = (made.to_rgba8(), wanted.to_rgba8());
    let worst = made.iter().zip(wanted.iter()).map(|(made, wanted)| made.abs_diff(*wanted)).max().unwrap_or(0);
    (worst > limit).then(|| format!("differs by up to {worst}, allowed {limit}"))
}

#[actix_web::test]
async fn outputs_match_recorded_server() {
    let fixtures = names(&folder(), "");
    assert!(fixtures.len() >= 23, "the fixtures are there");
    let mut differing = Vec::new();
    for like in ComfyVersion::ALL {
        let worker = Worker::start(like).await;
        for name in &fixtures {
            for difference in worker.differences(&folder().join(name)).await {
                differing.push(format!("{like} {name}: {difference}"));
            }
        }
        worker.running.stop().await.unwrap();
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn difference_over_the_limit_is_detected() {
    let made = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(2, 2, image::Rgb([10, 10, 10])));
    let wanted = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(2, 2, image::Rgb([10, 12, 10])));
    assert_eq!(compare(&made, &wanted, 2), None);
    assert!(compare(&made, &wanted, 1).is_some());
    assert!(compare(&made, &wanted.crop_imm(0, 0, 1, 2), 255).is_some());
    assert!(compare(&made, &DynamicImage::ImageRgba8(wanted.to_rgba8()), 255).is_some());
    assert_eq!(limit("exact"), 0);
    assert_eq!(limit("within 3 levels"), 3);
}
