//! Handles HTTP requests, including posted prompts.

use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::graph::{NodeErrors, PromptError, Refusal};

use super::{Job, Model, features};
use crate::custom_nodes;
use crate::fault::FaultKind;
use crate::options::Options;
use crate::run::{Run, THIS_PROMPT};
use crate::wire::{Request, Response};
use verdigraph_workers::comfy::json;

impl Model {
    /// The fault that applies to this request. Counts the request.
    pub fn take_fault(&mut self, request: &Request) -> Option<FaultKind> {
        let file = request.query.get("filename").map(|name| format!("?{name}")).unwrap_or_default();
        let line = format!("{} {}{file}", request.method, request.path);
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
            meta: serde_json::Map::new(),
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
        let Options { delay, variation, .. } = self.options;
        let delay = variation.map_or(delay, |variation| variation.duration(prompt, delay));
        if self.options.fail_every.is_some_and(|n| n > 0 && self.taken.is_multiple_of(n)) {
            return Ok(Run::failure(&nodes, delay));
        }
        if let [(node, class)] = outputs.as_slice()
            && class == "WildLoop"
        {
            return Ok(custom_nodes::expanding(node));
        }
        let taken = self.taken;
        let outputs: Vec<_> = outputs
            .into_iter()
            .map(|(id, class)| {
                let shown = match class.as_str() {
                    class if custom_nodes::shown(class).is_some() => custom_nodes::shown(class).unwrap_or_default(),
                    "PreviewAny" => json!({"text": [format!("text {taken}")]}),
                    "PreviewImage" => json!({"images": [
                        {"filename": format!("scripted_temp_{taken}_{id}_.png"), "subfolder": "", "type": "temp"}]}),
                    _ => json!({"images": [
                        {"filename": format!("scripted_{taken}_{id}_.png"), "subfolder": "", "type": "output"}]}),
                };
                (id, shown)
            })
            .collect();
        Ok(Run::success(&nodes, &outputs, delay))
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

    pub fn clean_inputs(&mut self) {
        self.inputs.clear();
        self.misses_inputs = true;
    }
}

/// The post's `extra_data` with the client id, as a stock server keeps it in the queue.
fn extra_data(body: &Value) -> Value {
    let mut extra_data = body.get("extra_data").cloned().unwrap_or_else(|| json!({}));
    if let (Some(extra_data), Some(client_id)) = (extra_data.as_object_mut(), body.get("client_id")) {
        extra_data.insert("client_id".to_owned(), client_id.clone());
    }
    extra_data
}

fn refuse(kind: &str, message: &str) -> Response {
    refused(&Refusal::whole(kind, message, message))
}

fn refuse_file(id: &str, class: &str, file: &str) -> Response {
    let missing = PromptError::custom_validation_failed("image", &format!("Invalid image file: {file}"));
    let node = NodeErrors { errors: vec![missing], dependent_outputs: Vec::new(), class_type: class.to_owned() };
    let node_errors = [(id.to_owned(), node)].into_iter().collect();
    refused(&Refusal { node_errors, ..Refusal::of(PromptError::outputs_failed("")) })
}

fn refused(refusal: &Refusal) -> Response {
    Response { status: 400, ..Response::json(&refusal.to_value()) }
}
