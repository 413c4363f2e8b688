//! What has come into the queue since somebody looked and found nothing: a worker asks the rows again only then.
//!
//! What another node accepts, and what was lost on the way here, nobody on this node can name. It counts as anything:
//! those who might run it look again.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::jobs::status::Lane;

/// Kinds of needs of a lane that are told apart; of those that came before, anything may have come.
const TOLD_APART: usize = 10_000;

/// What came, in the order in which it came. Cheap to clone.
#[derive(Clone, Default)]
pub(in crate::jobs) struct Arrivals(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    /// Counts everything that comes.
    last: u64,
    /// Anything may have come into any lane.
    anything: u64,
    lanes: HashMap<(String, Lane), Came>,
}

/// What came into a lane.
#[derive(Default)]
struct Came {
    anything: u64,
    /// How many jobs of each kind of needs are being committed: their rows may be there at any moment.
    coming: HashMap<String, usize>,
    /// When each kind of needs came last, and the same the other way round.
    needs: HashMap<String, u64>,
    order: BTreeMap<u64, String>,
}

/// A job whose row is under way. Dropped, it counts as one that came.
pub(in crate::jobs) struct Coming {
    arrivals: Arrivals,
    pool: String,
    lane: Lane,
    needs: String,
}

impl Came {
    fn note(&mut self, needs: &str, at: u64) {
        if let Some(before) = self.needs.insert(needs.to_owned(), at) {
            self.order.remove(&before);
        }
        self.order.insert(at, needs.to_owned());
        if self.order.len() > TOLD_APART
            && let Some((at, needs)) = self.order.pop_first()
        {
            self.needs.remove(&needs);
            self.anything = self.anything.max(at);
        }
    }
}

impl Arrivals {
    /// Where the count stands. What is counted by now was committed before.
    pub(in crate::jobs) fn now(&self) -> u64 {
        self.inner().last
    }

    /// A job with these needs is about to come into a lane; until the answer is dropped, its row is looked for.
    pub(in crate::jobs) fn coming(&self, pool: &str, lane: Lane, needs: &str) -> Coming {
        *self.inner().lane(pool, lane).coming.entry(needs.to_owned()).or_default() += 1;
        Coming { arrivals: self.clone(), pool: pool.to_owned(), lane, needs: needs.to_owned() }
    }

    /// Something may have come into a lane.
    pub(in crate::jobs) fn perhaps(&self, pool: &str, lane: Lane) {
        let mut inner = self.inner();
        inner.last += 1;
        let at = inner.last;
        inner.lane(pool, lane).anything = at;
    }

    /// Something may have come anywhere.
    pub(in crate::jobs) fn perhaps_anywhere(&self) {
        let mut inner = self.inner();
        inner.last += 1;
        inner.anything = inner.last;
    }

    /// Whether something may have come into a lane since the count stood there, with any of these needs, which are in
    /// order.
    pub(in crate::jobs) fn since(&self, then: u64, pool: &str, lane: Lane, needs: &[String]) -> bool {
        let inner = self.inner();
        if inner.anything > then {
            return true;
        }
        let Some(came) = inner.lanes.get(&(pool.to_owned(), lane)) else { return false };
        let mut kinds = came.coming.keys().chain(came.order.range(then + 1..).map(|(_, kind)| kind));
        came.anything > then || kinds.any(|kind| needs.binary_search(kind).is_ok())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn lane(&mut self, pool: &str, lane: Lane) -> &mut Came {
        self.lanes.entry((pool.to_owned(), lane)).or_default()
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        let mut inner = self.arrivals.inner();
        inner.last += 1;
        let at = inner.last;
        let lane = inner.lane(&self.pool, self.lane);
        lane.note(&self.needs, at);
        if let Some(count) = lane.coming.get_mut(&self.needs) {
            *count -= 1;
            if *count == 0 {
                lane.coming.remove(&self.needs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: Lane = Lane::Api;

    fn needs(kinds: &[&str]) -> Vec<String> {
        kinds.iter().map(|kind| (*kind).to_owned()).collect()
    }

    #[test]
    fn only_what_one_can_run_makes_one_look_again() {
        let arrivals = Arrivals::default();
        let able = needs(&["blur", "resize"]);
        let news = |then| arrivals.since(then, "cpu", LANE, &able);
        assert!(!news(0));
        drop(arrivals.coming("cpu", LANE, "upscale"));
        drop(arrivals.coming("cpu", Lane::Training, "blur"));
        drop(arrivals.coming("gpu", LANE, "blur"));
        assert!(!news(0), "another kind, another lane, another pool");
        let coming = (arrivals.coming("cpu", LANE, "resize"), arrivals.coming("cpu", LANE, "resize"));
        let now = arrivals.now();
        assert!(news(now), "its row may be there already");
        drop(coming.0);
        assert!(news(arrivals.now()), "so may the other one");
        drop(coming.1);
        assert!(news(now));
        let now = arrivals.now();
        assert!(!news(now));
        drop(arrivals.coming("cpu", LANE, "blur"));
        drop(arrivals.coming("cpu", LANE, "upscale"));
        assert!(news(now), "what comes after it hides nothing");
        for perhaps in [|all: &Arrivals| all.perhaps("cpu", LANE), Arrivals::perhaps_anywhere] {
            let now = arrivals.now();
            assert!(!news(now));
            perhaps(&arrivals);
            assert!(news(now));
        }
        let now = arrivals.now();
        arrivals.perhaps("cpu", Lane::Interactive);
        assert!(!news(now));
    }

    #[test]
    fn where_too_many_kinds_come_anything_may_have_come() {
        let arrivals = Arrivals::default();
        drop(arrivals.coming("cpu", LANE, "blur"));
        for kind in 0..TOLD_APART {
            drop(arrivals.coming("cpu", LANE, &format!("kind {kind}")));
        }
        assert!(arrivals.since(0, "cpu", LANE, &needs(&["blur"])), "it came, and is not told apart any more");
        assert!(!arrivals.since(1, "cpu", LANE, &needs(&["blur"])));
        let came = arrivals.inner().lanes.remove(&("cpu".to_owned(), LANE)).expect("a lane");
        assert_eq!((came.needs.len(), came.order.len()), (TOLD_APART, TOLD_APART));
    }
}
