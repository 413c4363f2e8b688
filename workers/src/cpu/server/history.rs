//! Prompts that ended, kept in memory, the oldest forgotten first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

/// Ended prompts by id, in the order they ended.
pub(super) struct History {
    limit: usize,
    entries: Mutex<IndexMap<String, Arc<Json>>>,
}

impl History {
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            entries: Mutex::new(IndexMap::new()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, IndexMap<String, Arc<Json>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an entry; a later one of the same id replaces it.
    pub fn insert(&self, prompt_id: &str, entry: Json) {
        let mut entries = self.lock();
        entries.insert(prompt_id.to_owned(), Arc::new(entry));
        while entries.len() > self.limit {
            entries.shift_remove_index(0);
        }
    }

    /// One entry under its id; empty where there is none.
    pub fn one(&self, prompt_id: &str) -> Json {
        let entry = self.lock().get(prompt_id).cloned();
        Json::Object(
            entry
                .into_iter()
                .map(|entry| (prompt_id.to_owned(), (*entry).clone()))
                .collect(),
        )
    }

    /// Entries from the oldest on. `most` alone gives the newest; with `offset` it counts from the oldest.
    pub fn list(&self, most: Option<i64>, offset: Option<i64>) -> Json {
        let entries = self.lock().clone();
        let len = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        let offset = match (offset.filter(|offset| *offset >= 0), most) {
            (Some(offset), _) => offset,
            (None, Some(most)) => len.saturating_sub(most).max(0),
            (None, None) => 0,
        };
        let skipped = usize::try_from(offset).unwrap_or(0);
        let taken = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(0));
        let shown = entries.iter().skip(skipped).take(taken);
        Json::Object(
            shown
                .map(|(id, entry)| (id.clone(), (**entry).clone()))
                .collect::<Map<_, _>>(),
        )
    }

    pub fn clear(&self) {
        self.lock().clear();
    }

    pub fn delete(&self, prompt_id: &str) {
        self.lock().shift_remove(prompt_id);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keys(listed: &Json) -> Vec<&str> {
        listed
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .collect()
    }

    #[test]
    fn the_newest_are_given_unless_an_offset_is() {
        let history = History::new(3);
        for id in ["a", "b", "c", "d"] {
            history.insert(id, json!(1));
        }
        assert_eq!(
            keys(&history.list(None, None)),
            ["b", "c", "d"],
            "the oldest is forgotten beyond the limit"
        );
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
}
