//! Caches node results, so that unchanged nodes do not run again. The key covers class, inputs and everything upstream,
//! but neither the client nor the node's id.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use serde_json::Value as Json;

use crate::cpu::budget::{Reservation, json_bytes};
use crate::cpu::value::Value;

/// SHA-256 over class, fingerprint, inputs and the keys of the nodes upstream.
pub(super) type Key = [u8; 32];

/// The result of a node.
#[derive(Debug)]
pub(super) struct CachedResult {
    pub outputs: Vec<Vec<Value>>,
    pub ui: Option<Json>,
    /// The memory of new values. Values passed on from inputs are held by their own results.
    #[expect(dead_code, reason = "freed when it is dropped")]
    pub held: Reservation,
    /// Results whose values were passed on. They hold that memory.
    #[expect(dead_code, reason = "let go of when this is dropped")]
    pub sources: Vec<Arc<CachedResult>>,
}

impl CachedResult {
    pub fn contains(&self, value: &Value) -> bool {
        self.outputs.iter().flatten().any(|own| own.is_same(value))
    }
}

/// Bytes that a node's results keep in memory. Shared values are counted for each result.
pub(super) fn size_bytes(outputs: &[Vec<Value>], ui: Option<&Json>) -> usize {
    let outputs: usize = outputs.iter().flatten().map(Value::size_bytes).sum();
    outputs + ui.map_or(0, json_bytes) + size_of::<Key>() + size_of::<CachedResult>()
}

impl CachedResult {
    fn size_bytes(&self) -> usize {
        size_bytes(&self.outputs, self.ui.as_ref())
    }
}

#[derive(Default)]
struct Inner {
    /// Least recently used first.
    entries: IndexMap<Key, (Arc<CachedResult>, usize)>,
    bytes: usize,
}

/// An LRU cache, limited in bytes.
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

    /// Returns a result and marks it as used.
    pub fn get(&self, key: &Key) -> Option<Arc<CachedResult>> {
        let mut inner = self.lock();
        let index = inner.entries.get_index_of(key)?;
        let last = inner.entries.len() - 1;
        inner.entries.move_index(index, last);
        inner.entries.get(key).map(|(stored, _)| Arc::clone(stored))
    }

    /// Adds a result, unless it is larger than the whole cache.
    pub fn insert(&self, key: Key, stored: Arc<CachedResult>) {
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

    /// Evicts the least recently used result. Returns whether there was one.
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

    fn stored(pixels: usize) -> Arc<CachedResult> {
        let mask = Value::Mask(Arc::new(MaskBatch::filled(1, 1, pixels, 0.0)));
        let held = crate::cpu::budget::Budget::new(0).reserve(0).unwrap();
        Arc::new(CachedResult { outputs: vec![vec![mask]], ui: None, held, sources: Vec::new() })
    }

    #[test]
    fn least_recently_used_result_is_evicted_first() {
        let one = stored(1000).size_bytes();
        let cache = Cache::new(2 * one);
        cache.insert([1; 32], stored(1000));
        cache.insert([2; 32], stored(1000));
        assert!(cache.get(&[1; 32]).is_some());
        cache.insert([3; 32], stored(1000));
        assert!(cache.get(&[2; 32]).is_none(), "the least recently used result was evicted");
        assert!(cache.get(&[1; 32]).is_some());
        assert!(cache.get(&[3; 32]).is_some());
    }

    #[test]
    fn oversized_result_evicts_nothing() {
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
