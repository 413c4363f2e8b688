//! What the worker's messages say of the prompt: that it runs, how far it is, what it shows, that it is over.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use verdigraph_core::fleet::{NodeProgress, Preview, ReportEvent};

use super::event::Action;
use super::step::Step;
use super::work::Phase;
use crate::comfy::{End, ServerMessage};

impl Step {
    pub(super) fn started(&mut self, timestamp: Option<i64>) {
        self.accepted();
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        work.started_ms = work.started_ms.or(timestamp);
        if work.is_past_post() || work.phase == Phase::Posting {
            work.phase = Phase::Running;
        }
        if work.started_at.is_none() {
            work.started_at = Some(now);
            self.report(ReportEvent::Started);
        }
    }

    /// The assignment that a message with this prompt id is about; without one it can only be about a prompt that runs.
    fn concerned(&self, prompt_id: Option<&str>) -> Option<u64> {
        let concerned = self.state.works.iter().find(|work| match prompt_id {
            Some(id) => id == work.prompt_id && work.phase != Phase::Uploading,
            None => work.phase == Phase::Running,
        });
        concerned.map(|work| work.serial)
    }

    pub(super) fn message(&mut self, message: ServerMessage) {
        let concerned = match &message {
            ServerMessage::Status { .. } => {
                self.status();
                return;
            }
            ServerMessage::Text { .. } | ServerMessage::Unknown => return,
            ServerMessage::ExecutionStart { prompt_id, .. }
            | ServerMessage::ExecutionCached { prompt_id, .. }
            | ServerMessage::Executed { prompt_id, .. }
            | ServerMessage::ProgressState { prompt_id, .. }
            | ServerMessage::ExecutionSuccess { prompt_id, .. }
            | ServerMessage::ExecutionError { prompt_id, .. }
            | ServerMessage::ExecutionInterrupted { prompt_id, .. } => self.concerned(Some(prompt_id)),
            ServerMessage::Executing { prompt_id, .. }
            | ServerMessage::Progress { prompt_id, .. }
            | ServerMessage::Preview { prompt_id, .. } => self.concerned(prompt_id.as_deref()),
        };
        if let Some(serial) = concerned {
            self.about(serial, |step| step.told(message));
        }
    }

    /// A message about the prompt.
    fn told(&mut self, message: ServerMessage) {
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        work.heard_at = now;
        if work.unanswered.take().is_some() {
            self.actions.push(Action::Announce);
        }
        let Some(work) = self.work_mut() else { return };
        match message {
            ServerMessage::ExecutionStart { timestamp, .. } => self.started(timestamp),
            ServerMessage::ExecutionCached { nodes, .. } => {
                self.started(None);
                if !nodes.is_empty() {
                    self.report(ReportEvent::Cached { nodes });
                }
            }
            ServerMessage::Executing { node: Some(node), display_node, .. } => {
                work.note_display_node(&node, display_node);
                self.started(None);
                self.current(node);
            }
            ServerMessage::Executing { node: None, .. } => self.over(),
            ServerMessage::Executed { node, display_node, output, .. } => {
                work.note_display_node(&node, display_node);
                self.executed(node, output);
            }
            ServerMessage::Progress { node, value, max, .. } => {
                if let Some(node) = node.or_else(|| self.current_node()) {
                    self.progress(node, value, max);
                }
            }
            ServerMessage::ProgressState { nodes, .. } => {
                for step in nodes {
                    if let Some(work) = self.work_mut() {
                        work.note_display_node(&step.node, step.display_node);
                    }
                    self.progress(step.node, step.value, step.max);
                }
            }
            ServerMessage::ExecutionSuccess { timestamp, .. } => self.ending(End::Success, timestamp),
            ServerMessage::ExecutionError { exception, timestamp, .. } => self.ending(End::Error(exception), timestamp),
            ServerMessage::ExecutionInterrupted { timestamp, .. } => self.ending(End::Interrupted, timestamp),
            ServerMessage::Preview { node, content_type, bytes, .. } => {
                let node = node.or_else(|| self.current_node());
                self.preview(node, content_type, bytes);
            }
            ServerMessage::Status { .. } | ServerMessage::Text { .. } | ServerMessage::Unknown => {}
        }
    }

    fn current_node(&self) -> Option<String> {
        self.work().and_then(|work| work.current_node.clone())
    }

    fn current(&mut self, node: String) {
        if let Some(work) = self.work_mut() {
            work.current_node = Some(node.clone());
            if !work.progress.contains_key(&node) {
                self.progress(node, 0.0, 1.0);
            }
        }
    }

    /// Reports a step once, though `progress` and `progress_state` both tell of it.
    fn progress(&mut self, node: String, value: f64, max: f64) {
        let Some(work) = self.work_mut().filter(|work| work.phase == Phase::Running) else { return };
        if work.progress.insert(node.clone(), (value, max)) != Some((value, max)) {
            let node_id = work.display_node(&node).to_owned();
            self.report(ReportEvent::Progress(NodeProgress { node_id, value, max }));
        }
    }

    fn executed(&mut self, node: String, output: Value) {
        let Some(work) = self.work_mut() else { return };
        let output = Arc::new(output);
        match work.executed.iter_mut().find(|(known, _)| *known == node) {
            Some((_, shown)) => *shown = output,
            None => work.executed.push((node, output)),
        }
    }

    /// The prompt's last message. Its history entry is complete when the next `status` arrives.
    fn ending(&mut self, end: End, timestamp: Option<i64>) {
        self.started(None);
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        if work.is_over() {
            return;
        }
        work.ended_ms = timestamp;
        work.ended_at = Some(now);
        work.located_at = now;
        work.phase = Phase::Ending { end, since: now };
        self.tell_over();
    }

    fn status(&mut self) {
        self.about_each(|work| matches!(work.phase, Phase::Ending { .. }), Self::locate);
    }

    /// `executing: null` comes after every end; where its message was missed, history tells which.
    fn over(&mut self) {
        if self.work().is_some_and(|work| !matches!(work.phase, Phase::Posting | Phase::Collecting(_))) {
            self.locate();
        }
    }

    fn preview(&mut self, node: Option<String>, content_type: &'static str, bytes: Bytes) {
        if bytes.len() <= self.state.limits.preview_bytes && !bytes.is_empty() {
            let node_id = node.map(|node| self.work().map_or(node.clone(), |work| work.display_node(&node).to_owned()));
            self.report(ReportEvent::Preview(Preview { node_id, content_type, bytes }));
        }
    }
}
