//! What a connection does next: one pure function, [`next`].
//!
//! ```text
//! link   Waiting ──tick──> Connecting ──Connected──> Up ──SocketClosed / too much rubbish──> Waiting
//!            ^──────────ConnectFailed──────┘
//!
//! work   Uploading ─> Posting ─> Queued ─> Running ─> Ending ─> Collecting ─> Finished / Failed / Interrupted
//!            │           ├─> Refused         │           (every phase after Posting is corrected by Located)
//!            │           └─> Doubtful ─> Queued, Running, Ending or Unreachable
//!            └─> Unreachable, Broke          └─> Lost, Silent, Broke
//!
//! found  Doubtful ─> as above: the prompt of a node that is gone is looked for before anything else
//! ```
//!
//! A prompt that is over (Ending, Collecting) does not keep the worker from the next one: it is `over` for the roster,
//! and ends by itself beside whatever the worker does then. Each assignment has a number, and events are about one.
//!
//! One prompt may be posted behind the one that runs, so that the worker goes from one to the next by itself. While it
//! waits there it can be withdrawn, and is never taken for silent.
//!
//! The link and the work live side by side: a prompt outlives its socket for [`Pace::grace`], because a worker goes on
//! without us. Messages say quickly what happens; queue and history ([`Event::Located`]) say what is true.
//!
//! - `connection`, `work`, `event`: the nouns
//! - `step`: what every decision is made of
//! - `link`: the way to the server
//! - `post`, `messages`, `whereabouts`, `end`: the work, phase by phase
//!
//! [`Pace::grace`]: super::ports::Pace::grace

mod connection;
mod end;
mod event;
mod link;
mod messages;
mod post;
mod step;
mod whereabouts;
mod work;

use std::time::Instant;

pub use connection::{Duty, Link, State};
#[cfg(test)]
pub(super) use end::{in_order, merge};
pub use event::{Action, CollectError, Event, Need, WorkEvent};
pub(super) use post::is_filled;
use step::Step;
use verdigraph_core::fleet::Begin;
pub use work::{Located, Phase, Unanswered, Work};

/// The new state and what it takes.
#[derive(Debug)]
pub struct Outcome {
    pub state: State,
    pub actions: Vec<Action>,
}

/// Decides. Total: an event that does not fit changes nothing.
#[must_use]
pub fn next(state: &State, event: Event, now: Instant) -> Outcome {
    let mut step = Step { state: state.clone(), actions: Vec::new(), now, about: None };
    step.apply(event);
    Outcome { state: step.state, actions: step.actions }
}

impl Step {
    fn apply(&mut self, event: Event) {
        if self.state.duty == Duty::Gone {
            return;
        }
        match event {
            Event::Assign { serial, job, attempt, prompt_id, uploads, node_order, begin } => {
                let work = Work::new(serial, job, attempt, prompt_id, uploads, node_order, self.now);
                match begin {
                    Begin::Post => self.assign(work),
                    Begin::Behind => self.assign_behind(work),
                    Begin::Find { ran } => self.find(work, ran),
                }
            }
            Event::Rejoin => self.rejoin(),
            Event::Released => self.released(),
            Event::Stop { job, attempt } => self.stop(job, attempt),
            Event::Withdraw { job, attempt } => self.withdraw(job, attempt),
            Event::Duty(duty) => self.change_duty(duty),
            Event::Moved => self.moved(),
            Event::Connected { probed } => self.connected(probed),
            Event::ConnectFailed { reason, jitter } | Event::SocketClosed { reason, jitter } => {
                self.cut(reason, jitter)
            }
            Event::Way { is_cut } => self.way(is_cut),
            Event::Health { failure, jitter } => self.health(failure, jitter),
            Event::Malformed { reason, jitter } => self.malformed(&reason, jitter),
            Event::Work { serial, event } => self.about(serial, |step| step.work_event(event)),
            Event::Message(message) => self.message(message),
            Event::Tick => self.tick(),
        }
    }

    fn work_event(&mut self, event: WorkEvent) {
        match event {
            WorkEvent::Uploaded => self.uploaded(),
            WorkEvent::UploadFailed { reason, broke } => self.upload_failed(reason, broke),
            WorkEvent::Posted(answer) => self.posted(answer),
            WorkEvent::TakenInPart { prompt_id, validation } => self.taken_in_part(prompt_id, validation),
            WorkEvent::InputsGone { prompt_id, taken } => self.inputs_gone(prompt_id, taken),
            WorkEvent::Located(located) => self.located(located),
            WorkEvent::Collected(result) => self.collected(result),
            WorkEvent::StorageAway => self.storage_away(),
            WorkEvent::StorageBack => self.storage_back(),
        }
    }

    fn tick(&mut self) {
        self.tick_link();
        self.about_each(|_| true, Self::tick_work);
    }
}
