//! Results of nodes that ran, so that unchanged nodes do not run again. The key is class, inputs and everything
//! upstream: neither the client nor the node's id is part of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use serde_json::Value as Json;

use crate::cpu::budget::{Reservation, json_bytes};
use crate::cpu::value::Value;

/// What identifies a result: a SHA-256 over class, fingerprint, inputs and the keys of the nodes upstream.
pub(super) type Key = [u8; 32];

/// What a node gave.
#[derive(Debug)]
pub(super) struct Stored {
    pub outputs: Vec<Vec<Value>>,
    pub ui: Option<Json>,
    /// Their part of the worker's memory, without what was only passed on.
    #[expect(dead_code, reason = "freed when it is dropped")]
    pub held: Reservation,
    /// The results of which something was passed on: they hold its memory.
    #[expect(dead_code, reason = "let go of when this is dropped")]
    pub rests_on: Vec<Arc<Stored>>,
}

impl Stored {
    /// Whether a value is one of the outputs.
    pub fn gives(&self, value: &Value) -> bool {
        self.outputs.iter().flatten().any(|own| own.is_same(value))
    }
}

/// Bytes that a node's results keep in memory. Values shared with other results are counted for each.
pub(super) fn size_bytes(outputs: &[Vec<Value>], ui: Option<&Json>) -> usize {
    let outputs: usize = outputs.iter().flatten().map(Value::size_bytes).sum();
    outputs + ui.map_or(0, json_bytes) + size_of::<Key>() + size_of::<Stored>()
}

impl Stored {
    fn size_bytes(&self) -> usize {
        size_bytes(&self.outputs, self.ui.as_ref())
    }
}

#[derive(Default)]
struct Inner {
    /// Least recently used first.
    entries: IndexMap<Key, (Arc<Stored>, usize)>,
    bytes: usize,
}

/// Results within a limit of bytes; the least recently used leave first.
pub(super) struct Cache {
    limit: usize,
    inner: Mutex<Inner>,
}

impl Cache {
    pub fn new(limit: usize) -> Self {
        Self { limit, inner: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A result, which counts as used now.
    pub fn get(&self, key: &Key) -> Option<Arc<Stored>> {
        let mut inner = self.lock();
        let index = inner.entries.get_index_of(key)?;
        let last = inner.entries.len() - 1;
        inner.entries.move_index(index, last);
        inner.entries.get(key).map(|(stored, _)| Arc::clone(stored))
    }

    /// Keeps a result, unless it is larger than the whole cache.
    pub fn insert(&self, key: Key, stored: Arc<Stored>) {
        let size = stored.size_bytes();
        if size > self.limit {
            return;
        }
        let mut inner = self.lock();
        if let Some((_, old)) = inner.entries.shift_remove(&key) {
            inner.bytes -= old;
        }
        inner.entries.insert(key, (stored, size));
        inner.bytes += size;
        while inner.bytes > self.limit {
            let Some((_, (_, old))) = inner.entries.shift_remove_index(0) else {
                break;
            };
            inner.bytes -= old;
        }
    }

    /// Lets go of the result that was used least recently. Tells whether there was one.
    pub fn evict(&self) -> bool {
        let mut inner = self.lock();
        let evicted = inner.entries.shift_remove_index(0);
        if let Some((_, (_, size))) = &evicted {
            inner.bytes -= size;
        }
        evicted.is_some()
    }

    pub fn clear(&self) {
        *self.lock() = Inner::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::value::MaskBatch;

    fn stored(pixels: usize) -> Arc<Stored> {
        let mask = Value::Mask(Arc::new(MaskBatch::filled(1, 1, pixels, 0.0)));
        let held = crate::cpu::budget::Budget::new(0).reserve(0).unwrap();
        Arc::new(Stored { outputs: vec![vec![mask]], ui: None, held, rests_on: Vec::new() })
    }

    #[test]
    fn the_least_recently_used_result_leaves_first() {
        let one = stored(1000).size_bytes();
        let cache = Cache::new(2 * one);
        cache.insert([1; 32], stored(1000));
        cache.insert([2; 32], stored(1000));
        assert!(cache.get(&[1; 32]).is_some());
        cache.insert([3; 32], stored(1000));
        assert!(cache.get(&[2; 32]).is_none(), "the one nobody asked for made room");
        assert!(cache.get(&[1; 32]).is_some());
        assert!(cache.get(&[3; 32]).is_some());
    }

    #[test]
    fn a_result_larger_than_the_cache_drives_nothing_out() {
        let cache = Cache::new(stored(10).size_bytes());
        cache.insert([1; 32], stored(10));
        cache.insert([2; 32], stored(5000));
        assert!(cache.get(&[1; 32]).is_some());
        assert!(cache.get(&[2; 32]).is_none());
        cache.insert([1; 32], stored(10));
        assert!(cache.get(&[1; 32]).is_some(), "replacing frees the old bytes");
        cache.clear();
        assert!(cache.get(&[1; 32]).is_none());
    }
}
