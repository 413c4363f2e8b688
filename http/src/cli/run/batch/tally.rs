//! The state of each item of a batch, and its output for a person or a program.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::cli::failure::Failure;

/// Refused items that are printed; `--out` has them all.
const TOLD: usize = 20;
/// Interval at which counts are printed without a bar.
const EVERY: Duration = Duration::from_secs(2);

/// The answers so far, by line of the file.
pub struct Tally {
    answers: BTreeMap<usize, Value>,
    total: usize,
    refused_told: usize,
    face: Face,
}

enum Face {
    Bar(ProgressBar),
    Lines { told_at: Instant, told: String },
    Json,
}

impl Tally {
    /// Starts without answers.
    pub fn new(total: usize, json: bool) -> Self {
        let face = match (json, std::io::stderr().is_terminal()) {
            (true, _) => Face::Json,
            (false, false) => Face::Lines { told_at: Instant::now(), told: String::new() },
            (false, true) => {
                let bar = ProgressBar::new(u64::try_from(total).unwrap_or(u64::MAX));
                let template = "{spinner:.green} {elapsed:>4} [{bar:30.green}] {pos}/{len} {msg}";
                if let Ok(style) = ProgressStyle::with_template(template) {
                    bar.set_style(style.progress_chars("=> "));
                }
                bar.enable_steady_tick(Duration::from_millis(120));
                Face::Bar(bar)
            }
        };
        Self { answers: BTreeMap::new(), total, refused_told: 0, face }
    }

    /// Items of these lines without a final answer: none yet, or one that asks to retry later.
    pub fn open(&self, lines: &[usize]) -> Vec<usize> {
        lines
            .iter()
            .copied()
            .filter(|line| self.answers.get(line).is_none_or(|answer| again(answer).is_some()))
            .collect()
    }

    /// How many items have any answer, and how many a final one.
    pub fn progress(&self) -> (usize, usize) {
        let again = self.answers.values().filter(|answer| again(answer).is_some()).count();
        (self.answers.len(), self.answers.len() - again)
    }

    /// How long the server asks to wait before a retry; `None` if no item is to be retried.
    pub fn wait(&self) -> Option<Duration> {
        self.answers.values().filter_map(again).max()
    }

    pub fn accepted(&self) -> usize {
        self.answers.values().filter(|answer| answer["id"].is_string()).count()
    }

    pub fn refused(&self) -> usize {
        self.answers.len() - self.accepted()
    }

    /// Records the answer to the item on the file's `line`.
    pub fn note(&mut self, line: usize, mut answer: Value) {
        answer["line"] = json!(line);
        let refused = answer["error"].is_object() && again(&answer).is_none();
        if refused && self.refused_told < TOLD && !matches!(self.face, Face::Json) {
            self.refused_told += 1;
            self.say(&refusal(line, &answer));
        }
        if matches!(self.face, Face::Json) && again(&answer).is_none() {
            tell(&json!({ "event": "item", "item": answer }));
        }
        self.answers.insert(line, answer);
    }

    /// Prints the progress of the upload.
    pub fn show(&mut self) {
        let (answered, _) = self.progress();
        let text = format!("accepted {}, refused {}", self.accepted(), self.refused());
        match &mut self.face {
            Face::Bar(bar) => {
                bar.set_position(u64::try_from(answered).unwrap_or(u64::MAX));
                bar.set_message(text);
            }
            Face::Lines { told_at, told } => {
                let text = format!("{answered} of {}: {text}", self.total);
                let due = told_at.elapsed() >= EVERY || answered == self.total;
                if due && *told != text {
                    eprintln!("{text}");
                    *told_at = Instant::now();
                    *told = text;
                }
            }
            Face::Json => {}
        }
    }

    /// Prints the progress of the accepted jobs.
    pub fn show_jobs(&mut self, status: &Value) {
        let number = |key: &str| status[key].as_u64().unwrap_or(0);
        let counts = status["statuses"].as_object().into_iter().flatten();
        let text = counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ");
        match &mut self.face {
            Face::Bar(bar) => {
                bar.set_length(number("total"));
                bar.set_position(number("total").saturating_sub(number("active")));
                bar.set_message(text);
            }
            Face::Lines { told, .. } => {
                if *told != text {
                    eprintln!("{text}");
                    *told = text;
                }
            }
            Face::Json => tell(&json!({ "event": "jobs", "status": status })),
        }
    }

    /// Prints a message beside the counts.
    pub fn say(&self, text: &str) {
        match &self.face {
            Face::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            Face::Lines { .. } => eprintln!("{text}"),
            Face::Json => tell(&json!({ "event": "note", "message": text })),
        }
    }

    /// Ends the output: removes the bar.
    pub fn finish(&self, batch: Option<&str>) {
        let text = format!(
            "batch {}: {} accepted, {} refused of {}",
            batch.unwrap_or("without an id"),
            self.accepted(),
            self.refused(),
            self.total
        );
        match &self.face {
            Face::Bar(bar) => {
                bar.finish_and_clear();
                eprintln!("{text}");
            }
            Face::Lines { .. } => eprintln!("{text}"),
            Face::Json => tell(&json!({
                "event": "end", "batch": batch, "accepted": self.accepted(), "refused": self.refused(),
            })),
        }
    }

    /// Writes every answer, one line per item, in the file's order.
    pub fn write(&self, path: &std::path::Path) -> Result<(), Failure> {
        let unwritable = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let file = std::fs::File::create(path).map_err(unwritable)?;
        let mut out = std::io::BufWriter::new(file);
        for answer in self.answers.values() {
            writeln!(out, "{answer}").map_err(unwritable)?;
        }
        out.flush().map_err(unwritable)
    }
}

/// How long to wait before an item is sent again; `None` for a final answer.
fn again(answer: &Value) -> Option<Duration> {
    let seconds = match answer["error"]["code"].as_str()? {
        "RATE_LIMITED" | "UNAVAILABLE" => answer["error"]["details"]["retryAfterSeconds"].as_u64().unwrap_or(1),
        "IDEMPOTENCY_IN_FLIGHT" => 1,
        _ => return None,
    };
    Some(Duration::from_secs(seconds))
}

fn refusal(line: usize, answer: &Value) -> String {
    let error = &answer["error"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let details = match error["details"].as_array() {
        Some(fields) => {
            fields.iter().map(|field| format!("; {}: {}", text(&field["field"]), text(&field["message"]))).collect()
        }
        None if text(&error["code"]) == "INVALID_PROMPT" => {
            format!("; {}", crate::cli::client::validation_text(&error["details"]))
        }
        None => String::new(),
    };
    format!("line {line} was refused: {}: {}{details}", text(&error["code"]), text(&error["message"]))
}

/// Prints without a panic on a closed pipe (`| head`).
fn tell(value: &Value) {
    let mut out = std::io::stdout().lock();
    drop(writeln!(out, "{value}").and_then(|()| out.flush()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: &str, details: Value) -> Value {
        json!({ "key": "k", "error": { "code": code, "message": "m", "details": details } })
    }

    #[test]
    fn items_without_a_final_answer_are_sent_again() {
        let mut tally = Tally::new(4, true);
        tally.note(1, json!({ "id": "a" }));
        tally.note(2, refused("INVALID_PROMPT", Value::Null));
        tally.note(3, refused("RATE_LIMITED", json!({ "retryAfterSeconds": 7 })));
        assert_eq!(tally.open(&[1, 2, 3, 4]), [3, 4]);
        assert_eq!((tally.progress(), tally.wait()), ((3, 2), Some(Duration::from_secs(7))));
        tally.note(3, json!({ "id": "b" }));
        assert_eq!((tally.open(&[1, 2, 3, 4]), tally.wait()), (vec![4], None));
        assert_eq!((tally.accepted(), tally.refused()), (2, 1));
    }

    #[test]
    fn refusal_names_line_and_field() {
        let answer = refused("VALIDATION_FAILED", json!([{ "field": "form", "message": "is missing" }]));
        assert_eq!(refusal(3, &answer), "line 3 was refused: VALIDATION_FAILED: m; form: is missing");
    }
}
