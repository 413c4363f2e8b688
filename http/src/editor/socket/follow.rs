//! What happens to a job that a client follows: its events, and its worker's messages in their order.

use std::collections::VecDeque;

use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use verdigraph_core::fleet::ClientMessage;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{JobEvent, Status};

use super::relay::{JobRelay, Outgoing};

/// How a followed job is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// All messages.
    All,
    /// The messages from now on, to a client that may have seen the earlier ones.
    Rest,
    /// The number of remaining jobs only: another client queued it.
    CountOnly,
}

impl Showing {
    /// How a job is shown that a new socket finds in the rows. `opened` is an id of the moment when the socket opened: a
    /// client submits as soon as it is connected, and has seen no message of a later job.
    #[must_use]
    pub fn for_unended(job: JobId, opened: JobId) -> Self {
        if job > opened { Self::All } else { Self::Rest }
    }
}

/// A followed job.
pub struct Followed {
    pub relay: JobRelay,
    pub showing: Showing,
    /// Signals of earlier turns are ignored.
    pub turn: u64,
    /// The last message that was handled.
    pub seen: u64,
    /// Whether the client knows that the job waits.
    pub told_waiting: bool,
}

impl Followed {
    /// Those of the messages that the client gets.
    pub fn shown(&self, mut messages: Vec<Outgoing>) -> Vec<Outgoing> {
        if self.showing == Showing::CountOnly {
            messages.retain(|message| *message == Outgoing::Status);
        }
        messages
    }
}

/// One signal about a job.
#[derive(Debug)]
pub enum JobSignal {
    Message(u64, ClientMessage),
    /// Some messages were missed.
    MessagesMissed,
    Status(Status),
    /// The job waits in the queue.
    Waits,
    /// Some events were missed: the row has the status.
    EventsMissed,
}

struct Signals {
    events: Receiver<(u64, JobEvent)>,
    messages: Receiver<(u64, ClientMessage)>,
    ready: VecDeque<JobSignal>,
    ended: bool,
}

/// The signals of a job, until its end. `turn` tells two followings of one job apart.
pub fn signals(
    job: JobId,
    turn: u64,
    events: Receiver<(u64, JobEvent)>,
    messages: Receiver<(u64, ClientMessage)>,
) -> impl Stream<Item = (JobId, u64, JobSignal)> {
    let signals = Signals { events, messages, ready: VecDeque::new(), ended: false };
    unfold(signals, move |mut signals| async move { signals.next().await.map(|signal| ((job, turn, signal), signals)) })
}

impl Signals {
    async fn next(&mut self) -> Option<JobSignal> {
        loop {
            if let Some(signal) = self.ready.pop_front() {
                return Some(signal);
            }
            if self.ended {
                return None;
            }
            tokio::select! {
                biased;
                message = self.messages.recv() => match message {
                    Ok((id, message)) => return Some(JobSignal::Message(id, message)),
                    Err(RecvError::Lagged(_)) => return Some(JobSignal::MessagesMissed),
                    Err(RecvError::Closed) => self.ended = true,
                },
                event = self.events.recv() => match event {
                    Ok((_, JobEvent::Status(status))) => {
                        // The messages before it may have arrived since they were looked for.
                        while let Ok((id, message)) = self.messages.try_recv() {
                            self.ready.push_back(JobSignal::Message(id, message));
                        }
                        self.ready.push_back(JobSignal::Status(status));
                        self.ended = status.is_terminal();
                    }
                    Ok((_, JobEvent::Position(_))) => return Some(JobSignal::Waits),
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => return Some(JobSignal::EventsMissed),
                    Err(RecvError::Closed) => self.ended = true,
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_submitted_after_the_socket_opened_is_shown_from_its_start() {
        let (earlier, opened, later) = (JobId::new(), JobId::new(), JobId::new());
        assert_eq!(Showing::for_unended(earlier, opened), Showing::Rest);
        assert_eq!(Showing::for_unended(later, opened), Showing::All);
    }
}
