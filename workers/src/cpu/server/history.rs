//! Ended prompts in memory. The oldest are dropped first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

use crate::cpu::budget::json_bytes;

/// Ended prompts by id, in order of their end.
pub(super) struct History {
    limit: usize,
    limit_bytes: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    entries: IndexMap<String, (Arc<Json>, usize)>,
    bytes: usize,
}

impl Inner {
    fn forget(&mut self, prompt_id: &str) {
        if let Some((_, size)) = self.entries.shift_remove(prompt_id) {
            self.bytes -= size;
        }
    }
}

impl History {
    /// Limits entries and bytes. The newest entry is kept even if it exceeds the bytes.
    pub fn new(limit: usize, limit_bytes: usize) -> Self {
        Self { limit, limit_bytes, inner: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an entry, replacing one with the same id.
    pub fn insert(&self, prompt_id: &str, entry: Json) {
        let size = json_bytes(&entry);
        let mut inner = self.lock();
        inner.forget(prompt_id);
        inner.entries.insert(prompt_id.to_owned(), (Arc::new(entry), size));
        inner.bytes += size;
        while inner.entries.len() > self.limit || (inner.bytes > self.limit_bytes && inner.entries.len() > 1) {
            let Some((_, (_, size))) = inner.entries.shift_remove_index(0) else { break };
            inner.bytes -= size;
        }
    }

    /// The entry under its id; empty if unknown.
    pub fn one(&self, prompt_id: &str) -> Json {
        let entry = self.lock().entries.get(prompt_id).map(|(entry, _)| Arc::clone(entry));
        Json::Object(entry.into_iter().map(|entry| (prompt_id.to_owned(), (*entry).clone())).collect())
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> Vec<(String, Arc<Json>)> {
        self.lock().entries.iter().map(|(id, (entry, _))| (id.clone(), Arc::clone(entry))).collect()
    }

    /// Entries, oldest first. `most` alone selects the newest; with `offset` it counts from the oldest.
    pub fn list(&self, most: Option<i64>, offset: Option<i64>) -> Json {
        let entries = self.entries();
        let len = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        let offset = match (offset.filter(|offset| *offset >= 0), most) {
            (Some(offset), _) => offset,
            (None, Some(most)) => len.saturating_sub(most).max(0),
            (None, None) => 0,
        };
        let skipped = usize::try_from(offset).unwrap_or(0);
        let taken = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(0));
        let shown = entries.iter().skip(skipped).take(taken);
        Json::Object(shown.map(|(id, entry)| (id.clone(), (**entry).clone())).collect::<Map<_, _>>())
    }

    pub fn clear(&self) {
        *self.lock() = Inner::default();
    }

    pub fn delete(&self, prompt_id: &str) {
        self.lock().forget(prompt_id);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keys(listed: &Json) -> Vec<&str> {
        listed.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect()
    }

    #[test]
    fn newest_entries_are_listed_without_offset() {
        let history = History::new(3, 1 << 20);
        for id in ["a", "b", "c", "d"] {
            history.insert(id, json!(1));
        }
        assert_eq!(keys(&history.list(None, None)), ["b", "c", "d"], "the oldest is forgotten beyond the limit");
        assert_eq!(keys(&history.list(Some(2), None)), ["c", "d"]);
        assert_eq!(keys(&history.list(Some(2), Some(0))), ["b", "c"]);
        assert_eq!(keys(&history.list(None, Some(2))), ["d"]);
        assert_eq!(keys(&history.list(Some(9), Some(-1))), ["b", "c", "d"]);
        assert_eq!(history.one("a"), json!({}));
        history.delete("c");
        assert_eq!(history.one("c"), json!({}));
        history.clear();
        assert_eq!(history.list(None, None), json!({}));
    }

    #[test]
    fn large_entries_evict_the_oldest_but_never_the_newest() {
        let history = History::new(100, 2500);
        for id in ["a", "b", "c"] {
            history.insert(id, json!("x".repeat(1000)));
        }
        assert_eq!(keys(&history.list(None, None)), ["b", "c"]);
        history.insert("d", json!("x".repeat(9000)));
        assert_eq!(keys(&history.list(None, None)), ["d"], "a prompt that has just ended must be found");
    }
}
