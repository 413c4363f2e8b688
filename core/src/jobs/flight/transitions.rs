//! Status transitions of an attempt that are not written yet.
//!
//! One post is under way at a time. While it waits for the ledger, a new transition withdraws it, and all transitions are
//! merged into one post. Transitions after the start of its commit become the next post, or are written with the end of
//! the job. The row ends up as if each transition had been written.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use chrono::{DateTime, Utc};

use crate::jobs::status::Status;

const WAITS: u8 = 0;
const BEGUN: u8 = 1;
const WITHDRAWN: u8 = 2;

/// Decides a race for a row: the writer begins it, or the sender withdraws it. Clones share the state.
#[derive(Debug, Clone, Default)]
pub(in crate::jobs) struct WriteTicket(Arc<AtomicU8>);

impl WriteTicket {
    /// Begins the write, or a retry. `false`: the row was withdrawn.
    pub fn begin(&self) -> bool {
        let before = self.0.compare_exchange(WAITS, BEGUN, Ordering::AcqRel, Ordering::Acquire);
        matches!(before, Ok(_) | Err(BEGUN))
    }

    /// `false`: the row is being written.
    fn withdraw(&self) -> bool {
        self.0.compare_exchange(WAITS, WITHDRAWN, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// Several transitions as one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct MergedTransition {
    pub status: Status,
    pub started_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Default)]
pub(in crate::jobs) struct PendingTransitions {
    /// Transitions of the current post.
    posted: Vec<(Status, DateTime<Utc>)>,
    ticket: Option<WriteTicket>,
    /// Transitions in no post.
    gathered: Vec<(Status, DateTime<Utc>)>,
}

impl PendingTransitions {
    pub fn add(&mut self, status: Status, at: DateTime<Utc>) {
        self.gathered.push((status, at));
    }

    pub fn is_empty(&self) -> bool {
        self.posted.is_empty() && self.gathered.is_empty()
    }

    /// The next post: all transitions, unless some are being written.
    pub fn post(&mut self) -> Option<(MergedTransition, WriteTicket)> {
        if self.gathered.is_empty() || !self.withdraw() {
            return None;
        }
        self.posted = std::mem::take(&mut self.gathered);
        let ticket = WriteTicket::default();
        self.ticket = Some(ticket.clone());
        Some((MergedTransition { status: self.posted.last()?.0, started_at: started_at(&self.posted) }, ticket))
    }

    /// Withdraws the current post. `false`: it is being written.
    pub fn withdraw(&mut self) -> bool {
        if self.ticket.as_ref().is_some_and(|ticket| !ticket.withdraw()) {
            return false;
        }
        self.ticket = None;
        self.posted.append(&mut self.gathered);
        self.gathered = std::mem::take(&mut self.posted);
        true
    }

    /// Ends the current post after its commit; returns its statuses.
    pub fn written(&mut self) -> Vec<Status> {
        self.ticket = None;
        std::mem::take(&mut self.posted).into_iter().map(|(status, _)| status).collect()
    }

    /// Takes the transitions that are in no post: their statuses, and the start of the run.
    pub fn take_gathered(&mut self) -> (Vec<Status>, Option<DateTime<Utc>>) {
        let gathered = std::mem::take(&mut self.gathered);
        (gathered.iter().map(|(status, _)| *status).collect(), started_at(&gathered))
    }
}

fn started_at(transitions: &[(Status, DateTime<Utc>)]) -> Option<DateTime<Utc>> {
    transitions.iter().find(|(status, _)| *status == Status::Running).map(|(_, at)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("a time")
    }

    #[test]
    fn waiting_post_is_merged_with_the_next_transition() {
        let mut transitions = PendingTransitions::default();
        transitions.add(Status::Connected, at(1));
        let (first, ticket) = transitions.post().expect("a post");
        assert_eq!(first, MergedTransition { status: Status::Connected, started_at: None });
        transitions.add(Status::Running, at(2));
        let (both, _) = transitions.post().expect("a post in place of it");
        assert_eq!(both, MergedTransition { status: Status::Running, started_at: Some(at(2)) });
        assert!(!ticket.begin(), "it would be written twice");
        assert_eq!(transitions.written(), [Status::Connected, Status::Running], "each status is published");
        assert!(transitions.is_empty());
    }

    #[test]
    fn transition_during_a_write_is_left_for_the_next_post() {
        let mut transitions = PendingTransitions::default();
        transitions.add(Status::Connected, at(1));
        let (_, ticket) = transitions.post().expect("a post");
        assert!(ticket.begin() && ticket.begin(), "a writer may have to try again");
        transitions.add(Status::Running, at(2));
        assert!(
            transitions.post().is_none() && !transitions.withdraw(),
            "two writes of one job would wait for each other"
        );
        assert_eq!(transitions.written(), [Status::Connected]);
        assert!(transitions.withdraw());
        assert_eq!(
            transitions.take_gathered(),
            (vec![Status::Running], Some(at(2))),
            "it goes with the end of the job"
        );
        assert!(transitions.is_empty());
    }
}
