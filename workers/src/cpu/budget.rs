//! The memory budget of a worker: inputs, intermediate results, the cache, and files while they are decoded and
//! encoded. Bytes are reserved before they are allocated.
//!
//! Cached results count too, and are evicted first. A reservation that still does not fit fails with the out-of-memory
//! error of a real server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

use super::node::NodeError;

/// mimalloc's option `mi_option_purge_delay`: how long freed memory is kept for reuse.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
/// In milliseconds instead of mimalloc's second, so that a large file's memory is released before the next one.
const PURGE_DELAY_MS: std::ffi::c_long = 10;

/// Has mimalloc release freed memory early. Without effect in a program with another allocator.
pub fn release_early() {
    // SAFETY: options are independent numbers that may be set at any time.
    #[expect(unsafe_code, reason = "the allocator's options have no safe binding")]
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, PURGE_DELAY_MS);
    }
}

#[derive(Debug)]
pub struct Budget {
    limit: usize,
    used: AtomicUsize,
}

impl Budget {
    #[must_use]
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, used: AtomicUsize::new(0) })
    }

    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    #[must_use]
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Acquire)
    }

    /// Reserves bytes; `None` if they are not free.
    #[must_use]
    pub fn reserve(self: &Arc<Self>, bytes: usize) -> Option<Reservation> {
        let mut reservation = Reservation { budget: Arc::clone(self), bytes: 0 };
        reservation.grow(bytes).then_some(reservation)
    }
}

/// A part of a budget, released on drop.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Reservation {
    /// Reserves more. Returns `false` and changes nothing if it is not free.
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

/// The memory of one run of a node. It grows while the node works, and shrinks to the size of the results at the end.
pub struct Memory<'a> {
    held: Mutex<Reservation>,
    make_room: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Memory<'a> {
    /// Starts empty. `make_room` evicts one cached result and returns whether there was one.
    #[must_use]
    pub fn new(budget: &Arc<Budget>, make_room: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let held = Reservation { budget: Arc::clone(budget), bytes: 0 };
        Self { held: Mutex::new(held), make_room }
    }

    /// Reserves bytes before they are allocated. Fails with an out-of-memory error if evicting the whole cache does not
    /// free enough.
    pub fn reserve(&self, bytes: usize) -> Result<(), NodeError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        while !held.grow(bytes) {
            if !(self.make_room)() {
                return Err(out_of_memory(bytes, &held.budget));
            }
        }
        Ok(())
    }

    /// Bytes reserved so far. Pass it to [`Memory::release_to`] to return to this point.
    #[must_use]
    pub fn reserved(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// Releases what was reserved since a mark.
    pub fn release_to(&self, mark: usize) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).shrink_to(mark);
    }

    /// Shrinks the reservation to the size of the results. Grows it, which may fail, if they are larger.
    pub fn keep(self, bytes: usize) -> Result<Reservation, NodeError> {
        self.reserve(bytes.saturating_sub(self.reserved()))?;
        let mut held = self.held.into_inner().unwrap_or_else(PoisonError::into_inner);
        held.shrink_to(bytes);
        Ok(held)
    }
}

/// The error of a real server without memory.
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

/// Estimates the memory of a JSON value.
#[must_use]
pub fn json_bytes(value: &Json) -> usize {
    let own = size_of::<Json>();
    own + match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(json_bytes).sum(),
        // A key with its hash and table entry.
        Json::Object(entries) => entries.iter().map(|(key, value)| key.len() + 64 + json_bytes(value)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservations_stay_within_limit_and_are_released() {
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
    fn cache_is_evicted_before_a_reservation_fails() {
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
