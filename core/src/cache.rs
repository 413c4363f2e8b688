//! In-memory caches with bounded size and optional lifetime.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::Weighter;
use quick_cache::sync::Cache as Kept;

/// A cache, shared by its clones. When it is full, it evicts the least used entries.
pub(crate) struct Cache<K, V> {
    kept: Arc<Kept<K, Entry<V>, ByWeight>>,
    lives: Option<Duration>,
}

#[derive(Clone)]
struct Entry<V> {
    value: V,
    weight: u32,
    until: Option<Instant>,
}

impl<V> Entry<V> {
    fn is_over(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

#[derive(Clone)]
struct ByWeight;

impl<K, V> Weighter<K, Entry<V>> for ByWeight {
    fn weight(&self, _: &K, entry: &Entry<V>) -> u64 {
        u64::from(entry.weight)
    }
}

impl<K, V> Clone for Cache<K, V> {
    fn clone(&self) -> Self {
        Self { kept: Arc::clone(&self.kept), lives: self.lives }
    }
}

impl<K, V> std::fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cache").field("lives", &self.lives).finish_non_exhaustive()
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// A cache for this number of values.
    pub fn with_capacity(values: usize) -> Self {
        Self { kept: Arc::new(Kept::with_weighter(values, values as u64, ByWeight)), lives: None }
    }

    /// A cache for values of this total weight, with a typical weight of `one`; see [`Cache::insert_weighted`].
    pub fn with_weight(weight: u64, one: u64) -> Self {
        let values = usize::try_from(weight / one.max(1)).unwrap_or(usize::MAX);
        Self { kept: Arc::new(Kept::with_weighter(values, weight, ByWeight)), lives: None }
    }

    /// With this lifetime of values.
    pub fn with_lifetime(self, lives: Duration) -> Self {
        Self { lives: Some(lives), ..self }
    }

    pub fn get<Q: ?Sized + Hash + Eq>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.get_at(key, Instant::now())
    }

    fn get_at<Q: ?Sized + Hash + Eq>(&self, key: &Q, now: Instant) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let entry = self.kept.get(key)?;
        if entry.is_over(now) {
            // Checked again under the lock: another caller may have replaced the entry.
            self.kept.remove_if(key, |entry| entry.is_over(now));
            return None;
        }
        Some(entry.value)
    }

    pub fn contains<Q: ?Sized + Hash + Eq>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    pub fn insert(&self, key: K, value: V) {
        self.insert_weighted(key, value, 1);
    }

    /// Like [`Cache::insert`], for a value of this weight.
    pub fn insert_weighted(&self, key: K, value: V, weight: u32) {
        let until = self.lives.map(|lives| Instant::now() + lives);
        // Entries without weight would never be evicted.
        self.kept.insert(key, Entry { value, weight: weight.max(1), until });
    }

    pub fn remove<Q: ?Sized + Hash + Eq>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.kept.remove(key);
    }

    /// Removes the values for which this is false.
    pub fn retain(&self, keep: impl Fn(&V) -> bool) {
        self.kept.retain(|_, entry| keep(&entry.value));
    }

    pub fn clear(&self) {
        self.kept.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_is_found_until_it_is_removed() {
        let cache = Cache::with_capacity(100);
        cache.insert("a".to_owned(), 1);
        cache.insert("b".to_owned(), 2);
        cache.insert("a".to_owned(), 3);
        assert_eq!((cache.get("a"), cache.get("b"), cache.get("c")), (Some(3), Some(2), None));
        cache.remove("a");
        assert!(!cache.contains("a") && cache.contains("b"));
        cache.insert("c".to_owned(), 5);
        cache.retain(|value| *value > 2);
        assert!(!cache.contains("b") && cache.contains("c"));
        cache.clear();
        assert!(!cache.contains("c"));
    }

    #[test]
    fn capacity_is_not_exceeded() {
        let cache = Cache::with_capacity(1000);
        for number in 0..50_000 {
            cache.insert(number, ());
        }
        let kept = (0..50_000).filter(|number| cache.contains(number)).count();
        assert!((500..=1000).contains(&kept), "{kept}");
        let cache = Cache::with_weight(100_000, 100);
        for number in 0..5000 {
            cache.insert_weighted(number, (), 500);
        }
        let kept = (0..5000).filter(|number| cache.contains(number)).count();
        assert!((20..=200).contains(&kept), "{kept} of 500 in 100,000");
    }

    #[test]
    fn an_entry_expires_after_its_lifetime() {
        let lifetime = Duration::from_secs(3600);
        let cache = Cache::with_capacity(10).with_lifetime(lifetime);
        cache.insert(1, ());
        assert!(cache.contains(&1));
        assert_eq!(cache.get_at(&1, Instant::now() + lifetime), None);
        assert!(!cache.contains(&1), "an expired entry is removed");
        cache.insert(1, ());
        assert!(cache.contains(&1), "a new entry has a lifetime of its own");
    }
}
