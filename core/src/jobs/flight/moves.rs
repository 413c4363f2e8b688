//! The moves of an attempt that are not written yet.
//!
//! One post of them is under way at a time. As long as it waits for its turn in the ledger's lane it is taken back when
//! more comes, and all of it becomes one; what comes after its commit has begun gathers behind it, and becomes one post,
//! or goes with the end of the job. The row then says what each of them would have left in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use chrono::{DateTime, Utc};

use crate::jobs::status::Status;

const WAITS: u8 = 0;
const BEGUN: u8 = 1;
const WITHDRAWN: u8 = 2;

/// Says of a row that waits to be written whether its writer or its sender was first: the one begins it, the other takes
/// it back. Its copies are of the same row.
#[derive(Debug, Clone, Default)]
pub(in crate::jobs) struct Ticket(Arc<AtomicU8>);

impl Ticket {
    /// Begins to write the row, or does so again; `false` where it was taken back.
    pub fn begin(&self) -> bool {
        let before = self.0.compare_exchange(WAITS, BEGUN, Ordering::AcqRel, Ordering::Acquire);
        matches!(before, Ok(_) | Err(BEGUN))
    }

    /// Takes the row back; `false` where it is being written.
    fn withdraw(&self) -> bool {
        self.0.compare_exchange(WAITS, WITHDRAWN, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// Several moves as one row: where they came to, and when it began to run, if it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Folded {
    pub status: Status,
    pub started_at: Option<DateTime<Utc>>,
}

/// See above.
#[derive(Debug, Default)]
pub(in crate::jobs) struct Moves {
    /// In the post that is under way.
    posted: Vec<(Status, DateTime<Utc>)>,
    ticket: Option<Ticket>,
    /// In none.
    gathered: Vec<(Status, DateTime<Utc>)>,
}

impl Moves {
    pub fn add(&mut self, status: Status, at: DateTime<Utc>) {
        self.gathered.push((status, at));
    }

    /// Whether everything is written.
    pub fn is_empty(&self) -> bool {
        self.posted.is_empty() && self.gathered.is_empty()
    }

    /// What to post now: all that is not being written. Nothing while something is.
    pub fn post(&mut self) -> Option<(Folded, Ticket)> {
        if self.gathered.is_empty() || !self.take_back() {
            return None;
        }
        self.posted = std::mem::take(&mut self.gathered);
        let ticket = Ticket::default();
        self.ticket = Some(ticket.clone());
        Some((Folded { status: self.posted.last()?.0, started_at: started_at(&self.posted) }, ticket))
    }

    /// Takes back what was posted, so that it can be written otherwise; `false` where it is being written.
    pub fn take_back(&mut self) -> bool {
        if self.ticket.as_ref().is_some_and(|ticket| !ticket.withdraw()) {
            return false;
        }
        self.ticket = None;
        self.posted.append(&mut self.gathered);
        self.gathered = std::mem::take(&mut self.posted);
        true
    }

    /// What was posted is written: the statuses that it came through.
    pub fn written(&mut self) -> Vec<Status> {
        self.ticket = None;
        std::mem::take(&mut self.posted).into_iter().map(|(status, _)| status).collect()
    }

    /// All that is in no post, for whoever writes it with something else: the statuses, and when it began to run.
    pub fn rest(&mut self) -> (Vec<Status>, Option<DateTime<Utc>>) {
        let rest = std::mem::take(&mut self.gathered);
        (rest.iter().map(|(status, _)| *status).collect(), started_at(&rest))
    }
}

fn started_at(moves: &[(Status, DateTime<Utc>)]) -> Option<DateTime<Utc>> {
    moves.iter().find(|(status, _)| *status == Status::Running).map(|(_, at)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("a time")
    }

    #[test]
    fn what_waits_for_its_turn_becomes_one_with_what_comes() {
        let mut moves = Moves::default();
        moves.add(Status::Connected, at(1));
        let (first, ticket) = moves.post().expect("a post");
        assert_eq!(first, Folded { status: Status::Connected, started_at: None });
        moves.add(Status::Running, at(2));
        let (both, _) = moves.post().expect("a post in place of it");
        assert_eq!(both, Folded { status: Status::Running, started_at: Some(at(2)) });
        assert!(!ticket.begin(), "it would be written twice");
        assert_eq!(moves.written(), [Status::Connected, Status::Running], "each is told of");
        assert!(moves.is_empty());
    }

    #[test]
    fn what_comes_while_something_is_written_gathers_behind_it() {
        let mut moves = Moves::default();
        moves.add(Status::Connected, at(1));
        let (_, ticket) = moves.post().expect("a post");
        assert!(ticket.begin() && ticket.begin(), "a writer may have to try again");
        moves.add(Status::Running, at(2));
        assert!(moves.post().is_none() && !moves.take_back(), "two writes of one job would wait for each other");
        assert_eq!(moves.written(), [Status::Connected]);
        assert!(moves.take_back());
        assert_eq!(moves.rest(), (vec![Status::Running], Some(at(2))), "it goes with the end of the job");
        assert!(moves.is_empty());
    }
}
