//! What a job is told, through a mailbox that may be full.

use actix::prelude::*;
use tracing::info;
use verdigraph_core::fleet::{Report, ReportEvent};

use super::Worker;

/// Last reports that wait for a full mailbox; progress is dropped long before.
const MAX_UNDELIVERED: usize = 64;

impl Worker {
    pub(super) fn report(&mut self, serial: u64, report: Report) {
        let Some(assignment) = self.assignments.get(&serial) else { return };
        let to = assignment.assign.reports.clone();
        if report.event.is_last() {
            info!(worker = %report.worker, job = %report.job, attempt = report.attempt, event = name(&report.event), "assignment over");
            assignment.end();
            self.assignments.remove(&serial);
        }
        self.deliver(&to, report);
    }

    /// A full mailbox costs progress and previews, never a report that changes the job.
    pub(super) fn deliver(&mut self, to: &Recipient<Report>, report: Report) {
        let droppable = matches!(report.event, ReportEvent::Progress(_) | ReportEvent::Preview(_));
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

    /// Tries again what found a mailbox full.
    pub(super) fn deliver_again(&mut self) {
        while let Some((to, report)) = self.undelivered.pop_front() {
            if let Err(SendError::Full(report)) = to.try_send(report) {
                self.undelivered.push_front((to, report));
                break;
            }
        }
    }
}

/// The event's name in the log.
fn name(event: &ReportEvent) -> &'static str {
    match event {
        ReportEvent::Accepted => "accepted",
        ReportEvent::Partial { .. } => "partial",
        ReportEvent::Started => "started",
        ReportEvent::Cached { .. } => "cached",
        ReportEvent::Progress(_) => "progress",
        ReportEvent::Preview(_) => "preview",
        ReportEvent::Over { .. } => "over",
        ReportEvent::KeptWaiting { .. } => "kept waiting",
        ReportEvent::Finished { .. } => "finished",
        ReportEvent::Refused { .. } => "refused",
        ReportEvent::Failed { .. } => "failed",
        ReportEvent::Interrupted { .. } => "interrupted",
        ReportEvent::Unreachable { .. } => "unreachable",
        ReportEvent::Broke { .. } => "broke",
        ReportEvent::Lost { .. } => "lost",
        ReportEvent::LostBeforeStart { .. } => "lost before start",
        ReportEvent::Silent { .. } => "silent",
        ReportEvent::Withdrawn => "withdrawn",
        ReportEvent::Released => "released",
    }
}
