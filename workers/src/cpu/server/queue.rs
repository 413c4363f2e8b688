//! Prompts that wait, and the one that runs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::cpu::budget::Reservation;

/// One accepted prompt.
#[derive(Debug)]
pub(super) struct Item {
    /// As the answer to `POST /prompt` has it: whole where the server counted, a float where the client chose.
    pub number: Json,
    pub prompt_id: String,
    /// Nothing is told of it before its submitter has the answer.
    pub answered: Arc<Answered>,
    /// Its part of the worker's memory.
    #[expect(dead_code, reason = "freed when it is dropped")]
    pub held: Reservation,
    pub prompt: Json,
    pub extra_data: Json,
    /// The output nodes to run.
    pub outputs: Vec<String>,
    /// Whose socket hears of it. `None`: nobody owns it.
    pub client_id: Option<String>,
}

impl Item {
    /// The five parts that queue and history show.
    pub fn parts(&self) -> Json {
        json!([self.number, self.prompt_id, self.prompt, self.extra_data, self.outputs])
    }
}

/// Whether the submitter of a prompt has been answered.
#[derive(Debug, Default)]
pub(super) struct Answered {
    is_answered: Mutex<bool>,
    told: Condvar,
}

impl Answered {
    /// The answer has been sent, or nobody waits for it any more.
    pub fn tell(&self) {
        *self.is_answered.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.told.notify_all();
    }

    /// Waits for that, at most so long: a client that does not read its answer holds nobody up.
    pub fn wait(&self, patience: Duration) {
        let is_answered = self.is_answered.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.told.wait_timeout_while(is_answered, patience, |is_answered| !*is_answered));
    }
}

/// Lower numbers first, then prompt ids as text, then the order of arrival.
#[derive(Debug, Clone, PartialEq)]
struct Place(f64, String, u64);

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then_with(|| self.1.cmp(&other.1)).then_with(|| self.2.cmp(&other.2))
    }
}

#[derive(Default)]
struct Inner {
    pending: BTreeMap<Place, Arc<Item>>,
    running: Option<Arc<Item>>,
    /// Numbers given so far; refused prompts use them up, too.
    next_number: i64,
    arrivals: u64,
    closed: bool,
}

impl Inner {
    fn remaining(&self) -> usize {
        self.pending.len() + usize::from(self.running.is_some())
    }
}

/// The queue of one worker: one prompt runs at a time.
///
/// Every change is told with the number of prompts left, under the lock of the queue, so that clients hear of changes
/// in the order they happened and before anything that follows from them.
pub(super) struct Queue {
    tell: Box<dyn Fn(usize) + Send + Sync>,
    inner: Mutex<Inner>,
    arrived: Condvar,
    /// Set while somebody wants the running prompt to stop.
    interrupt: AtomicBool,
}

/// The queue is full or closed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Queue {
    /// A queue that tells how many prompts are left to `tell`, which must not come back to the queue.
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

    /// Takes the next number.
    pub fn number(&self) -> i64 {
        let mut inner = self.lock();
        let number = inner.next_number;
        inner.next_number += 1;
        number
    }

    /// Adds a prompt, unless `limit` prompts wait already.
    pub fn push(&self, item: Item, limit: usize) -> Result<(), Full> {
        let mut inner = self.lock();
        if inner.closed || inner.pending.len() >= limit {
            return Err(Full);
        }
        inner.arrivals += 1;
        let place = Place(item.number.as_f64().unwrap_or(0.0), item.prompt_id.clone(), inner.arrivals);
        inner.pending.insert(place, Arc::new(item));
        self.tell(&inner);
        drop(inner);
        self.arrived.notify_one();
        Ok(())
    }

    /// Waits for the next prompt and makes it the running one. `None` once the queue is closed.
    pub fn take(&self) -> Option<Arc<Item>> {
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

    /// The running prompt has ended.
    pub fn finish(&self) {
        let mut inner = self.lock();
        inner.running = None;
        self.tell(&inner);
    }

    /// Drops what waits, stops what runs, and lets `take` end.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.pending.clear();
        self.interrupt.store(true, Ordering::SeqCst);
        drop(inner);
        self.arrived.notify_all();
    }

    /// Prompts that wait or run.
    pub fn remaining(&self) -> usize {
        self.lock().remaining()
    }

    /// What runs, and what waits in the order it will run.
    pub fn items(&self) -> (Vec<Arc<Item>>, Vec<Arc<Item>>) {
        let inner = self.lock();
        (inner.running.iter().cloned().collect(), inner.pending.values().cloned().collect())
    }

    /// Forgets every waiting prompt.
    pub fn clear(&self) {
        let mut inner = self.lock();
        inner.pending.clear();
        self.tell(&inner);
    }

    /// Forgets one waiting prompt, and tells whether it waited. The last one is told twice, as a real server does.
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

    /// Stops the running prompt, where there is one and (if given) it is this one. Tells whether it is so.
    pub fn interrupt(&self, prompt_id: Option<&str>) -> bool {
        let inner = self.lock();
        let hit = inner.running.as_ref().is_some_and(|item| prompt_id.is_none_or(|id| id == item.prompt_id));
        if hit {
            self.interrupt.store(true, Ordering::SeqCst);
        }
        hit
    }

    /// Whether the running prompt is to stop.
    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: Json, id: &str) -> Item {
        Item {
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
    fn lower_numbers_run_first_and_equal_ones_by_id() {
        let queue = Queue::new(|_| {});
        for (number, id) in [(json!(3), "c"), (json!(-4), "z"), (json!(3.0), "b"), (json!(2.5), "y")] {
            assert_eq!(queue.push(item(number, id), 10), Ok(()));
        }
        assert_eq!(order(&queue), ["z", "y", "b", "c"]);
        assert_eq!(queue.take().map(|item| item.prompt_id.clone()).as_deref(), Some("z"));
        assert_eq!(queue.remaining(), 4, "the running one counts");
    }

    #[test]
    fn a_full_queue_refuses() {
        let queue = Queue::new(|_| {});
        assert_eq!(queue.push(item(json!(1), "a"), 1), Ok(()));
        assert_eq!(queue.push(item(json!(2), "b"), 1), Err(Full));
        assert_eq!(order(&queue), ["a"]);
    }

    #[test]
    fn only_the_running_prompt_is_interrupted() {
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
    fn every_change_is_told_with_what_is_left() {
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
