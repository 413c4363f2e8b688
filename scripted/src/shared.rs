//! State shared by the tasks of a scripted server, and its simulated process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::model::Model;

/// Whether the process runs. Each process has its own number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessState {
    Up(u64),
    Down(u64),
    Over,
}

pub(crate) struct Shared {
    pub(crate) model: Mutex<Model>,
    pub(crate) life: watch::Sender<ProcessState>,
    /// Counts changes of the model, to wake waiting tasks.
    pub(crate) changes: watch::Sender<u64>,
    pub(crate) log: watch::Sender<Vec<String>>,
}

impl Shared {
    pub(crate) fn model(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Waits until the model matches.
    pub(crate) async fn until(&self, wanted: impl Fn(&mut Model) -> bool) {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            if wanted(&mut self.model()) || changes.changed().await.is_err() {
                return;
            }
        }
    }

    pub(crate) fn note(&self, line: &str) {
        if self.model().options.log {
            self.log.send_modify(|log| log.push(line.to_owned()));
        }
    }

    pub(crate) fn kill(&self) {
        self.model().forget();
        self.life.send_modify(|life| {
            if let ProcessState::Up(number) = *life {
                *life = ProcessState::Down(number);
            }
        });
        self.changed();
    }

    pub(crate) fn revive(&self) {
        self.model().forget();
        self.life.send_modify(|life| {
            if let ProcessState::Down(number) = *life {
                *life = ProcessState::Up(number + 1);
            }
        });
    }

    pub(crate) fn restart(&self) {
        self.model().forget();
        self.life.send_modify(|life| {
            if let ProcessState::Up(number) = *life {
                *life = ProcessState::Up(number + 1);
            }
        });
        self.changed();
    }
}
