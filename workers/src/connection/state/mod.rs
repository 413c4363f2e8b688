//! What a connection does next: one pure function, [`next`].
//!
//! ```text
//! link   Waiting ──tick──> Connecting ──Connected──> Up ──SocketClosed / too many malformed messages──> Waiting
//!            ^──────────ConnectFailed──────┘
//!
//! work   Uploading ─> Posting ─> Queued ─> Running ─> Ending ─> Collecting ─> Finished / Failed / Interrupted
//!            │           ├─> Refused         │           (every phase after Posting is corrected by Located)
//!            │           └─> Unconfirmed ─> Queued, Running, Ending or Unreachable
//!            └─> Unreachable, ProtocolError        └─> Lost, Silent, ProtocolError
//!
//! resume Unconfirmed ─> as above: a prompt that another node posted is located before anything else
//! ```
//!
//! A prompt that was withheld, because this node may have lost the worker, stays in Posting and is posted again.
//!
//! A prompt that has ended (Ending, Collecting) does not block the worker: its outputs are fetched while the next prompt
//! runs. Each assignment has a serial number, which its events carry.
//!
//! One prompt may be posted behind the running one, so that the worker continues without a pause. While it waits it can
//! be withdrawn, and the worker's silence does not count against it.
//!
//! The link and the works are independent: a prompt outlives its socket for [`Pace::grace`], because the worker continues
//! without a connection. Messages are fast; queue and history ([`WorkEvent::Located`]) are authoritative.
//!
//! - `connection`, `work`, `event`: the types
//! - `decision`: building blocks of all decisions
//! - `link`: the link to the server
//! - `post`, `messages`, `location`, `end`: the work, phase by phase
//!
//! [`Pace::grace`]: super::ports::Pace::grace

mod connection;
mod decision;
mod end;
mod event;
mod link;
mod location;
mod messages;
mod post;
mod relay;
mod work;

use std::time::Instant;

pub use connection::{DesiredState, LinkState, State};
use decision::Decision;
#[cfg(test)]
pub(super) use end::{in_order, merge};
pub use event::{Action, CollectError, CollectPolicy, Event, WorkEvent};
pub(super) use post::is_filled;
pub use relay::{PREVIEW, TEXT};
use verdigraph_core::fleet::AssignMode;
pub use work::{LocateFailure, Phase, PromptLocation, Work};

/// The new state and the actions it requires.
#[derive(Debug)]
pub struct Outcome {
    pub state: State,
    pub actions: Vec<Action>,
}

/// Decides. Total: an event that does not fit changes nothing.
#[must_use]
pub fn next(state: &State, event: Event, now: Instant) -> Outcome {
    let mut decision = Decision { state: state.clone(), actions: Vec::new(), now, serial: None };
    decision.apply(event);
    Outcome { state: decision.state, actions: decision.actions }
}

impl Decision {
    fn apply(&mut self, event: Event) {
        if self.state.desired == DesiredState::Gone {
            return;
        }
        match event {
            Event::Assign { serial, job, attempt, prompt_id, uploads, node_order, relays, begin } => {
                let mut work = Work::new(serial, job, attempt, prompt_id, uploads, node_order, self.now);
                work.relays = relays;
                match begin {
                    AssignMode::Post => self.assign(work),
                    AssignMode::Prefetch => self.assign_prefetch(work),
                    AssignMode::Resume { ran } => self.find(work, ran),
                }
            }
            Event::Rejoin => self.rejoin(),
            Event::Released => self.released(),
            Event::Stop { job, attempt } => self.stop(job, attempt),
            Event::Withdraw { job, attempt } => self.withdraw(job, attempt),
            Event::DesiredState(desired) => self.set_desired_state(desired),
            Event::Moved => self.moved(),
            Event::Connected { probed } => self.connected(probed),
            Event::ConnectFailed { reason, jitter } | Event::SocketClosed { reason, jitter } => {
                self.cut(reason, jitter)
            }
            Event::Tunnel { is_down } => self.tunnel_changed(is_down),
            Event::Health { failure, jitter } => self.health(failure, jitter),
            Event::ModelsChanged => self.refresh(),
            Event::Malformed { reason, jitter } => self.malformed(&reason, jitter),
            Event::Work { serial, event } => self.for_work(serial, |decision| decision.work_event(event)),
            Event::Message(message) => self.message(message),
            Event::Tick => self.tick(),
        }
    }

    fn work_event(&mut self, event: WorkEvent) {
        match event {
            WorkEvent::Uploaded => self.uploaded(),
            WorkEvent::UploadFailed { reason, is_protocol_error } => self.upload_failed(reason, is_protocol_error),
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
        self.for_each_work(|_| true, Self::tick_work);
    }
}
