//! What led to a bar that was missed: what nodes said of a job whose prompt ran twice, and what fell while a worker had
//! nothing to do.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Duration, Utc};
use verdigraph_scripted::JournalEntry;

use super::{IDLE, longest_gap};

/// How many jobs are told of.
const JOBS: usize = 3;

/// What was seen from outside.
pub struct Seen {
    /// Of each worker.
    pub journals: Vec<Vec<JournalEntry>>,
    /// What fell when, as lines of a log.
    pub blows: Vec<String>,
    /// From when to when the store answered nothing, in microseconds since 1970.
    pub away: Vec<(i64, i64)>,
}

/// A moment as logs write it.
pub fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

impl Seen {
    /// The story, with the logs of the nodes; nothing where all went well.
    pub fn story(&self, logs: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        for job in twice(&self.journals, logs).into_iter().take(JOBS) {
            lines.push(format!("The prompt of job {job} ran twice:"));
            let said = logs.iter().enumerate().flat_map(|(node, log)| {
                log.lines().filter(|line| line.contains(job)).map(move |line| format!("  {line} (node {node})"))
            });
            let mut said: Vec<String> = said.collect();
            said.sort();
            let times: Vec<&str> = said.iter().filter_map(|line| line.trim_start().split(' ').next()).collect();
            let (from, until) = (times.first().copied().unwrap_or(""), times.last().copied().unwrap_or(""));
            lines.extend(
                self.blows.iter().filter(|blow| blow.as_str() > minute(from) && blow.as_str() < until).cloned(),
            );
            lines.append(&mut said);
        }
        for (worker, journal) in self.journals.iter().enumerate() {
            let (until, gap) = longest_gap(journal, &self.away);
            if gap > IDLE {
                let until = DateTime::from_timestamp_micros(until).unwrap_or_default();
                let from = until - Duration::from_std(gap).unwrap_or_default();
                lines.push(format!("Worker {worker} had nothing from {} to {}:", moment(from), moment(until)));
                let since = moment(from - Duration::seconds(10));
                lines.extend(self.blows.iter().filter(|blow| **blow > since && **blow < moment(until)).cloned());
            }
        }
        lines
    }
}

/// The start of a line up to its minute: what fell shortly before counts too.
fn minute(time: &str) -> &str {
    time.get(..16).unwrap_or(time)
}

/// Jobs of which workers ran more than one prompt.
fn twice<'a>(journals: &[Vec<JournalEntry>], logs: &'a [String]) -> Vec<&'a str> {
    let posted = logs.iter().flat_map(|log| log.lines()).filter(|line| line.contains("a prompt for the worker"));
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
    fn who_ran_twice_is_told_with_what_nodes_said_and_what_fell() {
        let line = |time: &str, job: &str, prompt: &str| {
            format!("{time} DEBUG a::b: a prompt for the worker worker=w job.id={job} attempt=1 prompt=\"{prompt}\"\n")
        };
        let one = line("2026-11-24T02:39:05Z", "j1", "p1") + &line("2026-11-24T02:39:06Z", "j2", "p2");
        let other = line("2026-11-24T02:39:15Z", "j1", "p3");
        let blows = vec!["2026-11-24T02:39:10.000Z blow falls: kills of a node, node 0".to_owned()];
        let journals = vec![vec![ran("p1", 0, 1), ran("p2", 1, 2)], vec![ran("p3", 3, 4)]];
        let story = Seen { journals, blows: blows.clone(), away: Vec::new() }.story(&[one.clone(), other]);
        assert_eq!(story[0], "The prompt of job j1 ran twice:");
        assert_eq!(story[1], blows[0]);
        assert_eq!(story.len(), 4, "{story:?}");
        let well = Seen { journals: vec![vec![ran("p1", 0, 1), ran("p2", 1, 2)]], blows, away: Vec::new() };
        assert_eq!(well.story(&[one]), Vec::<String>::new());
    }
}
