//! Sends reports to jobs, whose mailboxes may be full.

use actix::prelude::*;
use tracing::info;
use verdigraph_core::fleet::{ReportEvent, WorkerReport};

use super::Worker;

/// Reports that wait for a full mailbox. Progress is dropped long before.
const MAX_UNDELIVERED: usize = 64;

impl Worker {
    pub(super) fn report(&mut self, serial: u64, report: WorkerReport) {
        let Some(assignment) = self.assignments.get(&serial) else { return };
        let to = assignment.assign.reports.clone();
        if report.event.is_last() {
            let (event, reason) = (name(&report.event), reason(&report.event));
            info!(worker = %report.worker, job = %report.job, attempt = report.attempt, event, reason, "assignment ended");
            assignment.end();
            self.assignments.remove(&serial);
        }
        self.deliver(&to, report);
    }

    /// Delivers a report. If the mailbox is full, progress, previews and messages for clients are dropped, and
    /// reports that change the job are kept.
    pub(super) fn deliver(&mut self, to: &Recipient<WorkerReport>, report: WorkerReport) {
        let droppable =
            matches!(report.event, ReportEvent::Progress(_) | ReportEvent::Preview(_) | ReportEvent::Client(_));
        if !self.undelivered.is_empty() {
            if !droppable && self.undelivered.len() < MAX_UNDELIVERED {
                self.undelivered.push_back((to.clone(), report));
            }
            return;
        }
        if let Err(SendError::Full(report)) = to.try_send(report)
            && !droppable
        {
            self.undelivered.push_back((to.clone(), report));
        }
    }

    /// Retries the kept reports.
    pub(super) fn deliver_again(&mut self) {
        while let Some((to, report)) = self.undelivered.pop_front() {
            if let Err(SendError::Full(report)) = to.try_send(report) {
                self.undelivered.push_front((to, report));
                break;
            }
        }
    }
}

fn reason(event: &ReportEvent) -> Option<&str> {
    match event {
        ReportEvent::Unreachable { reason }
        | ReportEvent::ProtocolError { reason }
        | ReportEvent::Lost { reason }
        | ReportEvent::LostBeforeStart { reason }
        | ReportEvent::Silent { reason } => Some(reason),
        _ => None,
    }
}

/// The event's name in logs.
fn name(event: &ReportEvent) -> &'static str {
    match event {
        ReportEvent::Accepted => "accepted",
        ReportEvent::Partial { .. } => "partial",
        ReportEvent::Started => "started",
        ReportEvent::Cached { .. } => "cached",
        ReportEvent::Progress(_) => "progress",
        ReportEvent::Preview(_) => "preview",
        ReportEvent::Client(_) => "client message",
        ReportEvent::PromptDone { .. } => "over",
        ReportEvent::AwaitingStorage { .. } => "kept waiting",
        ReportEvent::Finished { .. } => "finished",
        ReportEvent::Refused { .. } => "refused",
        ReportEvent::Failed { .. } => "failed",
        ReportEvent::Interrupted { .. } => "interrupted",
        ReportEvent::Unreachable { .. } => "unreachable",
        ReportEvent::ProtocolError { .. } => "broke",
        ReportEvent::Lost { .. } => "lost",
        ReportEvent::LostBeforeStart { .. } => "lost before start",
        ReportEvent::Silent { .. } => "silent",
        ReportEvent::Withdrawn => "withdrawn",
        ReportEvent::Released => "released",
    }
}
