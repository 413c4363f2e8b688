//! Actual and unavoidable waits of users' jobs, derived from the workers' journals.

use verdigraph_scripted::JournalEntry;

use crate::scenarios::follow::{Followed, by_seed};

/// A prompt that arrived at its worker this soon after a submit was already assigned: its job was no longer in the
/// queue.
const ON_ITS_WAY_US: i64 = 25_000;

/// The wait of one user's job.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    /// From the submit's answer until a worker started it.
    pub waited_ms: f64,
    /// Until the first worker was free that no other user's job needed.
    pub first_free_ms: f64,
    /// Until all running or assigned jobs had ended.
    pub last_free_ms: f64,
    /// Until a worker could start it at best, after those jobs and earlier users' jobs. Longer than `last_free_ms` if
    /// more users waited than there are workers.
    pub possible_ms: f64,
    /// Backlog jobs that started between the submit's answer and the job.
    pub begun_before: usize,
}

impl Wait {
    /// The longest unavoidable wait.
    pub fn fair_ms(&self) -> f64 {
        self.last_free_ms.max(self.possible_ms)
    }
}

/// The waits of all followed jobs in the journals, which are by worker.
pub fn waits(jobs: &[Followed], journals: &[Vec<JournalEntry>]) -> Vec<Wait> {
    let began = by_seed(journals);
    let mut followed: Vec<(&Followed, &JournalEntry)> =
        jobs.iter().filter_map(|job| Some((job, began.get(&job.seed)?))).collect();
    followed.sort_by_key(|(job, _)| job.answered_us);
    followed
        .iter()
        .map(|(job, entry)| {
            let now = job.answered_us;
            let mut rest: Vec<i64> = journals.iter().map(|journal| remaining(journal, job.seed, now)).collect();
            rest.sort_unstable();
            let ahead: Vec<&JournalEntry> = followed
                .iter()
                .filter(|(other, entry)| other.answered_us < now && entry.began_us > now)
                .map(|(_, entry)| *entry)
                // Assigned jobs are among the running ones.
                .filter(|entry| entry.came_us > now + ON_ITS_WAY_US)
                .collect();
            let last = rest.last().copied().unwrap_or(0);
            let others =
                journals.iter().flatten().filter(|one| !followed.iter().any(|(job, _)| one.seed == Some(job.seed)));
            let begun_before = others.filter(|one| one.began_us > now && one.began_us < entry.began_us).count();
            Wait {
                waited_ms: ms(entry.began_us - now),
                first_free_ms: ms(rest.get(ahead.len()).copied().unwrap_or(last)),
                last_free_ms: ms(last),
                possible_ms: ms(possible(rest, &ahead)),
                begun_before,
            }
        })
        .collect()
}

/// When a worker is free for one more job, if each job ahead takes the first free worker for as long as it ran.
fn possible(mut rest: Vec<i64>, ahead: &[&JournalEntry]) -> i64 {
    for entry in ahead {
        if let Some(first) = rest.iter_mut().min() {
            *first += entry.ended_us - entry.began_us;
        }
    }
    rest.into_iter().min().unwrap_or(0)
}

/// The remaining time of a worker's running and assigned prompts, without the job itself.
fn remaining(journal: &[JournalEntry], own: u64, now: i64) -> i64 {
    let busy = journal.iter().filter(|entry| entry.seed != Some(own));
    let busy = busy.filter(|entry| entry.came_us <= now + ON_ITS_WAY_US && entry.ended_us > now);
    busy.map(|entry| entry.ended_us - now).max().unwrap_or(0)
}

#[expect(clippy::cast_precision_loss, reason = "microseconds of a run")]
fn ms(us: i64) -> f64 {
    us.max(0) as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ran(seed: u64, began_us: i64, ended_us: i64) -> JournalEntry {
        JournalEntry { id: seed.to_string(), seed: Some(seed), came_us: began_us - 1000, began_us, ended_us }
    }

    fn followed(seed: u64, answered_us: i64) -> Followed {
        Followed { seed, answered_us, ended_us: 0, submit: Duration::ZERO, status: "Done".to_owned() }
    }

    #[test]
    fn wait_is_compared_with_running_jobs() {
        let journals = vec![
            vec![ran(1, 0, 200_000), ran(10, 205_000, 400_000)],
            vec![ran(2, 100_000, 300_000), ran(11, 310_000, 500_000), ran(3, 510_000, 700_000)],
        ];
        let found = waits(&[followed(11, 160_000), followed(10, 150_000)], &journals);
        let expected = [
            Wait { waited_ms: 55.0, first_free_ms: 50.0, last_free_ms: 150.0, possible_ms: 50.0, begun_before: 0 },
            // The other user's job is ahead, so the second worker that becomes free is the first for this one.
            Wait { waited_ms: 150.0, first_free_ms: 140.0, last_free_ms: 140.0, possible_ms: 140.0, begun_before: 0 },
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn idle_worker_is_free_at_once_and_unrecorded_job_is_skipped() {
        let journals = vec![vec![ran(10, 151_000, 400_000)]];
        let found = waits(&[followed(10, 150_000), followed(99, 1)], &journals);
        assert_eq!(
            found,
            [Wait { waited_ms: 1.0, first_free_ms: 0.0, last_free_ms: 0.0, possible_ms: 0.0, begun_before: 0 }]
        );
    }

    #[test]
    fn backlog_jobs_started_before_a_users_job_are_counted() {
        let journals = vec![
            vec![ran(1, 0, 200_000), ran(2, 201_000, 300_000), ran(10, 305_000, 400_000), ran(3, 401_000, 500_000)],
            vec![ran(4, 100_000, 160_000), ran(11, 161_000, 200_000), ran(5, 210_000, 400_000)],
        ];
        let found = waits(&[followed(10, 150_000), followed(11, 150_000)], &journals);
        assert_eq!(found.iter().map(|wait| wait.begun_before).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn user_behind_more_users_than_workers_waits_for_one() {
        let journals = vec![vec![ran(1, 0, 200_000), ran(10, 205_000, 400_000), ran(11, 402_000, 600_000)]];
        let found = waits(&[followed(10, 150_000), followed(11, 151_000)], &journals);
        assert_eq!((found[1].last_free_ms, found[1].possible_ms), (49.0, 244.0));
        assert_eq!((found[1].waited_ms, found[1].fair_ms()), (251.0, 244.0));
    }
}
