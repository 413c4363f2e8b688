//! The memory that everything a worker computes with may take together: inputs, intermediate results, the cache, and
//! files while they are decoded and encoded. Bytes are reserved before they are allocated.
//!
//! Results that are only kept for later prompts count too, and make room first. What still does not fit is refused as
//! the execution error that a real server gives when its memory is used up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

use super::node::NodeError;

/// So many bytes, of which parts are reserved.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    used: AtomicUsize,
}

impl Budget {
    /// A budget of which nothing is reserved.
    #[must_use]
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, used: AtomicUsize::new(0) })
    }

    /// All of it.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// What is reserved now.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Acquire)
    }

    /// Reserves a part; `None` where so much is not free.
    #[must_use]
    pub fn reserve(self: &Arc<Self>, bytes: usize) -> Option<Reservation> {
        let mut reservation = Reservation { budget: Arc::clone(self), bytes: 0 };
        reservation.grow(bytes).then_some(reservation)
    }
}

/// A part of a budget, free again when it is dropped.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Reservation {
    /// Reserves more; `false` where so much is not free, and nothing changes.
    #[must_use]
    fn grow(&mut self, bytes: usize) -> bool {
        let more = |used: usize| used.checked_add(bytes).filter(|used| *used <= self.budget.limit);
        let grown = self.budget.used.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).is_ok();
        if grown {
            self.bytes += bytes;
        }
        grown
    }

    fn shrink_to(&mut self, bytes: usize) {
        let freed = self.bytes.saturating_sub(bytes);
        self.bytes -= freed;
        self.budget.used.fetch_sub(freed, Ordering::AcqRel);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

/// What one run of a node has reserved. It only grows while the node works, and is cut to the size of the results when
/// it has ended.
pub struct Memory<'a> {
    held: Mutex<Reservation>,
    make_room: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Memory<'a> {
    /// Nothing yet. `make_room` lets go of one thing that is kept for later, and tells whether there was one.
    #[must_use]
    pub fn new(budget: &Arc<Budget>, make_room: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let held = Reservation { budget: Arc::clone(budget), bytes: 0 };
        Self { held: Mutex::new(held), make_room }
    }

    /// Reserves bytes that are about to be allocated.
    ///
    /// # Errors
    /// An out-of-memory error where they are not free even after everything kept for later has made room.
    pub fn reserve(&self, bytes: usize) -> Result<(), NodeError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        while !held.grow(bytes) {
            if !(self.make_room)() {
                return Err(out_of_memory(bytes, &held.budget));
            }
        }
        Ok(())
    }

    /// How much is reserved: a mark to come back to.
    #[must_use]
    pub fn reserved(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// Frees what was reserved beyond a mark.
    pub fn release_to(&self, mark: usize) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).shrink_to(mark);
    }

    /// The reservation of results of this size.
    ///
    /// # Errors
    /// As [`Memory::reserve`], where the results are larger than what was reserved for them.
    pub fn keep(self, bytes: usize) -> Result<Reservation, NodeError> {
        self.reserve(bytes.saturating_sub(self.reserved()))?;
        let mut held = self.held.into_inner().unwrap_or_else(PoisonError::into_inner);
        held.shrink_to(bytes);
        Ok(held)
    }
}

/// What a real server raises when its memory is used up.
fn out_of_memory(bytes: usize, budget: &Budget) -> NodeError {
    let mib = |bytes: usize| bytes.div_ceil(1 << 20);
    let (more, used, limit) = (mib(bytes), mib(budget.used()), mib(budget.limit));
    NodeError::Raised {
        kind: "torch.OutOfMemoryError",
        message: format!(
            "Allocation on device cpu: out of memory. The node needs {more} MiB more; {used} of the {limit} MiB that \
             this worker gives to prompts are in use.\nUse smaller pictures, a smaller batch or fewer nodes."
        ),
    }
}

/// About how many bytes a JSON value takes in memory.
#[must_use]
pub fn json_bytes(value: &Json) -> usize {
    let own = size_of::<Json>();
    own + match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(json_bytes).sum(),
        // A key, its hash and its place in the table.
        Json::Object(entries) => entries.iter().map(|(key, value)| key.len() + 64 + json_bytes(value)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_reserved_beyond_the_limit_and_all_of_it_comes_back() {
        let budget = Budget::new(100);
        let first = budget.reserve(60).unwrap();
        assert!(budget.reserve(41).is_none(), "41 of 40 free bytes were given");
        let second = budget.reserve(40).unwrap();
        assert_eq!(budget.used(), 100);
        drop((first, second));
        assert_eq!(budget.used(), 0);
        assert!(budget.reserve(usize::MAX).is_none());
    }

    #[test]
    fn what_is_kept_for_later_makes_room_before_anything_is_refused() {
        let budget = Budget::new(100);
        let kept = Mutex::new(vec![budget.reserve(30).unwrap(), budget.reserve(30).unwrap()]);
        let make_room = || kept.lock().unwrap().pop().is_some();
        let memory = Memory::new(&budget, &make_room);
        memory.reserve(50).unwrap();
        assert_eq!(kept.lock().unwrap().len(), 1, "more made room than was needed");
        let refusal = memory.reserve(60).unwrap_err();
        assert!(
            matches!(&refusal, NodeError::Raised { kind: "torch.OutOfMemoryError", message } if message.contains("out of memory")),
            "{refusal:?}"
        );
        assert!(kept.lock().unwrap().is_empty());
        let results = memory.keep(20).unwrap();
        assert_eq!(budget.used(), 20, "what the node worked with is still reserved");
        drop(results);
        assert_eq!(budget.used(), 0);
    }
}
