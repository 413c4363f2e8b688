//! How long people's jobs waited, and how long they had to: derived from what the workers wrote down.

use verdigraph_scripted::JournalEntry;

use crate::scenarios::follow::{Followed, by_seed};

/// A prompt that came to its worker so soon after a submit was on its way before: its job was no longer in the queue.
const ON_ITS_WAY_US: i64 = 25_000;

/// One person's job.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    /// From the submit's answer until a worker began it.
    pub waited_ms: f64,
    /// Until the first worker came free that no other person's job was ahead for.
    pub first_free_ms: f64,
    /// Until all jobs that were running (or on their way to a worker) had ended.
    pub last_free_ms: f64,
    /// Until a worker could begin it at best: with nothing before it but those jobs and the people's jobs that waited
    /// already. Longer than `last_free_ms` where more people came at once than there are workers.
    pub possible_ms: f64,
    /// Jobs of others than people that began after the submit's answer and before the job.
    pub begun_before: usize,
}

impl Wait {
    /// The longest wait that nobody is to blame for.
    pub fn fair_ms(&self) -> f64 {
        self.last_free_ms.max(self.possible_ms)
    }
}

/// The waits of all followed jobs that a worker wrote down; `journals` has one list for each worker.
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
                // Those that were on their way are among the running ones.
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

/// When a worker is free for one more: each of those ahead takes the first worker that is, for as long as it ran.
fn possible(mut rest: Vec<i64>, ahead: &[&JournalEntry]) -> i64 {
    for entry in ahead {
        if let Some(first) = rest.iter_mut().min() {
            *first += entry.ended_us - entry.began_us;
        }
    }
    rest.into_iter().min().unwrap_or(0)
}

/// How long a worker still had to do, with what it ran or was being sent, apart from the job itself.
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
    fn a_wait_is_held_against_the_jobs_that_ran_when_it_began() {
        let journals = vec![
            vec![ran(1, 0, 200_000), ran(10, 205_000, 400_000)],
            vec![ran(2, 100_000, 300_000), ran(11, 310_000, 500_000), ran(3, 510_000, 700_000)],
        ];
        let found = waits(&[followed(11, 160_000), followed(10, 150_000)], &journals);
        let expected = [
            Wait { waited_ms: 55.0, first_free_ms: 50.0, last_free_ms: 150.0, possible_ms: 50.0, begun_before: 0 },
            // The other one is ahead of it, so that the second worker to come free is the first one for it.
            Wait { waited_ms: 150.0, first_free_ms: 140.0, last_free_ms: 140.0, possible_ms: 140.0, begun_before: 0 },
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_worker_at_rest_is_free_at_once_and_an_unwritten_job_is_left_out() {
        let journals = vec![vec![ran(10, 151_000, 400_000)]];
        let found = waits(&[followed(10, 150_000), followed(99, 1)], &journals);
        assert_eq!(
            found,
            [Wait { waited_ms: 1.0, first_free_ms: 0.0, last_free_ms: 0.0, possible_ms: 0.0, begun_before: 0 }]
        );
    }

    #[test]
    fn jobs_of_the_backlog_that_begin_before_a_persons_job_are_counted() {
        let journals = vec![
            vec![ran(1, 0, 200_000), ran(2, 201_000, 300_000), ran(10, 305_000, 400_000), ran(3, 401_000, 500_000)],
            vec![ran(4, 100_000, 160_000), ran(11, 161_000, 200_000), ran(5, 210_000, 400_000)],
        ];
        let found = waits(&[followed(10, 150_000), followed(11, 150_000)], &journals);
        assert_eq!(found.iter().map(|wait| wait.begun_before).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn whoever_comes_when_more_people_wait_than_there_are_workers_waits_for_one_of_them() {
        let journals = vec![vec![ran(1, 0, 200_000), ran(10, 205_000, 400_000), ran(11, 402_000, 600_000)]];
        let found = waits(&[followed(10, 150_000), followed(11, 151_000)], &journals);
        assert_eq!((found[1].last_free_ms, found[1].possible_ms), (49.0, 244.0));
        assert_eq!((found[1].waited_ms, found[1].fair_ms()), (251.0, 244.0));
    }
}
