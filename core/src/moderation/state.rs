//! The states of a case. Pure.
//!
//! ```text
//! Open ──keep──▶ Kept ──report──▶ Open        Open, Kept ──hide──▶ Hidden ──restore──▶ Kept
//! Open, Kept, Hidden ──delete──▶ Deleted, for good
//! ```

use super::CaseState;
use crate::word_list::word_list;

word_list! {
    pub enum Verdict for "verdict" {
        /// It stays as it is.
        Keep,
        Hide,
        Delete,
        /// It is no longer hidden.
        Restore,
    }
}

/// The state after a verdict; `None` if the verdict is not possible.
pub(super) fn after(state: CaseState, verdict: Verdict) -> Option<CaseState> {
    match (state, verdict) {
        (CaseState::Open, Verdict::Keep) | (CaseState::Hidden, Verdict::Restore) => Some(CaseState::Kept),
        (CaseState::Open | CaseState::Kept, Verdict::Hide) => Some(CaseState::Hidden),
        (CaseState::Open | CaseState::Kept | CaseState::Hidden, Verdict::Delete) => Some(CaseState::Deleted),
        _ => None,
    }
}

/// The state after a report; `None` if the target is not visible.
pub(super) fn reported(state: CaseState) -> Option<CaseState> {
    match state {
        CaseState::Open | CaseState::Kept => Some(CaseState::Open),
        CaseState::Hidden | CaseState::Deleted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_lead_to_the_documented_states_only() {
        let ways = [
            (CaseState::Open, Verdict::Keep, CaseState::Kept),
            (CaseState::Open, Verdict::Hide, CaseState::Hidden),
            (CaseState::Open, Verdict::Delete, CaseState::Deleted),
            (CaseState::Kept, Verdict::Hide, CaseState::Hidden),
            (CaseState::Kept, Verdict::Delete, CaseState::Deleted),
            (CaseState::Hidden, Verdict::Restore, CaseState::Kept),
            (CaseState::Hidden, Verdict::Delete, CaseState::Deleted),
        ];
        for state in CaseState::ALL {
            for verdict in Verdict::ALL {
                let way = ways.iter().find(|(from, by, _)| *from == state && *by == verdict);
                assert_eq!(after(state, verdict), way.map(|(_, _, to)| *to), "{state:?} {verdict:?}");
            }
        }
    }

    #[test]
    fn only_visible_targets_can_be_reported() {
        assert_eq!(CaseState::ALL.map(reported), [Some(CaseState::Open), Some(CaseState::Open), None, None]);
    }
}
