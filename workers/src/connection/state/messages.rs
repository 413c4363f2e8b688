//! Handles the worker's messages about a prompt: start, progress, outputs, end.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use verdigraph_core::fleet::{NodeProgress, Preview, ReportEvent};

use super::decision::Decision;
use super::event::Action;
use super::work::Phase;
use crate::comfy::{PromptEnd, ServerMessage};

impl Decision {
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

    /// The assignment that a message belongs to. Without a prompt id it can only be one that runs.
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
            ServerMessage::Unknown => return,
            // It names no prompt, so it does not prove that the worker still runs ours.
            ServerMessage::Text { .. } => {
                if let Some(serial) = self.concerned(None) {
                    self.for_work(serial, |decision| decision.relay(&message));
                }
                return;
            }
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
            self.for_work(serial, |decision| decision.prompt_message(message));
        }
    }

    /// Handles a message about the current assignment.
    fn prompt_message(&mut self, message: ServerMessage) {
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        work.heard_at = now;
        if work.unanswered.take().is_some() {
            self.actions.push(Action::Announce);
        }
        self.relay(&message);
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
                self.node_started(node);
            }
            ServerMessage::Executing { node: None, .. } => self.executing_ended(),
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
            ServerMessage::ExecutionSuccess { timestamp, .. } => self.ending(PromptEnd::Success, timestamp),
            ServerMessage::ExecutionError { exception, timestamp, .. } => {
                self.ending(PromptEnd::Error(exception), timestamp)
            }
            ServerMessage::ExecutionInterrupted { timestamp, .. } => self.ending(PromptEnd::Interrupted, timestamp),
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

    fn node_started(&mut self, node: String) {
        if let Some(work) = self.work_mut() {
            work.current_node = Some(node.clone());
            if !work.progress.contains_key(&node) {
                self.progress(node, 0.0, 1.0);
            }
        }
    }

    /// Reports a step once, although `progress` and `progress_state` both contain it.
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

    /// Handles the prompt's last message. Its history entry is complete when the next `status` arrives.
    fn ending(&mut self, end: PromptEnd, timestamp: Option<i64>) {
        self.started(None);
        let now = self.now;
        let Some(work) = self.work_mut() else { return };
        if work.has_ended() {
            return;
        }
        work.ended_ms = timestamp;
        work.ended_at = Some(now);
        work.located_at = now;
        work.phase = Phase::Ending { end, since: now };
        self.report_ended();
    }

    fn status(&mut self) {
        self.for_each_work(|work| matches!(work.phase, Phase::Ending { .. }), Self::locate);
    }

    /// Handles `executing: null`, which follows every end. If the end's own message was missed, the history has it.
    fn executing_ended(&mut self) {
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
