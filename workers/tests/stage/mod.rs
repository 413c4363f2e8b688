//! A fleet with one worker on a scripted server, and an actor that collects all reports.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use verdigraph_core::fleet::{
    Assign, AssignMode, FleetCommand, InputFile, ReportEvent, Stop, StopScope, WorkerChanged, WorkerConfig,
    WorkerReport, WorkerSpec, WorkerState,
};
use verdigraph_core::ids::{JobId, WorkerId};
use verdigraph_core::supervision::Supervisor;
use verdigraph_scripted::{MemoryFiles, Options, Scripted};
use verdigraph_workers::comfy::Timeouts;
use verdigraph_workers::connection::{Limits, OwnershipCheck, Pace, Settings, WorkerRoutes};
use verdigraph_workers::fleet::Fleet;

/// Timeout of any single wait. Only a hanging test reaches it.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Collects reports and changes.
struct ReportCollector {
    reports: UnboundedSender<WorkerReport>,
    changes: UnboundedSender<WorkerChanged>,
}

impl Actor for ReportCollector {
    type Context = Context<Self>;
    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(4096);
    }
}

impl Handler<WorkerReport> for ReportCollector {
    type Result = ();
    fn handle(&mut self, report: WorkerReport, _: &mut Self::Context) {
        let _ = self.reports.send(report);
    }
}

impl Handler<WorkerChanged> for ReportCollector {
    type Result = ();
    fn handle(&mut self, changed: WorkerChanged, _: &mut Self::Context) {
        let _ = self.changes.send(changed);
    }
}

pub struct Stage {
    pub server: Scripted,
    pub files: MemoryFiles,
    pub fleet: Addr<Fleet>,
    pub worker: WorkerId,
    pub seen: Option<WorkerChanged>,
    /// Whether jobs require all of their outputs.
    pub strict: bool,
    desk: Recipient<WorkerReport>,
    reports: UnboundedReceiver<WorkerReport>,
    changes: UnboundedReceiver<WorkerChanged>,
}

/// The product's timeouts, shortened to milliseconds.
pub fn hurried() -> Settings {
    Settings {
        routes: WorkerRoutes::default(),
        ownership: OwnershipCheck::default(),
        timeouts: Timeouts {
            connect: Duration::from_secs(3),
            answer: Duration::from_secs(5),
            prompt: Duration::from_secs(5),
            transfer: Duration::from_secs(5),
        },
        pace: Pace {
            tick: Duration::from_millis(10),
            backoff_first: Duration::from_millis(10),
            backoff_max: Duration::from_millis(100),
            grace: Duration::from_millis(1500),
            gone: Duration::from_secs(2),
            poll_every: Duration::from_millis(100),
            settle_every: Duration::from_millis(30),
            silence: Duration::from_secs(20),
            silence_hard: Duration::from_secs(60),
            collect: Duration::from_secs(20),
            health_every: Duration::from_millis(100),
            models_every: Duration::from_secs(60),
            refresh_every: Duration::from_secs(60),
            ping_every: Duration::from_secs(2),
        },
        limits: Limits::default(),
    }
}

/// Fails a test that hangs.
pub async fn bounded<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("{what}: nothing happened in time"))
}

impl Stage {
    /// A connected and idle worker on a healthy server.
    pub async fn open() -> Self {
        Self::with(Options::default(), hurried()).await
    }

    pub async fn with(options: Options, settings: Settings) -> Self {
        let server = Scripted::start(options).unwrap();
        let mut stage = Self::on(server, settings);
        stage.idle().await;
        stage
    }

    /// A worker that was just added.
    pub fn on(server: Scripted, settings: Settings) -> Self {
        let (report, reports) = unbounded_channel();
        let (change, changes) = unbounded_channel();
        let desk = ReportCollector { reports: report, changes: change }.start();
        let files = MemoryFiles::default();
        let (arbiter, supervisor) = (Arbiter::current(), Supervisor::default());
        let fleet = Fleet::start(&arbiter, &supervisor, Arc::new(files.clone()), desk.clone().recipient(), settings);
        let stage = Self {
            server,
            files,
            fleet,
            worker: WorkerId::new(),
            seen: None,
            strict: false,
            desk: desk.recipient(),
            reports,
            changes,
        };
        stage.command(FleetCommand::Add(stage.wanted()));
        stage
    }

    pub fn wanted(&self) -> WorkerSpec {
        let config = WorkerConfig {
            id: self.worker,
            name: "scripted".into(),
            url: self.server.url(),
            pool: "test".into(),
            paused: false,
        };
        WorkerSpec { config, draining: false, cleared: true, expects: Vec::new() }
    }

    pub fn command(&self, command: FleetCommand) {
        self.fleet.try_send(command).unwrap();
    }

    /// Waits until the roster sees the worker in this state.
    pub async fn is(&mut self, wanted: WorkerState) -> WorkerChanged {
        self.until(&format!("{wanted:?}"), |changed| changed.state == wanted).await
    }

    pub async fn until(&mut self, what: &str, wanted: impl Fn(&WorkerChanged) -> bool) -> WorkerChanged {
        while let Ok(changed) = self.changes.try_recv() {
            self.seen = Some(changed);
        }
        loop {
            if let Some(seen) = self.seen.clone().filter(|seen| wanted(seen)) {
                return seen;
            }
            self.seen = bounded(&format!("waiting for a worker that is {what}"), self.changes.recv()).await;
        }
    }

    pub async fn idle(&mut self) {
        self.is(WorkerState::Idle).await;
    }

    /// Assigns a job to the worker.
    pub fn assign(&self, prompt: Value, inputs: Vec<InputFile>) -> JobId {
        let job = JobId::new();
        let link = &self.seen.as_ref().expect("the worker was connected").link;
        let extra_data = raw(&json!({"extra_pnginfo": {"workflow": {}}}));
        let reports = self.desk.clone();
        link.assign
            .try_send(Assign {
                begin: AssignMode::Post,
                job,
                attempt: 1,
                prompt: raw(&prompt),
                inputs,
                extra_data,
                strict: self.strict,
                relays: false,
                reports,
            })
            .unwrap();
        job
    }

    pub fn stop(&self, job: JobId) {
        self.seen.as_ref().unwrap().link.stop.try_send(Stop { job, attempt: 1, scope: StopScope::Any }).unwrap();
    }

    pub async fn report(&mut self, job: JobId) -> ReportEvent {
        let report = self.any_report().await;
        assert_eq!(
            (report.job, report.attempt, report.worker),
            (job, 1, self.worker),
            "a report of another assignment"
        );
        report.event
    }

    /// The next report of any job.
    pub async fn any_report(&mut self) -> WorkerReport {
        bounded("waiting for a report", self.reports.recv()).await.unwrap()
    }

    /// All reports of a job up to the last.
    pub async fn all(&mut self, job: JobId) -> Vec<ReportEvent> {
        let mut events = Vec::new();
        loop {
            let event = self.report(job).await;
            events.push(event);
            if events.last().is_some_and(ReportEvent::is_last) {
                return events;
            }
        }
    }

    pub async fn last(&mut self, job: JobId) -> ReportEvent {
        self.all(job).await.pop().unwrap()
    }

    /// Waits for a report that matches.
    pub async fn reported(&mut self, job: JobId, wanted: impl Fn(&ReportEvent) -> bool) -> ReportEvent {
        loop {
            let event = self.report(job).await;
            if wanted(&event) {
                return event;
            }
            assert!(!event.is_last(), "the job was over too early: {event:?}");
        }
    }

    /// Runs the default prompt to its last report.
    pub async fn run(&mut self) -> ReportEvent {
        let job = self.assign(picture(), Vec::new());
        self.last(job).await
    }

    /// Checks that the worker finishes a normal job, possibly after a reconnect.
    pub async fn works(&mut self) {
        self.server.heal();
        self.server.revive();
        for _ in 0..20 {
            self.idle().await;
            match self.run().await {
                ReportEvent::Finished { outputs, .. } => {
                    assert_eq!(outputs.len(), 1, "the job after the fault has one picture");
                    self.idle().await;
                    assert!(self.reports.try_recv().is_err(), "a report after the last one");
                    return;
                }
                ReportEvent::Unreachable { .. } | ReportEvent::Lost { .. } => {}
                event => panic!("the job after the fault ended with {event:?}"),
            }
        }
        panic!("the worker is of no more use");
    }
}

fn raw(value: &Value) -> Arc<RawValue> {
    serde_json::value::to_raw_value(value).expect("JSON").into()
}

/// EmptyImage → SaveImage.
pub fn picture() -> Value {
    json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 8, "height": 8, "batch_size": 1, "color": 1}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "x"}},
    })
}

/// The event's name.
pub fn name(event: &ReportEvent) -> &'static str {
    match event {
        ReportEvent::Accepted => "Accepted",
        ReportEvent::Partial { .. } => "Partial",
        ReportEvent::Started => "Started",
        ReportEvent::Cached { .. } => "Cached",
        ReportEvent::Progress(_) => "Progress",
        ReportEvent::Preview(_) => "Preview",
        ReportEvent::Client(_) => "Client",
        ReportEvent::PromptDone { .. } => "PromptDone",
        ReportEvent::AwaitingStorage { .. } => "AwaitingStorage",
        ReportEvent::Finished { .. } => "Finished",
        ReportEvent::Refused { .. } => "Refused",
        ReportEvent::Failed { .. } => "Failed",
        ReportEvent::Interrupted { .. } => "Interrupted",
        ReportEvent::Unreachable { .. } => "Unreachable",
        ReportEvent::ProtocolError { .. } => "ProtocolError",
        ReportEvent::Lost { .. } => "Lost",
        ReportEvent::LostBeforeStart { .. } => "LostBeforeStart",
        ReportEvent::Silent { .. } => "Silent",
        ReportEvent::Withdrawn => "Withdrawn",
        ReportEvent::Released => "Released",
    }
}
