//! Runs prompts, one at a time, on its own thread. Nodes run in a thread pool that HTTP does not use, so that the
//! worker answers while it computes.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::Utc;
use serde_json::{Map, Value as Json, json};
use verdigraph_core::graph::python;

use super::cache::{CachedResult, size_bytes};
use super::mapping;
use super::plan::{PlanError, Source, Step, look_up, plan};
use super::progress::{NodeReports, Progress};
use super::queue::QueuedPrompt;
use super::socket::Priority;
use super::worker::Worker;
use crate::cpu::budget::{Memory, json_bytes};
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::Value;

/// Maximum bytes that the outputs of one prompt take in history: file names and texts.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// How long a prompt waits for its submitter to receive the answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs prompts until the queue is closed.
pub(super) fn work(worker: &Worker, pool: &rayon::ThreadPool) {
    while let Some(item) = worker.queue.take() {
        item.answered.wait(ANSWER_TIMEOUT);
        let began = Instant::now();
        let run = Run::new(worker, &item);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run.prompt(pool))) {
            tracing::error!(target: "verdigraph::cpu", "prompt {}: {}", item.prompt_id, panic_text(&*panic));
        }
        worker.queue.finish();
        if let Some(client) = &item.client_id {
            let data = json!({"node": null, "prompt_id": item.prompt_id});
            worker.sockets.send(Some(client), "executing", &data, Priority::Required);
        }
        worker.log(&format!("Prompt executed in {:.2} seconds", began.elapsed().as_secs_f64()));
    }
}

/// Why a prompt failed.
struct Failure {
    node_id: String,
    error: NodeError,
    /// The node's inputs as text.
    inputs: Json,
}

/// One running prompt.
struct Run<'a> {
    worker: &'a Worker,
    item: &'a QueuedPrompt,
    /// Messages for history: start, cached nodes, end.
    messages: Vec<Json>,
    outputs: Map<String, Json>,
    meta: Map<String, Json>,
    executed: Vec<String>,
    /// Bytes of its outputs in history.
    shown_bytes: usize,
}

impl<'a> Run<'a> {
    fn new(worker: &'a Worker, item: &'a QueuedPrompt) -> Self {
        let (messages, outputs, meta, executed, shown_bytes) = Default::default();
        Self { worker, item, messages, outputs, meta, executed, shown_bytes }
    }

    /// Runs the prompt and writes its history entry.
    fn prompt(mut self, pool: &rayon::ThreadPool) {
        self.tell("execution_start", json!({"prompt_id": self.item.prompt_id}));
        let failure = self.steps(pool).err();
        let completed = failure.is_none();
        match failure {
            None => self.tell("execution_success", json!({"prompt_id": self.item.prompt_id})),
            Some(failure) => self.tell_failure(*failure),
        }
        self.worker.set_current(None);
        let entry = json!({
            "prompt": self.item.parts(),
            "outputs": self.outputs,
            "status": {
                "status_str": if completed { "success" } else { "error" },
                "completed": completed,
                "messages": self.messages,
            },
            "meta": self.meta,
        });
        self.worker.history.insert(&self.item.prompt_id, entry);
    }

    fn steps(&mut self, pool: &rayon::ThreadPool) -> Result<(), Box<Failure>> {
        let empty = Map::new();
        let prompt = self.item.prompt.as_object().unwrap_or(&empty);
        // Fingerprints read files, and nodes may panic.
        let planned = catch_unwind(AssertUnwindSafe(|| {
            let mut steps = plan(&self.worker.catalog, &self.worker.folders, prompt, &self.item.outputs)?;
            look_up(&mut steps, &self.worker.cache, &self.worker.folders);
            Ok(steps)
        }));
        let planned = planned.unwrap_or_else(|panic| {
            let node_id = self.item.outputs.first().cloned().unwrap_or_default();
            tracing::error!(target: "verdigraph::cpu", "planning panicked: {}", panic_text(&*panic));
            Err(PlanError { node_id, reason: "the prompt could not be planned" })
        });
        let mut steps = planned.map_err(|PlanError { node_id, reason }| {
            let error = NodeError::Raised { kind: "RuntimeError", message: reason.to_owned() };
            Box::new(Failure { node_id, error, inputs: json!({}) })
        })?;
        let cached: Vec<&str> = steps.iter().filter(|step| step.is_cached).map(|step| step.id).collect();
        self.tell("execution_cached", json!({"nodes": cached, "prompt_id": self.item.prompt_id}));
        let results = steps.iter_mut().map(|step| step.cached.take()).collect();
        self.run(&steps, results, pool)
    }

    fn run(
        &mut self,
        steps: &[Step<'_>],
        mut results: Vec<Option<Arc<CachedResult>>>,
        pool: &rayon::ThreadPool,
    ) -> Result<(), Box<Failure>> {
        let (worker, item) = (self.worker, self.item);
        let progress = Progress::new(worker, item);
        let mut readers = readers(steps);
        for (index, step) in steps.iter().enumerate().filter(|(_, step)| step.is_needed) {
            if step.is_cached {
                let shown = results.get(index).and_then(Option::as_ref).map(|stored| self.show(step, stored));
                if shown.transpose()? == Some(true) {
                    progress.finish_cached(step.id);
                }
                release_unread(index, &readers, &mut results);
                continue;
            }
            progress.start(step.id);
            self.begin(step);
            let inputs = inputs(step, &results).map_err(|error| failure(step, error, json!({})))?;
            let given: Vec<Arc<CachedResult>> =
                upstream(step).filter_map(|upstream| results.get(upstream).cloned().flatten()).collect();
            let stored = Arc::new(self.node(step, &inputs, given, &progress, pool)?);
            self.show(step, &stored)?;
            progress.finish(step.id);
            self.executed.push(step.id.to_owned());
            worker.cache.insert(step.key, Arc::clone(&stored));
            if let Some(slot) = results.get_mut(index) {
                *slot = Some(stored);
            }
            release_unread(index, &readers, &mut results);
            drop(inputs);
            release(step, &mut readers, &mut results);
        }
        progress.flush();
        Ok(())
    }

    fn begin(&self, step: &Step<'_>) {
        let Some(client) = &self.item.client_id else {
            return;
        };
        self.worker.set_current(Some((client.clone(), step.id.to_owned())));
        let data = json!({"node": step.id, "display_node": step.id, "prompt_id": self.item.prompt_id});
        self.worker.sockets.send(Some(client), "executing", &data, Priority::Required);
    }

    fn node(
        &self,
        step: &Step<'_>,
        inputs: &Inputs,
        given: Vec<Arc<CachedResult>>,
        progress: &Progress<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<CachedResult, Box<Failure>> {
        let reports = NodeReports::new(progress, step.id);
        let worker = self.worker;
        let make_room = || worker.cache.evict();
        let memory = Memory::new(&worker.budget, &make_room);
        let context = Context {
            folders: &self.worker.folders,
            node_id: step.id,
            prompt: &self.item.prompt,
            extra_pnginfo: self.item.extra_data.get("extra_pnginfo"),
            max_side: self.worker.options.max_side,
            max_bytes: self.worker.options.max_node_bytes,
            memory: &memory,
            reports: &reports,
        };
        let ran = pool.install(|| {
            catch_unwind(AssertUnwindSafe(|| {
                context.check()?;
                mapping::run(&*step.class.node, inputs, &context)
            }))
        });
        let ran = ran.unwrap_or_else(|panic| {
            let message = format!("the node panicked: {}", panic_text(&*panic));
            Err(NodeError::Raised { kind: "RuntimeError", message })
        });
        match ran {
            Ok(Outcome { outputs, ui }) => {
                let passed = |value: &&Value| given.iter().any(|stored| stored.contains(value));
                let passed: usize = outputs.iter().flatten().filter(passed).map(Value::size_bytes).sum();
                let own = size_bytes(&outputs, ui.as_ref()).saturating_sub(passed);
                let is_source =
                    |stored: &Arc<CachedResult>| outputs.iter().flatten().any(|value| stored.contains(value));
                let sources = given.into_iter().filter(is_source).collect();
                match memory.keep(own) {
                    Ok(held) => Ok(CachedResult { outputs, ui, held, sources }),
                    Err(error) => Err(failure(step, error, mapping::shown(inputs))),
                }
            }
            Err(error) => Err(failure(step, error, mapping::shown(inputs))),
        }
    }

    /// Sends and records an output node's UI output. Returns whether there is any.
    fn show(&mut self, step: &Step<'_>, stored: &CachedResult) -> Result<bool, Box<Failure>> {
        let Some(ui) = &stored.ui else { return Ok(false) };
        self.shown_bytes += json_bytes(ui);
        if self.shown_bytes > MAX_OUTPUT_BYTES {
            let message = format!("the prompt shows more than {} MiB of texts", MAX_OUTPUT_BYTES >> 20);
            return Err(failure(step, NodeError::Raised { kind: "MemoryError", message }, json!({})));
        }
        if let Some(client) = &self.item.client_id {
            let data = json!({
                "node": step.id, "display_node": step.id, "output": ui, "prompt_id": self.item.prompt_id,
            });
            self.worker.sockets.send(Some(client), "executed", &data, Priority::Required);
        }
        self.outputs.insert(step.id.to_owned(), ui.clone());
        let meta = json!({
            "node_id": step.id, "display_node": step.id, "parent_node": null, "real_node_id": step.id,
        });
        self.meta.insert(step.id.to_owned(), meta);
        Ok(true)
    }

    fn tell_failure(&mut self, failure: Failure) {
        let Failure { node_id, error, inputs } = failure;
        let node_type = class_of(&self.item.prompt, &node_id).to_owned();
        let mut data = json!({
            "prompt_id": self.item.prompt_id, "node_id": node_id, "node_type": node_type, "executed": self.executed,
        });
        let NodeError::Raised { kind, message } = error else {
            self.worker.log("Processing interrupted");
            return self.tell("execution_interrupted", data);
        };
        self.worker.log(&format!("!!! Exception during processing !!! {message}"));
        let nodes: Vec<&String> = self.item.prompt.as_object().into_iter().flat_map(Map::keys).collect();
        data["exception_message"] = json!(format!("{message}\n"));
        data["exception_type"] = json!(kind);
        data["traceback"] = json!([
            "  File \"executor.rs\", in execute\n",
            format!("  File \"{node_type}\", in run\n    node {node_id}\n"),
        ]);
        data["current_inputs"] = inputs;
        data["current_outputs"] = json!(nodes);
        self.tell("execution_error", data);
    }

    /// Sends a message about the prompt to its owner and adds it to history. If the prompt has no owner, only an
    /// interrupt is sent to all clients.
    fn tell(&mut self, kind: &str, mut data: Json) {
        data["timestamp"] = json!(Utc::now().timestamp_millis());
        let owner = self.item.client_id.as_deref();
        if owner.is_some() || kind == "execution_interrupted" {
            self.worker.sockets.send(owner, kind, &data, Priority::Required);
        }
        self.messages.push(json!([kind, data]));
    }
}

fn failure(step: &Step<'_>, error: NodeError, inputs: Json) -> Box<Failure> {
    Box::new(Failure { node_id: step.id.to_owned(), error, inputs })
}

/// For each step, how many later steps read its result.
fn readers(steps: &[Step<'_>]) -> Vec<usize> {
    let mut readers = vec![0; steps.len()];
    for step in steps.iter().filter(|step| step.is_needed && !step.is_cached) {
        for upstream in upstream(step) {
            if let Some(count) = readers.get_mut(upstream) {
                *count += 1;
            }
        }
    }
    readers
}

/// Drops results that no later step reads. The cache keeps those it has room for.
fn release(step: &Step<'_>, readers: &mut [usize], results: &mut [Option<Arc<CachedResult>>]) {
    for upstream in upstream(step) {
        if let (Some(count), Some(result)) = (readers.get_mut(upstream), results.get_mut(upstream)) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                *result = None;
            }
        }
    }
}

/// Drops a result that no step reads, such as a cached one that was only shown.
fn release_unread(index: usize, readers: &[usize], results: &mut [Option<Arc<CachedResult>>]) {
    if let (Some(0), Some(result)) = (readers.get(index), results.get_mut(index)) {
        *result = None;
    }
}

fn upstream<'s>(step: &'s Step<'_>) -> impl Iterator<Item = usize> + 's {
    step.inputs.iter().filter_map(|(_, source)| match source {
        Source::Plain(_) => None,
        Source::Link { step, .. } => Some(*step),
    })
}

/// The inputs of a step from its literals and earlier results.
fn inputs(step: &Step<'_>, results: &[Option<Arc<CachedResult>>]) -> Result<Inputs, NodeError> {
    let mut inputs = Inputs::default();
    for (name, source) in &step.inputs {
        let values = match source {
            Source::Plain(value) => vec![value.clone()],
            Source::Link { step, slot } => linked(results, *step, *slot).ok_or_else(|| NodeError::Raised {
                kind: "IndexError",
                message: format!("{name}: the linked node gave no output {slot}"),
            })?,
        };
        inputs.0.insert((*name).to_owned(), values);
    }
    Ok(inputs)
}

fn linked(results: &[Option<Arc<CachedResult>>], step: usize, slot: i64) -> Option<Vec<Value>> {
    let stored = results.get(step)?.as_ref()?;
    stored.outputs.get(python::index(slot, stored.outputs.len())?).cloned()
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

fn class_of<'a>(prompt: &'a Json, id: &str) -> &'a str {
    prompt.get(id).and_then(|node| node.get("class_type")).and_then(Json::as_str).unwrap_or_default()
}
