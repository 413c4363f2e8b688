//! One open socket.

use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::time::{Duration, Instant};

use actix_ws::{CloseCode, CloseReason, Closed, Message, MessageStream, ProtocolError};
use futures_util::stream::{SelectAll, Stream, StreamExt as _};
use serde_json::json;
use tokio::sync::watch;
use verdigraph_core::fleet::ClientMessage;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, ClientJob, ClientJobs, Job, MessageSubscription, Status};
use verdigraph_core::{Caller, Core, Error};

use super::client::ClientText;
use super::ends;
use super::follow::{Followed, JobSignal, Showing, signals};
use super::relay::{JobRelay, Outgoing};
use super::sender::Sender;
use crate::editor::catalog;
use crate::editor::dialect::Dialect;
use crate::event_stream;
use crate::streams::{StreamPermit, StreamSignal};

/// Heartbeats without any message of the client, after which its socket is dead.
const MAX_SILENT_BEATS: u32 = 3;
/// Messages of a client per heartbeat. Clients say nothing but their features.
const MAX_TEXTS: u32 = 60;
/// Jobs that one socket follows. The others are followed after these.
const MAX_FOLLOWED: usize = 100;
/// How long after its end a job is shown again to a client that reconnects.
const REPLAYED: chrono::Duration = chrono::Duration::hours(1);

/// The client of a socket.
pub struct Client {
    pub id: String,
    /// Whether it chose the id itself, so it may have been connected before.
    pub is_named: bool,
    pub dialect: Dialect,
}

impl Client {
    /// Whether it gets the messages of all jobs of the account, as clients of Comfy Cloud do.
    fn sees_all(&self) -> bool {
        self.dialect == Dialect::Cloud
    }

    /// Whether jobs from before its socket may be its own.
    fn may_have_jobs(&self) -> bool {
        self.is_named || self.sees_all()
    }
}

type Signals = Pin<Box<dyn Stream<Item = (JobId, u64, JobSignal)>>>;

/// One open socket and what it follows.
pub struct Session {
    core: Core,
    caller: Caller,
    client: Client,
    sender: Sender,
    submits: ClientJobs,
    followed: HashMap<JobId, Followed>,
    signals: SelectAll<Signals>,
    turn: u64,
    /// An id of the moment when the socket opened: those of later jobs are greater.
    opened: JobId,
    /// Jobs that were shown from their start before their announcement was read: it shows them no second time.
    early: HashSet<JobId>,
    /// The last job that the client submitted before the socket, or that was announced.
    newest: Option<JobId>,
    /// Whether the client said something, so a later announcement of features does not count.
    has_spoken: bool,
    texts: u32,
    silent_beats: u32,
}

/// Why a socket ends.
enum End {
    /// The client is gone.
    Gone,
    Close(CloseCode, &'static str),
}

impl From<Closed> for End {
    fn from(_: Closed) -> Self {
        Self::Gone
    }
}

type Flow = std::result::Result<(), End>;

impl Session {
    /// # Errors
    /// [`Error::LoginRequired`] for a guest.
    pub fn open(core: Core, caller: Caller, client: Client, socket: actix_ws::Session) -> Result<Self, Error> {
        // Before the first read of the jobs, so that none is missed.
        let submits = jobs::client_jobs(&core, &caller)?;
        Ok(Self {
            core,
            caller,
            client,
            sender: Sender::new(socket),
            submits,
            followed: HashMap::new(),
            signals: SelectAll::new(),
            turn: 0,
            opened: JobId::new(),
            early: HashSet::new(),
            newest: None,
            has_spoken: false,
            texts: 0,
            silent_beats: 0,
        })
    }

    /// Serves the socket until either side ends it.
    pub async fn serve(mut self, stream: MessageStream, permit: StreamPermit, stopping: watch::Receiver<bool>) {
        let end = match self.run(stream, permit, stopping).await {
            Err(end) => end,
            Ok(()) => End::Close(CloseCode::Away, "this node stops"),
        };
        if let End::Close(code, reason) = end {
            self.sender.close(CloseReason { code, description: Some(reason.to_owned()) }).await;
        }
    }

    async fn run(
        &mut self,
        mut stream: MessageStream,
        mut permit: StreamPermit,
        mut stopping: watch::Receiver<bool>,
    ) -> Flow {
        let mut heartbeat = event_stream::heartbeat();
        let remaining = remaining(&self.core, &self.caller).await;
        let sid = &self.client.id;
        let greeting = json!({ "status": { "exec_info": { "queue_remaining": remaining } }, "sid": sid });
        self.send(Outgoing::text("status", &greeting)).await?;
        Box::pin(self.follow_earlier()).await?;
        loop {
            let release_at = self.followed.values().filter_map(|followed| followed.relay.holds_until()).min();
            tokio::select! {
                message = stream.next() => Box::pin(self.client_message(message)).await?,
                submit = self.submits.next() => match submit {
                    Some(job) => Box::pin(self.submitted(job)).await?,
                    None => return Ok(()),
                },
                Some((job, turn, signal)) = self.signals.next(), if !self.signals.is_empty() => {
                    Box::pin(self.signal(job, turn, signal)).await?;
                }
                () = sleep_until(release_at) => self.release().await?,
                _ = heartbeat.tick() => self.beat().await?,
                _ = stopping.wait_for(|stopping| *stopping) => return Ok(()),
                signal = permit.signal() => match signal {
                    StreamSignal::Heartbeat => self.sender.ping().await?,
                    StreamSignal::End => return Err(End::Close(CloseCode::Policy, "signed out")),
                },
            }
        }
    }

    /// Pings the client, and reads jobs whose announcement was lost.
    async fn beat(&mut self) -> Flow {
        self.texts = 0;
        self.silent_beats += 1;
        if self.silent_beats > MAX_SILENT_BEATS {
            return Err(End::Gone);
        }
        self.sender.ping().await?;
        Box::pin(self.follow_unannounced()).await
    }

    async fn client_message(&mut self, message: Option<Result<Message, ProtocolError>>) -> Flow {
        self.silent_beats = 0;
        match message {
            Some(Ok(Message::Text(text))) => {
                self.texts += 1;
                if self.texts > MAX_TEXTS {
                    return Err(End::Close(CloseCode::Policy, "too many messages"));
                }
                self.client_text(&text).await
            }
            Some(Ok(Message::Ping(bytes))) => Ok(self.sender.pong(&bytes).await?),
            Some(Ok(Message::Close(_)) | Err(ProtocolError::Io(_))) | None => {
                Err(End::Close(CloseCode::Normal, "closed by the client"))
            }
            Some(Err(ProtocolError::Overflow)) => Err(End::Close(CloseCode::Size, "the message is too long")),
            Some(Err(_)) => Err(End::Close(CloseCode::Protocol, "the message cannot be read")),
            Some(Ok(_)) => Ok(()),
        }
    }

    async fn client_text(&mut self, text: &str) -> Flow {
        let text = ClientText::read(text);
        if text == ClientText::Ignored || std::mem::replace(&mut self.has_spoken, true) {
            return Ok(());
        }
        if let ClientText::Features(features) = text {
            self.sender.features = features;
            self.send(Outgoing::text("feature_flags", &catalog::server_features(&self.core))).await?;
            if self.client.is_named {
                self.replay().await?;
            }
        }
        Ok(())
    }

    /// Shows the client's last job again, and all that have not ended: outputs that a page missed while it was away do
    /// not appear in it otherwise.
    async fn replay(&mut self) -> Flow {
        let own = self.own_jobs().await;
        let last = own.last().map(|(prompt, _)| prompt.job);
        for (prompt, status) in own {
            if !status.is_terminal() || Some(prompt.job) == last {
                self.follow(&prompt, Showing::All).await?;
            }
        }
        Ok(())
    }

    /// Follows the client's jobs that have not ended. One may be newer than the socket, and was announced to it too.
    async fn follow_earlier(&mut self) -> Flow {
        if !self.client.may_have_jobs() {
            return Ok(());
        }
        for (prompt, status) in self.own_jobs().await {
            self.newest = Some(prompt.job);
            if !status.is_terminal() && self.followed.len() < MAX_FOLLOWED {
                let showing = Showing::for_unended(prompt.job, self.opened);
                if showing == Showing::All {
                    self.early.insert(prompt.job);
                }
                self.follow(&prompt, showing).await?;
            }
        }
        Ok(())
    }

    /// Follows the client's jobs that are not followed yet, because their announcement was lost or there were too many.
    async fn follow_unannounced(&mut self) -> Flow {
        for (prompt, status) in self.own_jobs().await {
            let is_new = self.newest.is_none_or(|newest| prompt.job > newest);
            self.newest = self.newest.max(Some(prompt.job));
            let is_followed = self.followed.contains_key(&prompt.job) || self.followed.len() >= MAX_FOLLOWED;
            if (is_new || !status.is_terminal()) && !is_followed {
                self.follow(&prompt, Showing::All).await?;
            }
        }
        Ok(())
    }

    /// The client's latest jobs, oldest first.
    async fn own_jobs(&self) -> Vec<(ClientJob, Status)> {
        let client = (!self.client.sees_all()).then_some(self.client.id.as_str());
        jobs::of_client(&self.core, &self.caller, client).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the jobs of a socket's client could not be read");
            Vec::new()
        })
    }

    /// Handles the announcement of a new job.
    async fn submitted(&mut self, prompt: ClientJob) -> Flow {
        self.send(Outgoing::Status).await?;
        // An early one may have ended already, so that it is not followed any more.
        let is_known = self.early.remove(&prompt.job) || self.followed.contains_key(&prompt.job);
        if is_known || self.followed.len() >= MAX_FOLLOWED {
            return Ok(());
        }
        self.newest = self.newest.max(Some(prompt.job));
        let is_own = self.client.sees_all() || prompt.client.as_ref() == Some(&self.client.id);
        self.follow(&prompt, if is_own { Showing::All } else { Showing::CountOnly }).await
    }

    /// Follows a job from now on.
    async fn follow(&mut self, prompt: &ClientJob, showing: Showing) -> Flow {
        let (id, prompt_id) = (prompt.job, prompt.prompt_id);
        let (status, events, messages) = match jobs::subscribe_client(&self.core, &self.caller, id).await {
            Ok(subscribed) => subscribed,
            Err(error) => {
                tracing::warn!(job.id = %id, %error, "a socket cannot follow job {id}");
                return Ok(());
            }
        };
        let MessageSubscription { missed, live } = messages;
        self.turn += 1;
        let max_hold = Duration::from_secs(self.core.settings.jobs.output_hold_seconds);
        let relay = match showing {
            Showing::Rest => JobRelay::resumed(id, prompt_id, max_hold),
            Showing::All | Showing::CountOnly => JobRelay::new(id, prompt_id, max_hold),
        };
        let followed = Followed { relay, showing, turn: self.turn, seen: 0, told_waiting: false };
        self.followed.insert(id, followed);
        let job = status.job;
        let was_running = job.status == Status::Running || !missed.is_empty();
        let sent = self.messages(id, missed);
        if showing != Showing::Rest {
            self.send_all(sent).await?;
        }
        if job.status.is_terminal() {
            return self.ended(job).await;
        }
        if showing == Showing::Rest {
            // As ComfyUI tells a client that connects again.
            match self.followed.get_mut(&id) {
                Some(followed) if was_running => {
                    let node = followed.relay.running().map(str::to_owned);
                    if let Some(node) = node {
                        self.send(Outgoing::text("executing", &json!({ "node": node }))).await?;
                    }
                }
                Some(followed) => followed.relay = JobRelay::new(id, prompt_id, max_hold),
                None => {}
            }
        } else {
            self.status(id, job.status).await?;
        }
        self.signals.push(Box::pin(signals(id, self.turn, events.live, live)));
        Ok(())
    }

    async fn signal(&mut self, id: JobId, turn: u64, signal: JobSignal) -> Flow {
        let Some(followed) = self.followed.get_mut(&id).filter(|followed| followed.turn == turn) else {
            return Ok(());
        };
        match signal {
            JobSignal::Message(seen, message) => {
                let sent = self.messages(id, vec![(seen, message)]);
                self.send_all(sent).await
            }
            JobSignal::MessagesMissed => {
                let missed = self.core.queue.events().messages_since(id, followed.seen);
                let sent = self.messages(id, missed);
                self.send_all(sent).await
            }
            JobSignal::Waits => {
                let is_first = !std::mem::replace(&mut followed.told_waiting, true);
                if is_first && self.sender.features.notifications && followed.showing != Showing::CountOnly {
                    let data = json!({ "value": "Waiting for a machine", "id": followed.relay.prompt_id() });
                    self.send(Outgoing::text("notification", &data)).await?;
                }
                Ok(())
            }
            JobSignal::Status(status) if !status.is_terminal() => {
                self.status(id, status).await?;
                // The worker's messages may come before the row says so, and front ends read the row at each status.
                if status == Status::Running && self.sender.features.notifications {
                    self.send(Outgoing::Status).await?;
                }
                Ok(())
            }
            JobSignal::EventsMissed => match self.core.queue.events().latest(id) {
                Some((status, _)) if !status.is_terminal() => self.status(id, status).await,
                _ => self.refresh(id).await,
            },
            JobSignal::Status(_) => self.refresh(id).await,
        }
    }

    /// Reads the row of a job and shows what changed.
    async fn refresh(&mut self, id: JobId) -> Flow {
        match jobs::find(&self.core, &self.caller, id).await {
            Ok(job) if job.status.is_terminal() => self.ended(job).await,
            Ok(job) => self.status(id, job.status).await,
            Err(error) => {
                tracing::warn!(job.id = %id, %error, "a socket could not read job {id}");
                // The client connects again, and everything is read again.
                Err(End::Close(CloseCode::Restart, "try again"))
            }
        }
    }

    async fn status(&mut self, id: JobId, status: Status) -> Flow {
        let now = self.core.clock.now().timestamp_millis();
        let Some(followed) = self.followed.get_mut(&id) else { return Ok(()) };
        let sent = followed.relay.status(status, now);
        let sent = followed.shown(sent);
        self.send_all(sent).await
    }

    async fn ended(&mut self, job: Job) -> Flow {
        let Some(mut followed) = self.followed.remove(&job.id) else { return Ok(()) };
        let is_old = job.ended_at.is_some_and(|at| self.core.clock.now() - at > REPLAYED);
        if is_old {
            return Ok(());
        }
        if followed.showing == Showing::CountOnly {
            return self.send(Outgoing::Status).await;
        }
        match ends::read(&self.core, &self.caller, &job, self.client.dialect).await {
            Ok(end) => self.send_all(followed.relay.end(end)).await,
            Err(error) => {
                tracing::warn!(job.id = %job.id, %error, "a socket could not read the outputs of a job");
                Err(End::Close(CloseCode::Restart, "try again"))
            }
        }
    }

    /// Sends messages that waited for an output for long enough.
    async fn release(&mut self) -> Flow {
        let now = Instant::now();
        let due = |followed: &&mut Followed| followed.relay.holds_until().is_some_and(|until| until <= now);
        let sent: Vec<Outgoing> =
            self.followed.values_mut().filter(due).flat_map(|followed| followed.relay.release()).collect();
        self.send_all(sent).await
    }

    /// What the client gets for messages of a job's worker. Messages that were handled before give nothing.
    fn messages(&mut self, id: JobId, messages: Vec<(u64, ClientMessage)>) -> Vec<Outgoing> {
        let Some(followed) = self.followed.get_mut(&id) else { return Vec::new() };
        let mut sent = Vec::new();
        for (seen, message) in messages {
            if seen > followed.seen {
                followed.seen = seen;
                sent.extend(followed.relay.message(&message, Instant::now()));
            }
        }
        followed.shown(sent)
    }

    async fn send_all(&mut self, messages: Vec<Outgoing>) -> Flow {
        for message in messages {
            self.send(message).await?;
        }
        Ok(())
    }

    async fn send(&mut self, message: Outgoing) -> Flow {
        let (core, caller) = (&self.core, &self.caller);
        Ok(self.sender.send(message, async || remaining(core, caller).await).await?)
    }
}

/// The number of the account's prompts that wait or run.
async fn remaining(core: &Core, caller: &Caller) -> i64 {
    jobs::count_active_client_prompts(core, caller).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the prompts of a socket's account could not be counted");
        0
    })
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
