//! The quarters of an attempt.

use crate::jobs::live::event::Progress;

/// Parts of the work after which something is told.
const AT: [f64; 3] = [0.25, 0.5, 0.75];

/// How many quarters an attempt has passed, and of how many it was told.
#[derive(Debug, Default)]
pub(super) struct Quarters {
    passed: i32,
    told: i32,
}

impl Quarters {
    /// An attempt never goes back.
    pub(super) fn pass(&mut self, progress: &Progress) {
        let share = progress.share();
        let passed = AT.iter().filter(|part| share >= **part).count();
        self.passed = self.passed.max(i32::try_from(passed).unwrap_or(0));
    }

    /// The last one that was passed, where it is to be told.
    pub(super) fn take(&mut self) -> Option<i32> {
        (self.passed > self.told).then(|| {
            self.told = self.passed;
            self.told
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(nodes_done: usize, value: f64, max: f64) -> Progress {
        Progress { node_id: "1".into(), node_title: String::new(), value, max, nodes_done, nodes_total: 4 }
    }

    #[test]
    fn a_quarter_is_told_once_and_what_is_passed_at_once_by_the_last() {
        let mut quarters = Quarters::default();
        let mut told = Vec::new();
        for step in [
            (0, 19.0, 20.0),
            (0, 20.0, 20.0),
            (1, 5.0, 20.0),
            (0, 0.0, 20.0),
            (1, 0.0, 0.0),
            (3, 19.0, 20.0),
            (4, 1.0, 1.0),
        ] {
            quarters.pass(&progress(step.0, step.1, step.2));
            told.extend(quarters.take());
        }
        assert_eq!(told, [1, 3], "a half was passed together with three quarters, and the end is no quarter");
    }

    #[test]
    fn a_share_is_between_nothing_and_all_whatever_a_worker_says() {
        let shares = [
            (progress(0, f64::NAN, 20.0), 0.0),
            (progress(0, 1.0, f64::NAN), 0.0),
            (progress(0, -3.0, 20.0), 0.0),
            (progress(1, 30.0, 20.0), 0.5),
            (progress(9, 1.0, 1.0), 1.0),
            (Progress { nodes_total: 0, ..progress(0, 5.0, 20.0) }, 0.25),
        ];
        for (progress, share) in shares {
            let said = progress.share();
            assert!((said - share).abs() < 1e-9, "{progress:?}: {said}");
        }
    }
}
