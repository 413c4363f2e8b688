//! Start-time fair queuing: each flow gets the same share of a queue. A turn gets a virtual start time when it is
//! enqueued, and turns are served in that order.
//!
//! `start = max(clock of the queue, last end of the flow)`, `end = start + length`. The clock is the start of the last
//! turn taken. A flow with a hundred thousand turns therefore waits behind its own turns, and a new flow starts beside
//! the first flow's next turn.
//!
//! When the queue is empty, the clock jumps to the last end (Goyal, Vin and Cheng: the end of a busy period). Turns
//! taken while no other flow waited do not count against a flow later.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use deadpool_redis::redis::Script;
use uuid::Uuid;

/// Number of ends at which outdated ones are removed for the first time.
const CLEAR_AT: usize = 4096;

/// The queues as this node knows them.
#[derive(Debug, Default)]
pub(super) struct FairQueues(Mutex<HashMap<String, FairQueue>>);

#[derive(Debug, Default)]
struct FairQueue {
    /// The start of the last turn taken.
    clock: i64,
    /// The last end of each flow. An end before the clock is irrelevant.
    ends: HashMap<Uuid, i64>,
    clear_at: usize,
}

impl FairQueue {
    fn note(&mut self, flow: Uuid, end: i64) {
        if self.ends.len() >= self.clear_at.max(CLEAR_AT) {
            self.ends.retain(|_, end| *end > self.clock);
            // The relevant ones may double before the next cleanup.
            self.clear_at = self.ends.len() * 2;
        }
        let last = self.ends.entry(flow).or_insert(end);
        *last = end.max(*last);
    }
}

impl FairQueues {
    /// The start of a flow's next turn.
    pub fn start(&self, queue: &str, flow: Uuid, length: i64) -> i64 {
        let mut queues = self.lock();
        let queue = of(&mut queues, queue);
        let start = queue.ends.get(&flow).map_or(queue.clock, |end| queue.clock.max(*end));
        queue.note(flow, start + length.max(1));
        start
    }

    /// The known clock of a queue and last end of a flow.
    pub fn known(&self, queue: &str, flow: Uuid) -> (i64, i64) {
        let queues = self.lock();
        queues.get(queue).map_or((0, 0), |queue| (queue.clock, queue.ends.get(&flow).copied().unwrap_or(0)))
    }

    /// Records turns that were given by another node, and its clock.
    pub fn observe(&self, queue: &str, clock: i64, ends: impl IntoIterator<Item = (Uuid, i64)>) {
        let mut queues = self.lock();
        let queue = of(&mut queues, queue);
        queue.clock = clock.max(queue.clock);
        for (flow, end) in ends {
            if end > queue.clock {
                queue.note(flow, end);
            }
        }
    }

    /// Records that a turn was taken; `was_last` if the queue is empty.
    pub fn taken(&self, queue: &str, start: i64, was_last: bool) {
        let mut queues = self.lock();
        let queue = of(&mut queues, queue);
        queue.clock = start.max(queue.clock);
        if was_last {
            queue.clock = queue.ends.drain().map(|(_, end)| end).fold(queue.clock, i64::max);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, FairQueue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of<'a>(queues: &'a mut HashMap<String, FairQueue>, name: &str) -> &'a mut FairQueue {
    queues.entry(name.to_owned()).or_default()
}

/// [`FairQueues::start`] in Redis, with a sorted set of ends and a clock. Arguments: the flow, this node's clock and
/// last end of the flow, the length. Returns start and clock. Unused queues expire after a day.
pub(super) fn start_script() -> Script {
    Script::new(
        "local function text(number) return string.format('%.0f', number) end
         local clock = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[2]))
         local last = math.max(tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '0'), tonumber(ARGV[3]))
         local start = math.max(clock, last)
         redis.call('ZADD', KEYS[1], text(start + tonumber(ARGV[4])), ARGV[1])
         redis.call('PEXPIRE', KEYS[1], 86400000)
         redis.call('SET', KEYS[2], text(clock), 'PX', 86400000)
         return {start, clock}",
    )
}

/// [`FairQueues::taken`] in Redis. Arguments: the start, and `1` if the queue is empty.
pub(super) fn taken_script() -> Script {
    Script::new(
        "local function text(number) return string.format('%.0f', number) end
         local clock = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[1]))
         if ARGV[2] == '1' then
           local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
           if last[2] then clock = math.max(clock, tonumber(last[2])) end
           redis.call('DEL', KEYS[1])
         else
           redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', text(clock))
         end
         redis.call('SET', KEYS[2], text(clock), 'PX', 86400000)
         return clock",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outdated_ends_are_removed() {
        let queues = FairQueues::default();
        for _ in 0..20 {
            for _ in 0..1000 {
                let start = queues.start("a", Uuid::now_v7(), 10);
                queues.taken("a", start + 10, false);
            }
        }
        assert!(queues.lock()["a"].ends.len() <= CLEAR_AT);
    }
}
