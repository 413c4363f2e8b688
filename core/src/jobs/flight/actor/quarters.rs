//! The quarters of an attempt that progress has passed.

use crate::jobs::live::event::JobProgress;

const QUARTERS: [f64; 3] = [0.25, 0.5, 0.75];

#[derive(Debug, Default)]
pub(super) struct Quarters {
    passed: i32,
    /// The last quarter that [`Self::take`] has returned.
    taken: i32,
}

impl Quarters {
    /// Records progress. Quarters never decrease.
    pub(super) fn pass(&mut self, progress: &JobProgress) {
        let share = progress.share();
        let passed = QUARTERS.iter().filter(|part| share >= **part).count();
        self.passed = self.passed.max(i32::try_from(passed).unwrap_or(0));
    }

    /// The last passed quarter, once.
    pub(super) fn take(&mut self) -> Option<i32> {
        (self.passed > self.taken).then(|| {
            self.taken = self.passed;
            self.taken
        })
    }
}
