//! What a scripted server knows: queue, history, files, sockets.

use std::collections::{HashMap, VecDeque};

use bytes::Bytes;
use indexmap::IndexMap;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use super::journal::Journal;
use super::run::{NAN, Run, Step, THIS_PROMPT};
use super::wire::{Request, Response};
use super::{Fault, Options, What};
use crate::comfy::json;

/// Entries and files that are kept.
const MAX_HISTORY: usize = 1000;
const MAX_FILES: usize = 4000;

/// The state of one process, and the script that outlives it.
pub(super) struct Model {
    pub options: Options,
    pub faults: Vec<Fault>,
    pub runs: VecDeque<Run>,
    pub answers: HashMap<String, Value>,
    pub released: u64,
    pub pending: VecDeque<Job>,
    pub running: Option<Job>,
    pub interrupted: Option<String>,
    pub inputs: HashMap<String, Bytes>,
    /// The output folder was cleaned, and the result cache names files that are gone.
    pub stale: bool,
    /// The input folder was cleaned: prompts that name files which are not there are refused.
    pub misses_inputs: bool,
    /// Bodies of `POST /prompt`, where a log is kept.
    pub posted: Vec<String>,
    taken: u64,
    number: u64,
    history: IndexMap<String, Value>,
    files: IndexMap<String, Bytes>,
    sockets: HashMap<String, (u64, UnboundedSender<ToSocket>)>,
    forgotten: HashMap<String, (u64, UnboundedSender<ToSocket>)>,
    next_socket: u64,
    journal: Journal,
}

/// A prompt in the queue.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub id: String,
    pub client_id: String,
    pub run: Run,
    number: u64,
    prompt: Value,
    extra_data: Value,
    messages: Vec<Value>,
    outputs: serde_json::Map<String, Value>,
    recorded: bool,
}

/// What a socket's task is told.
pub(super) enum ToSocket {
    Frame(Message),
    Cut,
}

impl Model {
    pub fn new(options: Options) -> Self {
        Self {
            options,
            faults: Vec::new(),
            runs: VecDeque::new(),
            answers: HashMap::new(),
            released: 0,
            pending: VecDeque::new(),
            running: None,
            interrupted: None,
            inputs: HashMap::new(),
            stale: false,
            misses_inputs: false,
            posted: Vec::new(),
            taken: 0,
            number: 0,
            history: IndexMap::new(),
            files: IndexMap::new(),
            sockets: HashMap::new(),
            forgotten: HashMap::new(),
            next_socket: 0,
            journal: Journal::default(),
        }
    }

    /// What a new process does not know of the old one.
    pub fn forget(&mut self) {
        self.pending.clear();
        self.running = None;
        self.interrupted = None;
        self.number = 0;
        self.history.clear();
        self.sockets.clear();
        self.forgotten.clear();
    }

    /// The fault for this request, counted.
    pub fn spoil(&mut self, request: &Request) -> Option<What> {
        let line = format!("{} {}", request.method, request.path);
        let fault = self.faults.iter_mut().find(|fault| line.starts_with(&fault.on) && fault.times > 0)?;
        if fault.skip > 0 {
            fault.skip -= 1;
            return None;
        }
        fault.times -= 1;
        Some(fault.what.clone())
    }

    pub fn handle(&mut self, request: &Request) -> Response {
        if request.method == "GET"
            && let Some(answer) = self.answers.get(&request.path)
        {
            return Response::json(answer);
        }
        let segments: Vec<&str> = request.path.split('/').skip(1).collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("GET", ["system_stats"]) => Response::json(&json!({
                "system": {"os": "linux", "comfyui_version": self.options.version}, "devices": []
            })),
            ("GET", ["features"]) => Response::json(&features()),
            ("GET", ["object_info"]) => Response::json(&self.options.object_info),
            ("GET", ["models"]) => Response::json(&json!(self.options.models.keys().collect::<Vec<_>>())),
            ("GET", ["models", folder]) => match self.options.models.get(*folder) {
                Some(files) => Response::json(&json!(files)),
                None => Response::status(404, ""),
            },
            ("GET", ["prompt"]) => Response::json(&json!({"exec_info": {"queue_remaining": self.remaining()}})),
            ("GET", ["queue"]) => Response::json(&json!({
                "queue_running": self.running.iter().map(Job::item).collect::<Vec<_>>(),
                "queue_pending": self.pending.iter().map(Job::item).collect::<Vec<_>>(),
            })),
            ("GET", ["history", id]) => {
                let entry = self.history.get(*id).map(|entry| ((*id).to_owned(), entry.clone()));
                Response::json(&Value::Object(entry.into_iter().collect()))
            }
            ("GET", ["journal"]) if self.options.journal => Response::json(&json!(self.journal.read())),
            ("GET", ["view"]) => self.view(request),
            ("POST", ["prompt"]) => self.take(request),
            ("POST", ["queue"]) => self.change_queue(request),
            ("POST", ["interrupt"]) => self.interrupt(request),
            ("POST", ["upload", "image"]) => self.upload(request),
            ("POST", ["free"]) => {
                self.stale = false;
                Response::status(200, "")
            }
            _ => Response::status(404, ""),
        }
    }

    fn remaining(&self) -> usize {
        self.pending.len() + usize::from(self.running.is_some())
    }

    fn view(&self, request: &Request) -> Response {
        let part = |name: &str| request.query.get(name).map(String::as_str).unwrap_or_default();
        match self.files.get(&place(part("type"), part("subfolder"), part("filename"))) {
            Some(bytes) => Response { status: 200, content_type: "application/octet-stream", body: bytes.clone() },
            None => Response::status(404, ""),
        }
    }

    fn take(&mut self, request: &Request) -> Response {
        let Ok(body) = json::read::<Value>(&request.body) else {
            return Response::status(500, "500 Internal Server Error");
        };
        if self.options.log {
            self.posted.push(String::from_utf8_lossy(&request.body).into_owned());
        }
        let id = match body.get("prompt_id").and_then(Value::as_str) {
            None => Uuid::new_v4().to_string(),
            Some(id) if Uuid::parse_str(id).is_ok_and(|uuid| uuid.hyphenated().to_string() == id) => id.to_owned(),
            Some(_) => return refuse("invalid_prompt_id", "the prompt id is no canonical uuid"),
        };
        self.taken += 1;
        let number = self.number;
        self.number += 1;
        let prompt = body.get("prompt").cloned().unwrap_or_default();
        let run = match self.runs.pop_front() {
            Some(run) => run,
            None => match self.usual_run(&prompt) {
                Ok(run) => run,
                Err(refusal) => return refusal,
            },
        };
        if let Some((status, body)) = run.refusal {
            return Response { status, content_type: "application/json", body: body.replace(THIS_PROMPT, &id).into() };
        }
        if self.options.journal {
            self.journal.came(&id, &prompt);
        }
        let node_errors = run.node_errors.clone().unwrap_or_else(|| json!({}));
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let client_id = text(body.get("client_id")).or_else(|| text(body.pointer("/extra_data/client_id")));
        self.pending.push_back(Job {
            id: id.clone(),
            client_id: client_id.unwrap_or_default(),
            run,
            number,
            prompt,
            extra_data: extra_data(&body),
            messages: Vec::new(),
            outputs: serde_json::Map::new(),
            recorded: false,
        });
        self.status();
        Response::json(&json!({"prompt_id": id, "number": number, "node_errors": node_errors}))
    }

    fn usual_run(&self, prompt: &Value) -> Result<Run, Response> {
        let mut nodes = Vec::new();
        let mut outputs = Vec::new();
        for (id, node) in prompt.as_object().into_iter().flatten() {
            let class = node.get("class_type").and_then(Value::as_str).unwrap_or_default();
            let known = self.options.object_info.get(class);
            if known.is_none() && !self.options.any_class {
                return Err(refuse("missing_node_type", &format!("node {id} has the unknown class {class}")));
            }
            if let Some(file) = node.pointer("/inputs/image").and_then(Value::as_str)
                && self.misses_inputs
                && !self.inputs.contains_key(file)
            {
                return Err(refuse_file(id, class, file));
            }
            nodes.push(id.clone());
            if known.and_then(|known| known.get("output_node")).and_then(Value::as_bool) == Some(true) {
                outputs.push((id.clone(), class.to_owned()));
            }
        }
        if outputs.is_empty() {
            return Err(refuse("prompt_no_outputs", "the prompt has no output node"));
        }
        if self.options.fail_every.is_some_and(|n| n > 0 && self.taken.is_multiple_of(n)) {
            return Ok(Run::failure(&nodes, self.options.delay));
        }
        let taken = self.taken;
        let outputs: Vec<_> = outputs
            .into_iter()
            .map(|(id, class)| {
                let shown = match class.as_str() {
                    "PreviewAny" => json!({"text": [format!("text {taken}")]}),
                    "PreviewImage" => json!({"images": [
                        {"filename": format!("scripted_temp_{taken}_{id}_.png"), "subfolder": "", "type": "temp"}]}),
                    _ => json!({"images": [
                        {"filename": format!("scripted_{taken}_{id}_.png"), "subfolder": "", "type": "output"}]}),
                };
                (id, shown)
            })
            .collect();
        Ok(Run::success(&nodes, &outputs, self.options.delay))
    }

    fn change_queue(&mut self, request: &Request) -> Response {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        if body.get("clear").and_then(Value::as_bool) == Some(true) {
            self.pending.clear();
        }
        for id in body.get("delete").and_then(Value::as_array).into_iter().flatten() {
            self.pending.retain(|job| Some(job.id.as_str()) != id.as_str());
        }
        self.status();
        Response::status(200, "")
    }

    fn interrupt(&mut self, request: &Request) -> Response {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let running = self.running.as_ref().map(|job| job.id.clone());
        let wanted = body.get("prompt_id").and_then(Value::as_str);
        if running.is_some() && (wanted.is_none() || wanted == running.as_deref()) {
            self.interrupted = running;
        }
        Response::status(200, "")
    }

    fn upload(&mut self, request: &Request) -> Response {
        let Some((name, subfolder, bytes)) = request.upload() else { return Response::status(400, "") };
        let key = if subfolder.is_empty() { name.clone() } else { format!("{subfolder}/{name}") };
        self.inputs.insert(key, bytes);
        Response::json(&json!({"name": name, "subfolder": subfolder, "type": "input"}))
    }

    /// Takes the next prompt to run, unless its run wants it to wait in the queue.
    pub fn begin(&mut self) -> Option<Job> {
        let waits = |job: &Job| matches!(job.run.steps.first(), Some(Step::AwaitDelete));
        if self.running.is_some() || self.pending.front().is_none_or(waits) {
            return None;
        }
        let job = self.pending.pop_front()?;
        self.journal.began(&job.id);
        self.running = Some(job.clone());
        self.interrupted = None;
        self.status();
        Some(job)
    }

    /// Sends a step of the running prompt to its client, and records what the history will say.
    pub fn emit(&mut self, step: &Step) {
        let Some(mut job) = self.running.take() else { return };
        let frame = match step {
            Step::Text(message) => {
                let mut message = replaced(message, &job.id);
                if let Some(stamp) = message.pointer_mut("/data/timestamp").filter(|stamp| stamp.is_null()) {
                    *stamp = json!(chrono::Utc::now().timestamp_millis());
                }
                self.record(&mut job, &message);
                Message::text(message.to_string().replace(NAN, "NaN"))
            }
            Step::Raw(text) => Message::text(text.replace(THIS_PROMPT, &job.id)),
            Step::Binary(bytes) => Message::Binary(bytes.clone()),
            Step::Preview { metadata, bytes } => {
                let metadata = replaced(metadata, &job.id).to_string();
                let mut frame = 4_u32.to_be_bytes().to_vec();
                frame.extend(u32::try_from(metadata.len()).unwrap_or_default().to_be_bytes());
                frame.extend_from_slice(metadata.as_bytes());
                frame.extend_from_slice(bytes);
                Message::Binary(frame.into())
            }
            _ => {
                self.running = Some(job);
                return;
            }
        };
        if let Some((_, socket)) = self.sockets.get(&job.client_id) {
            let _ = socket.send(ToSocket::Frame(frame));
        }
        self.running = Some(job);
    }

    fn record(&mut self, job: &mut Job, message: &Value) {
        let Some((kind, data)) = message.get("type").and_then(Value::as_str).zip(message.get("data")) else { return };
        if data.get("prompt_id").and_then(Value::as_str) != Some(job.id.as_str()) {
            return;
        }
        let pair = || json!([kind, data]);
        match kind {
            "execution_start" | "execution_cached" => job.messages.push(pair()),
            "executed" => {
                if let Some((node, output)) = data.get("node").and_then(Value::as_str).zip(data.get("output")) {
                    job.outputs.insert(node.to_owned(), output.clone());
                    self.make_files(output);
                }
            }
            "execution_success" | "execution_error" | "execution_interrupted" => {
                job.messages.push(pair());
                self.keep(job);
            }
            _ => {}
        }
    }

    /// Writes the prompt's history entry.
    fn keep(&mut self, job: &mut Job) {
        if job.recorded || job.run.unrecorded {
            return;
        }
        job.recorded = true;
        let entry = match &job.run.history {
            Some(entry) => replaced(entry, &job.id),
            None => {
                let ended_well = job.messages.last().is_some_and(|message| {
                    !matches!(message[0].as_str(), Some("execution_error" | "execution_interrupted"))
                });
                let status = json!({"status_str": if ended_well { "success" } else { "error" },
                    "completed": ended_well, "messages": job.messages});
                json!({"prompt": job.item(), "outputs": job.outputs, "status": status, "meta": {}})
            }
        };
        for output in entry.get("outputs").and_then(Value::as_object).into_iter().flatten() {
            self.make_files(output.1);
        }
        self.history.insert(job.id.clone(), entry);
        while self.history.len() > MAX_HISTORY {
            self.history.shift_remove_index(0);
        }
    }

    /// The running prompt is over.
    pub fn finish(&mut self) {
        if let Some(mut job) = self.running.take() {
            self.journal.ended(&job.id);
            self.keep(&mut job);
        }
        self.interrupted = None;
    }

    /// Every file that an output names gets bytes that fit its name.
    fn make_files(&mut self, output: &Value) {
        if self.stale {
            return;
        }
        for file in output.as_object().into_iter().flatten().flat_map(|(_, list)| list.as_array()).flatten() {
            let part = |name: &str| file.get(name).and_then(Value::as_str).unwrap_or_default();
            if !part("filename").is_empty() {
                let key = place(part("type"), part("subfolder"), part("filename"));
                let bytes = content(part("filename"), self.options.image_side);
                self.files.insert(key, bytes);
            }
        }
        while self.files.len() > MAX_FILES {
            self.files.shift_remove_index(0);
        }
    }

    fn status(&self) {
        let status = json!({"status": {"exec_info": {"queue_remaining": self.remaining()}}});
        self.broadcast(&super::run::text("status", status));
    }

    pub fn broadcast(&self, step: &Step) {
        let frame = match step {
            Step::Text(message) => Message::text(message.to_string()),
            Step::Raw(text) => Message::text(text.clone()),
            Step::Binary(bytes) => Message::Binary(bytes.clone()),
            _ => return,
        };
        for (_, socket) in self.sockets.values() {
            let _ = socket.send(ToSocket::Frame(frame.clone()));
        }
    }

    pub fn open_socket(&mut self, client_id: &str, socket: UnboundedSender<ToSocket>) -> u64 {
        self.next_socket += 1;
        let status = json!({"status": {"exec_info": {"queue_remaining": self.remaining()}}, "sid": client_id});
        let _ = socket.send(ToSocket::Frame(Message::text(json!({"type": "status", "data": status}).to_string())));
        if self.running.as_ref().is_some_and(|job| job.client_id == client_id) {
            let _ = socket.send(ToSocket::Frame(Message::text(r#"{"type": "executing", "data": {"node": "1"}}"#)));
        }
        self.sockets.insert(client_id.to_owned(), (self.next_socket, socket));
        self.next_socket
    }

    pub fn close_socket(&mut self, client_id: &str, number: u64) {
        if self.sockets.get(client_id).is_some_and(|(known, _)| *known == number) {
            self.sockets.remove(client_id);
        }
    }

    pub fn has_socket(&self, client_id: &str) -> bool {
        self.sockets.contains_key(client_id)
    }

    pub fn cut_socket(&mut self, client_id: &str) {
        if let Some((_, socket)) = self.sockets.remove(client_id) {
            let _ = socket.send(ToSocket::Cut);
        }
    }

    pub fn forget_socket(&mut self, client_id: &str) {
        if let Some(socket) = self.sockets.remove(client_id) {
            self.forgotten.insert(client_id.to_owned(), socket);
        }
    }

    pub fn clean_outputs(&mut self) {
        self.files.clear();
        self.stale = true;
    }

    pub fn clean_inputs(&mut self) {
        self.inputs.clear();
        self.misses_inputs = true;
    }

    pub fn cut_sockets(&mut self) {
        for (_, (_, socket)) in self.sockets.drain().chain(self.forgotten.drain()) {
            let _ = socket.send(ToSocket::Cut);
        }
    }
}

impl Job {
    fn item(&self) -> Value {
        json!([self.number, self.id, self.prompt, self.extra_data, []])
    }
}

/// The server's flags, as `/features` and the handshake tell them.
pub(super) fn features() -> Value {
    json!({"supports_preview_metadata": true, "max_upload_size": 104_857_600})
}

fn replaced(value: &Value, id: &str) -> Value {
    serde_json::from_str(&value.to_string().replace(THIS_PROMPT, id)).unwrap_or_default()
}

/// A post's `extra_data` with the sender in it, as a stock server keeps it in the queue.
fn extra_data(body: &Value) -> Value {
    let mut extra_data = body.get("extra_data").cloned().unwrap_or_else(|| json!({}));
    if let (Some(extra_data), Some(client_id)) = (extra_data.as_object_mut(), body.get("client_id")) {
        extra_data.insert("client_id".to_owned(), client_id.clone());
    }
    extra_data
}

fn refuse(kind: &str, message: &str) -> Response {
    let error = json!({"type": kind, "message": message, "details": message, "extra_info": {}});
    Response { status: 400, ..Response::json(&json!({"error": error, "node_errors": {}})) }
}

fn refuse_file(id: &str, class: &str, file: &str) -> Response {
    let error = json!({"type": "prompt_outputs_failed_validation", "message": "Prompt outputs failed validation",
        "details": "", "extra_info": {}});
    let missing = json!({"type": "custom_validation_failed", "message": "Custom validation failed for node",
        "details": format!("image - Invalid image file: {file}"), "extra_info": {"input_name": "image"}});
    let node_errors = json!({id: {"errors": [missing], "dependent_outputs": [], "class_type": class}});
    Response { status: 400, ..Response::json(&json!({"error": error, "node_errors": node_errors})) }
}

fn place(folder: &str, subfolder: &str, filename: &str) -> String {
    format!("{}/{subfolder}/{filename}", if folder.is_empty() { "output" } else { folder })
}

/// A real picture for picture names, else bytes that begin as such a file does.
fn content(filename: &str, side: u32) -> Bytes {
    let seed = filename.bytes().fold(7_u32, |seed, byte| seed.wrapping_mul(31).wrapping_add(u32::from(byte)));
    let [red, green, blue, _] = seed.to_le_bytes();
    let picture = |format| {
        let pixels = image::RgbImage::from_fn(side, side, |x, y| {
            let shade = u8::try_from((x ^ y) & 0xff).unwrap_or_default();
            image::Rgb([red ^ shade, green, blue.wrapping_add(shade)])
        });
        let mut bytes = std::io::Cursor::new(Vec::new());
        // Writing these formats to memory fails for no picture of this shape.
        let _ = pixels.write_to(&mut bytes, format);
        Bytes::from(bytes.into_inner())
    };
    let starting = |magic: &[u8]| Bytes::from([magic, &seed.to_be_bytes(), &[0; 16]].concat());
    match filename.rsplit('.').next() {
        Some("png") => picture(image::ImageFormat::Png),
        Some("webp") => picture(image::ImageFormat::WebP),
        Some("jpg" | "jpeg") => picture(image::ImageFormat::Jpeg),
        Some("webm") => starting(b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm"),
        Some("mp4") => starting(b"\0\0\0\x18ftypisom"),
        Some("flac") => starting(b"fLaC"),
        Some("mp3") => starting(b"ID3"),
        Some("opus" | "ogg") => starting(b"OggS"),
        _ => starting(b"data"),
    }
}
