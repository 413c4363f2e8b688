//! What becomes of a case. Pure.
//!
//! ```text
//! Open ──keep──▶ Kept ──report──▶ Open        Open, Kept ──hide──▶ Hidden ──restore──▶ Kept
//! Open, Kept, Hidden ──delete──▶ Deleted, for good
//! ```

use super::State;
use crate::word_list::word_list;

word_list! {
    /// What a moderator makes of a case.
    pub enum Verdict for "verdict" {
        /// It stays as it is.
        Keep,
        Hide,
        Delete,
        /// It is no longer held back.
        Restore,
    }
}

/// The state after a verdict; `None` where this one makes no sense in it.
pub(super) fn after(state: State, verdict: Verdict) -> Option<State> {
    match (state, verdict) {
        (State::Open, Verdict::Keep) | (State::Hidden, Verdict::Restore) => Some(State::Kept),
        (State::Open | State::Kept, Verdict::Hide) => Some(State::Hidden),
        (State::Open | State::Kept | State::Hidden, Verdict::Delete) => Some(State::Deleted),
        _ => None,
    }
}

/// The state after a report; `None` where nobody can see the thing to report it.
pub(super) fn reported(state: State) -> Option<State> {
    match state {
        State::Open | State::Kept => Some(State::Open),
        State::Hidden | State::Deleted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_goes_these_ways_and_no_others() {
        let ways = [
            (State::Open, Verdict::Keep, State::Kept),
            (State::Open, Verdict::Hide, State::Hidden),
            (State::Open, Verdict::Delete, State::Deleted),
            (State::Kept, Verdict::Hide, State::Hidden),
            (State::Kept, Verdict::Delete, State::Deleted),
            (State::Hidden, Verdict::Restore, State::Kept),
            (State::Hidden, Verdict::Delete, State::Deleted),
        ];
        for state in State::ALL {
            for verdict in Verdict::ALL {
                let way = ways.iter().find(|(from, by, _)| *from == state && *by == verdict);
                assert_eq!(after(state, verdict), way.map(|(_, _, to)| *to), "{state:?} {verdict:?}");
            }
        }
    }

    #[test]
    fn only_what_can_be_seen_is_reported() {
        assert_eq!(State::ALL.map(reported), [Some(State::Open), Some(State::Open), None, None]);
    }
}
