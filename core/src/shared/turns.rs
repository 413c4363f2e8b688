//! Lines in which everybody gets the same share (start-time fair queuing): a turn gets a virtual start time when somebody
//! joins the line, and the line is served in that order.
//!
//! `start = max(clock of the line, last end of whoever it is)`, `end = start + length`. The clock is the start of the turn
//! that was taken last. So somebody with a hundred thousand turns stands behind themselves, and who comes now starts
//! beside their next one.
//!
//! Where nobody stands in the line any more, the clock goes on to the last end (Goyal, Vin and Cheng: the end of a busy
//! period): who had a turn while nobody else wanted one took nothing from anybody, and goes after nobody for it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use deadpool_redis::redis::Script;
use uuid::Uuid;

/// Ends at which those that lie behind the clock are cleared away for the first time.
const CLEAR_AT: usize = 4096;

/// The lines as one node knows them.
#[derive(Debug, Default)]
pub(super) struct Lines(Mutex<HashMap<String, Line>>);

#[derive(Debug, Default)]
struct Line {
    /// The start of the turn that was taken last.
    clock: i64,
    /// The last end of each who has come. One that lies behind the clock is as good as none.
    ends: HashMap<Uuid, i64>,
    clear_at: usize,
}

impl Line {
    fn note(&mut self, who: Uuid, end: i64) {
        if self.ends.len() >= self.clear_at.max(CLEAR_AT) {
            self.ends.retain(|_, end| *end > self.clock);
            // What matters may double before it is looked through again.
            self.clear_at = self.ends.len() * 2;
        }
        let last = self.ends.entry(who).or_insert(end);
        *last = end.max(*last);
    }
}

impl Lines {
    /// The start of somebody's next turn.
    pub fn join(&self, line: &str, who: Uuid, length: i64) -> i64 {
        let mut lines = self.lock();
        let line = of(&mut lines, line);
        let start = line.ends.get(&who).map_or(line.clock, |end| line.clock.max(*end));
        line.note(who, start + length.max(1));
        start
    }

    /// The clock of a line and the last end of somebody, as far as they are known here.
    pub fn known(&self, line: &str, who: Uuid) -> (i64, i64) {
        let lines = self.lock();
        lines.get(line).map_or((0, 0), |line| (line.clock, line.ends.get(&who).copied().unwrap_or(0)))
    }

    /// A turn was given elsewhere that ends then, at this time of the line's clock.
    pub fn learn(&self, line: &str, clock: i64, ends: impl IntoIterator<Item = (Uuid, i64)>) {
        let mut lines = self.lock();
        let line = of(&mut lines, line);
        line.clock = clock.max(line.clock);
        for (who, end) in ends {
            if end > line.clock {
                line.note(who, end);
            }
        }
    }

    /// The turn with this start was taken; nobody is left where it was the last one.
    pub fn took(&self, line: &str, start: i64, was_last: bool) {
        let mut lines = self.lock();
        let line = of(&mut lines, line);
        line.clock = start.max(line.clock);
        if was_last {
            line.clock = line.ends.drain().map(|(_, end)| end).fold(line.clock, i64::max);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of<'a>(lines: &'a mut HashMap<String, Line>, name: &str) -> &'a mut Line {
    lines.entry(name.to_owned()).or_default()
}

/// [`Lines::join`] in Redis, of a sorted set of ends and a clock: whoever, what this node knows of the clock and of their
/// last end, the length. Tells the start and the clock. What nobody has asked about for a day is over.
pub(super) fn join_script() -> Script {
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

/// [`Lines::took`] in Redis: the start, and `1` where it was the last one.
pub(super) fn took_script() -> Script {
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
    fn what_lies_behind_the_clock_is_not_kept_for_ever() {
        let lines = Lines::default();
        for _ in 0..20 {
            for _ in 0..1000 {
                let start = lines.join("a", Uuid::now_v7(), 10);
                lines.took("a", start + 10, false);
            }
        }
        assert!(lines.lock()["a"].ends.len() <= CLEAR_AT);
    }
}
