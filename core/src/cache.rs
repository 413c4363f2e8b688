//! What a node remembers of what costs more to ask for: bounded, and where that is said, for a while.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::Weighter;
use quick_cache::sync::Cache as Kept;

/// Values by key; cheap to clone, and a clone is the same one. When it is full, what was used least goes.
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
    /// Room for so many values.
    pub fn of(values: usize) -> Self {
        Self { kept: Arc::new(Kept::with_weighter(values, values as u64, ByWeight)), lives: None }
    }

    /// Room for values that weigh so much together, and one about so much; see [`Cache::insert_weighing`].
    pub fn of_weight(weight: u64, one: u64) -> Self {
        let values = usize::try_from(weight / one.max(1)).unwrap_or(usize::MAX);
        Self { kept: Arc::new(Kept::with_weighter(values, weight, ByWeight)), lives: None }
    }

    /// The same, of values that are forgotten after this long.
    pub fn living(self, lives: Duration) -> Self {
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
        self.insert_weighing(key, value, 1);
    }

    /// As [`Cache::insert`], of a value that takes so much of the room.
    pub fn insert_weighing(&self, key: K, value: V, weight: u32) {
        let until = self.lives.map(|lives| Instant::now() + lives);
        // What weighs nothing would never go.
        self.kept.insert(key, Entry { value, weight: weight.max(1), until });
    }

    pub fn remove<Q: ?Sized + Hash + Eq>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.kept.remove(key);
    }

    /// Forgets the values of which this is not true.
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
    fn what_is_kept_is_found_until_it_is_taken_out() {
        let cache = Cache::of(100);
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
    fn no_more_is_kept_than_there_is_room() {
        let cache = Cache::of(1000);
        for number in 0..50_000 {
            cache.insert(number, ());
        }
        let kept = (0..50_000).filter(|number| cache.contains(number)).count();
        assert!((500..=1000).contains(&kept), "{kept}");
        let cache = Cache::of_weight(100_000, 100);
        for number in 0..5000 {
            cache.insert_weighing(number, (), 500);
        }
        let kept = (0..5000).filter(|number| cache.contains(number)).count();
        assert!((20..=200).contains(&kept), "{kept} of 500 in 100,000");
    }

    #[test]
    fn an_entry_expires_after_its_lifetime() {
        let lifetime = Duration::from_secs(3600);
        let cache = Cache::of(10).living(lifetime);
        cache.insert(1, ());
        assert!(cache.contains(&1));
        assert_eq!(cache.get_at(&1, Instant::now() + lifetime), None);
        assert!(!cache.contains(&1), "an expired entry is removed");
        cache.insert(1, ());
        assert!(cache.contains(&1), "a new entry has a lifetime of its own");
    }
}
