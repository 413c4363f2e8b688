//! Explains a missed bar: log lines of jobs whose prompt ran twice, and faults while a worker was idle.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Duration, Utc};
use verdigraph_scripted::JournalEntry;

use super::{IDLE, longest_gap};

/// Maximum number of explained jobs.
const JOBS: usize = 3;

/// Observations of a drill.
pub struct Observations {
    /// By worker.
    pub journals: Vec<Vec<JournalEntry>>,
    /// Log lines of faults.
    pub faults: Vec<String>,
    /// Intervals without the store, in microseconds since 1970.
    pub away: Vec<(i64, i64)>,
}

/// A time in the format of logs.
pub fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// The log of a node whose clock is ahead by `skew`, with the right times.
pub fn with_right_times(log: &str, skew: Duration) -> String {
    let corrected = |line: &str| {
        let (time, rest) = line.split_once(' ')?;
        let at = time.parse::<DateTime<Utc>>().ok()? - skew;
        Some(format!("{} {rest}", at.format("%Y-%m-%dT%H:%M:%S%.6fZ")))
    };
    let lines = log.lines().map(|line| corrected(line).unwrap_or_else(|| line.to_owned()) + "\n");
    lines.collect()
}

impl Observations {
    /// The explanation with lines of the nodes' logs; empty if nothing went wrong.
    pub fn diagnosis(&self, logs: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        for job in jobs_run_twice(&self.journals, logs).into_iter().take(JOBS) {
            lines.push(format!("The prompt of job {job} ran twice:"));
            let found = logs.iter().enumerate().flat_map(|(node, log)| {
                log.lines().filter(|line| line.contains(job)).map(move |line| format!("  {line} (node {node})"))
            });
            let mut found: Vec<String> = found.collect();
            found.sort();
            let times: Vec<&str> = found.iter().filter_map(|line| line.trim_start().split(' ').next()).collect();
            let (from, until) = (times.first().copied().unwrap_or(""), times.last().copied().unwrap_or(""));
            lines.extend(
                self.faults.iter().filter(|fault| fault.as_str() > minute(from) && fault.as_str() < until).cloned(),
            );
            lines.append(&mut found);
        }
        for (worker, journal) in self.journals.iter().enumerate() {
            let (until, gap) = longest_gap(journal, &self.away);
            if gap > IDLE {
                let until = DateTime::from_timestamp_micros(until).unwrap_or_default();
                let from = until - Duration::from_std(gap).unwrap_or_default();
                lines.push(format!("Worker {worker} had nothing from {} to {}:", moment(from), moment(until)));
                let since = moment(from - Duration::seconds(10));
                lines.extend(self.faults.iter().filter(|fault| **fault > since && **fault < moment(until)).cloned());
            }
        }
        lines
    }
}

/// A line's time up to the minute: faults shortly before count too.
fn minute(time: &str) -> &str {
    time.get(..16).unwrap_or(time)
}

/// Jobs with more than one prompt at workers.
fn jobs_run_twice<'a>(journals: &[Vec<JournalEntry>], logs: &'a [String]) -> Vec<&'a str> {
    let posted = logs.iter().flat_map(|log| log.lines()).filter(|line| line.contains("assigning a prompt"));
    let job_of: HashMap<&str, &str> =
        posted.filter_map(|line| Some((field(line, "prompt=")?, field(line, "job.id=")?))).collect();
    let (mut once, mut twice) = (HashSet::new(), Vec::new());
    for entry in journals.iter().flatten() {
        if let Some(job) = job_of.get(entry.id.as_str()).filter(|job| !once.insert(**job)) {
            twice.push(*job);
        }
    }
    twice
}

fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').find_map(|word| word.strip_prefix(name)).map(|value| value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(id: &str, began_us: i64, ended_us: i64) -> JournalEntry {
        JournalEntry { id: id.to_owned(), seed: None, came_us: began_us, began_us, ended_us }
    }

    #[test]
    fn log_of_a_node_with_a_wrong_clock_gets_the_right_times() {
        let log = "2026-11-28T18:14:48.226189Z  INFO a::b: it continues\npanicked at a.rs\n";
        let right = "2026-11-28T18:14:18.226189Z  INFO a::b: it continues\npanicked at a.rs\n";
        assert_eq!(with_right_times(log, Duration::seconds(30)), right);
    }

    #[test]
    fn diagnosis_has_log_lines_and_faults_of_repeated_prompts() {
        let line = |time: &str, job: &str, prompt: &str| {
            format!("{time} DEBUG a::b: assigning a prompt worker=w job.id={job} attempt=1 prompt=\"{prompt}\"\n")
        };
        let one = line("2026-11-24T02:39:05Z", "j1", "p1") + &line("2026-11-24T02:39:06Z", "j2", "p2");
        let other = line("2026-11-24T02:39:15Z", "j1", "p3");
        let faults = vec!["2026-11-24T02:39:10.000Z fault starts: kills of a node, node 0".to_owned()];
        let journals = vec![vec![ran("p1", 0, 1), ran("p2", 1, 2)], vec![ran("p3", 3, 4)]];
        let diagnosis =
            Observations { journals, faults: faults.clone(), away: Vec::new() }.diagnosis(&[one.clone(), other]);
        assert_eq!(diagnosis[0], "The prompt of job j1 ran twice:");
        assert_eq!(diagnosis[1], faults[0]);
        assert_eq!(diagnosis.len(), 4, "{diagnosis:?}");
        let well = Observations { journals: vec![vec![ran("p1", 0, 1), ran("p2", 1, 2)]], faults, away: Vec::new() };
        assert_eq!(well.diagnosis(&[one]), Vec::<String>::new());
    }
}
