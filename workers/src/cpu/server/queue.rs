//! Waiting prompts, and the running one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::cpu::budget::Reservation;

#[derive(Debug)]
pub(super) struct QueuedPrompt {
    /// An integer if the server assigned it, a float if the client did.
    pub number: Json,
    pub prompt_id: String,
    /// Messages about the prompt wait until the submitter has the answer.
    pub answered: Arc<AnswerSignal>,
    /// Its share of the worker's memory.
    #[expect(dead_code, reason = "freed when it is dropped")]
    pub held: Reservation,
    pub prompt: Json,
    pub extra_data: Json,
    /// The requested output nodes.
    pub outputs: Vec<String>,
    /// The client that receives messages. `None`: no owner.
    pub client_id: Option<String>,
}

impl QueuedPrompt {
    /// The five elements that queue and history show.
    pub fn parts(&self) -> Json {
        json!([self.number, self.prompt_id, self.prompt, self.extra_data, self.outputs])
    }
}

/// Whether the submitter has received the answer.
#[derive(Debug, Default)]
pub(super) struct AnswerSignal {
    is_answered: Mutex<bool>,
    told: Condvar,
}

impl AnswerSignal {
    /// Marks it: the answer was sent, or the client is gone.
    pub fn tell(&self) {
        *self.is_answered.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.told.notify_all();
    }

    /// Waits for the mark, up to `patience`: a client that does not read its answer must not block others.
    pub fn wait(&self, patience: Duration) {
        let is_answered = self.is_answered.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.told.wait_timeout_while(is_answered, patience, |is_answered| !*is_answered));
    }
}

/// Sorts by number, then by prompt id as text, then by arrival.
#[derive(Debug, Clone, PartialEq)]
struct QueueKey(f64, String, u64);

impl Eq for QueueKey {}

impl PartialOrd for QueueKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueueKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then_with(|| self.1.cmp(&other.1)).then_with(|| self.2.cmp(&other.2))
    }
}

#[derive(Default)]
struct Inner {
    pending: BTreeMap<QueueKey, Arc<QueuedPrompt>>,
    running: Option<Arc<QueuedPrompt>>,
    /// Numbers assigned so far, including those of rejected prompts.
    next_number: i64,
    arrivals: u64,
    closed: bool,
}

impl Inner {
    fn remaining(&self) -> usize {
        self.pending.len() + usize::from(self.running.is_some())
    }
}

/// The queue of one worker. One prompt runs at a time.
///
/// Every change is announced with the number of remaining prompts, under the queue's lock, so that clients receive
/// announcements in order and before any consequence.
pub(super) struct Queue {
    tell: Box<dyn Fn(usize) + Send + Sync>,
    inner: Mutex<Inner>,
    arrived: Condvar,
    /// Whether the running prompt is to stop.
    interrupt: AtomicBool,
}

/// The queue is full or closed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QueueFull;

impl Queue {
    /// Announces the number of remaining prompts to `tell`, which must not call the queue.
    pub fn new(tell: impl Fn(usize) + Send + Sync + 'static) -> Self {
        Self {
            tell: Box::new(tell),
            inner: Mutex::default(),
            arrived: Condvar::default(),
            interrupt: AtomicBool::default(),
        }
    }

    fn tell(&self, inner: &Inner) {
        (self.tell)(inner.remaining());
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn number(&self) -> i64 {
        let mut inner = self.lock();
        let number = inner.next_number;
        inner.next_number += 1;
        number
    }

    /// Adds a prompt, unless `limit` prompts wait already.
    pub fn push(&self, item: QueuedPrompt, limit: usize) -> Result<(), QueueFull> {
        let mut inner = self.lock();
        if inner.closed || inner.pending.len() >= limit {
            return Err(QueueFull);
        }
        inner.arrivals += 1;
        let place = QueueKey(item.number.as_f64().unwrap_or(0.0), item.prompt_id.clone(), inner.arrivals);
        inner.pending.insert(place, Arc::new(item));
        self.tell(&inner);
        drop(inner);
        self.arrived.notify_one();
        Ok(())
    }

    /// Waits for the next prompt and makes it the running one. `None` once the queue is closed.
    pub fn take(&self) -> Option<Arc<QueuedPrompt>> {
        let mut inner = self.lock();
        loop {
            if inner.closed {
                return None;
            }
            if let Some((_, item)) = inner.pending.pop_first() {
                self.interrupt.store(false, Ordering::SeqCst);
                inner.running = Some(Arc::clone(&item));
                self.tell(&inner);
                return Some(item);
            }
            inner = self.arrived.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Marks the running prompt as ended.
    pub fn finish(&self) {
        let mut inner = self.lock();
        inner.running = None;
        self.tell(&inner);
    }

    /// Drops waiting prompts, interrupts the running one, and ends `take`.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.pending.clear();
        self.interrupt.store(true, Ordering::SeqCst);
        drop(inner);
        self.arrived.notify_all();
    }

    /// Number of waiting and running prompts.
    pub fn remaining(&self) -> usize {
        self.lock().remaining()
    }

    /// The running prompts, and the waiting ones in the order they will run.
    pub fn items(&self) -> (Vec<Arc<QueuedPrompt>>, Vec<Arc<QueuedPrompt>>) {
        let inner = self.lock();
        (inner.running.iter().cloned().collect(), inner.pending.values().cloned().collect())
    }

    /// Removes all waiting prompts.
    pub fn clear(&self) {
        let mut inner = self.lock();
        inner.pending.clear();
        self.tell(&inner);
    }

    /// Removes one waiting prompt. Returns whether it waited. The last one is announced twice, as at a real server.
    pub fn delete(&self, prompt_id: &str) -> bool {
        let mut inner = self.lock();
        let Some(place) = inner.pending.keys().find(|place| place.1 == prompt_id).cloned() else {
            return false;
        };
        inner.pending.remove(&place);
        self.tell(&inner);
        if inner.pending.is_empty() {
            self.tell(&inner);
        }
        true
    }

    /// Interrupts the running prompt, if it is this one. Returns whether it is.
    pub fn interrupt(&self, prompt_id: Option<&str>) -> bool {
        let inner = self.lock();
        let hit = inner.running.as_ref().is_some_and(|item| prompt_id.is_none_or(|id| id == item.prompt_id));
        if hit {
            self.interrupt.store(true, Ordering::SeqCst);
        }
        hit
    }

    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: Json, id: &str) -> QueuedPrompt {
        QueuedPrompt {
            number,
            prompt_id: id.to_owned(),
            answered: Arc::default(),
            held: crate::cpu::budget::Budget::new(0).reserve(0).unwrap(),
            prompt: json!({}),
            extra_data: json!({}),
            outputs: Vec::new(),
            client_id: None,
        }
    }

    fn order(queue: &Queue) -> Vec<String> {
        queue.items().1.iter().map(|item| item.prompt_id.clone()).collect()
    }

    #[test]
    fn queue_is_sorted_by_number_then_id() {
        let queue = Queue::new(|_| {});
        for (number, id) in [(json!(3), "c"), (json!(-4), "z"), (json!(3.0), "b"), (json!(2.5), "y")] {
            assert_eq!(queue.push(item(number, id), 10), Ok(()));
        }
        assert_eq!(order(&queue), ["z", "y", "b", "c"]);
        assert_eq!(queue.take().map(|item| item.prompt_id.clone()).as_deref(), Some("z"));
        assert_eq!(queue.remaining(), 4, "the running one counts");
    }

    #[test]
    fn full_queue_rejects_prompts() {
        let queue = Queue::new(|_| {});
        assert_eq!(queue.push(item(json!(1), "a"), 1), Ok(()));
        assert_eq!(queue.push(item(json!(2), "b"), 1), Err(QueueFull));
        assert_eq!(order(&queue), ["a"]);
    }

    #[test]
    fn interrupt_affects_only_the_running_prompt() {
        let queue = Queue::new(|_| {});
        queue.interrupt(None);
        assert!(!queue.interrupted(), "nothing runs, nothing is stopped");
        assert_eq!(queue.push(item(json!(1), "a"), 9), Ok(()));
        assert_eq!(queue.push(item(json!(2), "b"), 9), Ok(()));
        assert!(queue.take().is_some());
        queue.interrupt(Some("b"));
        assert!(!queue.interrupted(), "a waiting prompt is left alone");
        queue.interrupt(Some("a"));
        assert!(queue.interrupted());
        queue.finish();
        assert!(queue.take().is_some());
        assert!(!queue.interrupted(), "the next prompt starts unharmed");
    }

    #[test]
    fn every_change_announces_remaining_prompts() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let teller = Arc::clone(&told);
        let queue = Queue::new(move |left| teller.lock().unwrap().push(left));
        queue.delete("a");
        assert_eq!(queue.push(item(json!(1), "a"), 9), Ok(()));
        assert_eq!(queue.push(item(json!(2), "b"), 9), Ok(()));
        queue.delete("a");
        queue.delete("b");
        queue.clear();
        assert_eq!(queue.push(item(json!(3), "c"), 9), Ok(()));
        assert!(queue.take().is_some());
        queue.finish();
        assert_eq!(*told.lock().unwrap(), [1, 2, 1, 0, 0, 0, 1, 1, 0]);
    }
}
