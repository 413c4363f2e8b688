//! Output for a person (a progress bar, or plain lines) or a program (`--json`).
//!
//! Results (paths, JSON lines) go to standard output; everything else goes to standard error.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::cli::client::{JobStatus, Submitted, Undelivered};
use crate::cli::failure::Failure;

/// Length of the bar; the progress fraction is scaled to it.
const BAR_LENGTH: u64 = 1000;

/// The last text by kind, so that nothing is printed twice.
type Told = RefCell<BTreeMap<&'static str, String>>;

/// A form of output.
pub enum Display {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// A line for each change, for logs and pipes.
    Lines(Told),
    /// One JSON object per line on standard output.
    Json(Told),
}

impl Display {
    /// The form for this terminal.
    pub fn new(json: bool) -> Self {
        if json {
            return Self::Json(Told::default());
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines(Told::default());
        }
        let bar = ProgressBar::new(BAR_LENGTH);
        if let Ok(style) =
            ProgressStyle::with_template("{spinner:.green} {elapsed:>4} [{bar:30.green}] {percent:>3}% {msg}")
        {
            bar.set_style(style.progress_chars("=> "));
        }
        Self::Bar(bar)
    }

    /// A file was uploaded.
    pub fn uploaded(&self, path: &Path, asset: &str) {
        match self {
            Self::Json(_) => line(&json!({ "event": "uploaded", "file": path, "asset": asset })),
            _ => self.say(&format!("uploaded {}", path.display())),
        }
    }

    /// The job is accepted.
    pub fn submitted(&self, job: &Submitted) {
        match self {
            Self::Json(_) => {
                line(&json!({ "event": "submitted", "job": job.id, "status": job.status, "seeds": job.seeds }));
            }
            _ => {
                let seeds: Vec<String> = job.seeds.iter().map(|(field, seed)| format!("{field}={seed}")).collect();
                let seeds = if seeds.is_empty() { String::new() } else { format!(" (seeds {})", seeds.join(" ")) };
                self.say(&format!("job {}{seeds}", job.id));
            }
        }
        if let Self::Bar(bar) = self {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
    }

    /// Prints the status if it is new.
    pub fn status(&self, job: &JobStatus) {
        match self {
            Self::Bar(bar) => bar.set_message(job.status.clone()),
            Self::Lines(last) => changed(last, "status", &job.status, || eprintln!("{}", job.status)),
            Self::Json(last) => changed(last, "status", &job.status, || {
                line(&json!({
                    "event": "status", "status": job.status,
                    "executeException": job.execute_exception, "validateException": job.validate_exception,
                }));
            }),
        }
    }

    /// The queue position and an estimate.
    pub fn queue(&self, queue: &Value) {
        let Some(position) = queue.get("position").and_then(Value::as_u64) else { return };
        let high = queue.pointer("/etaSeconds/high").and_then(Value::as_f64);
        let estimate = high.map_or_else(String::new, |seconds| format!(", about {seconds:.0} s"));
        let text = format!("waiting, number {position}{estimate}");
        match self {
            Self::Bar(bar) => bar.set_message(text),
            Self::Lines(last) => changed(last, "queue", &text, || eprintln!("{text}")),
            Self::Json(_) => line(&tagged("queue", queue)),
        }
    }

    /// The progress: finished nodes, and the steps of the running one.
    pub fn progress(&self, progress: &Value) {
        let number = |key: &str| progress.get(key).and_then(Value::as_f64).unwrap_or(0.0);
        let title = progress.get("nodeTitle").or_else(|| progress.get("nodeId")).and_then(Value::as_str).unwrap_or("");
        let (value, max) = (number("value"), number("max"));
        let fraction = fraction(number("nodesDone"), number("nodesTotal"), value, max);
        match self {
            Self::Bar(bar) => {
                bar.set_position((fraction * BAR_LENGTH as f64) as u64);
                let steps = if max > 1.0 { format!(" {value:.0}/{max:.0}") } else { String::new() };
                bar.set_message(format!("{title}{steps}"));
            }
            // One line per node in a log, not one per step.
            Self::Lines(last) => changed(last, "node", title, || eprintln!("{:3.0}% {title}", fraction * 100.0)),
            Self::Json(_) => line(&tagged("progress", progress)),
        }
    }

    /// A preview arrived; `--json` gives its size, not its bytes.
    pub fn preview(&self, preview: &Value) {
        if let Self::Json(_) = self {
            let base64 = preview.get("data").and_then(Value::as_str).map_or(0, str::len);
            line(&json!({ "event": "preview", "contentType": preview.get("contentType"), "bytes": base64 / 4 * 3 }));
        }
    }

    /// The job is being canceled after an interrupt.
    pub fn canceling(&self, job: &str) {
        match self {
            Self::Json(_) => line(&json!({ "event": "canceling", "job": job })),
            _ => self.say("canceling the job; interrupt again to leave at once"),
        }
    }

    /// An output was saved.
    pub fn saved(&self, node: &str, n: usize, kind: &str, path: &Path) {
        match self {
            Self::Json(_) => {
                line(&json!({ "event": "output", "nodeId": node, "index": n, "kind": kind, "path": path }))
            }
            Self::Bar(bar) => bar.suspend(|| print(&path.display().to_string())),
            Self::Lines(_) => print(&path.display().to_string()),
        }
    }

    /// An output was made but could not be delivered.
    pub fn undelivered(&self, note: &Undelivered) {
        match self {
            Self::Json(_) => line(&tagged("undelivered", &json!(note))),
            _ => {
                let more = if note.count > 1 { format!(" ({} of them)", note.count) } else { String::new() };
                let name = if note.name.is_empty() { String::new() } else { format!("{}: ", note.name) };
                self.say(&format!("not delivered, node {}: {name}{}{more}", note.node_id, note.message));
            }
        }
    }

    /// Everything is saved.
    pub fn done(&self, job: &JobStatus, saved: &[PathBuf]) {
        match self {
            Self::Json(_) => line(&json!({ "event": "end", "status": job.status, "outputs": saved })),
            Self::Bar(bar) => bar.finish_and_clear(),
            Self::Lines(_) => {}
        }
    }

    /// The command fails.
    pub fn failed(&self, failure: &Failure) {
        match self {
            Self::Json(_) => {
                line(
                    &json!({ "event": "error", "exit": failure.exit, "code": failure.code, "message": failure.message }),
                );
            }
            Self::Bar(bar) => {
                bar.finish_and_clear();
                eprintln!("error: {}", failure.message);
            }
            Self::Lines(_) => eprintln!("error: {}", failure.message),
        }
    }

    fn say(&self, text: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            _ => eprintln!("{text}"),
        }
    }
}

/// Finished nodes plus the fraction of the running one, between 0 and 1.
fn fraction(done: f64, total: f64, value: f64, max: f64) -> f64 {
    if total <= 0.0 {
        return 0.0;
    }
    let part = if max > 0.0 { (value / max).clamp(0.0, 1.0) } else { 0.0 };
    ((done + part) / total).clamp(0.0, 1.0)
}

fn changed(told: &Told, kind: &'static str, text: &str, tell: impl FnOnce()) {
    let before = told.borrow_mut().insert(kind, text.to_owned());
    if before.as_deref() != Some(text) {
        tell();
    }
}

fn tagged(event: &str, data: &Value) -> Value {
    let mut tagged = json!({ "event": event });
    if let (Some(tagged), Some(data)) = (tagged.as_object_mut(), data.as_object()) {
        tagged.extend(data.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    tagged
}

fn line(value: &Value) {
    print(&value.to_string());
}

/// Prints without a panic on a closed pipe (`| head`).
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    drop(writeln!(out, "{text}").and_then(|()| out.flush()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_stays_within_the_bar() {
        assert_eq!(fraction(0.0, 0.0, 1.0, 1.0), 0.0);
        assert!((fraction(1.0, 4.0, 10.0, 20.0) - 0.375).abs() < 1e-9);
        assert_eq!(fraction(4.0, 4.0, 1.0, 1.0), 1.0);
        assert_eq!(fraction(0.0, 2.0, 5.0, 0.0), 0.0);
    }
}
