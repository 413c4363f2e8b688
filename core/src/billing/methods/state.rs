//! The lifecycle of a payment method. Pure: no clock, no database, no provider.
//!
//! ```text
//!   Opening ──▶ Usable ──▶ Removed    (by its owner, unless it is the default one; with its account)
//!      └──────────────────────▲       (not finished in a day; with its account)
//! ```

use chrono::TimeDelta;

use super::method::PaymentMethodState;

/// How long a user may take to enter a card.
pub(super) const OPENING_TIME: TimeDelta = TimeDelta::days(1);

/// Seconds between the calls that delete a billing key at its provider.
pub(super) const FORGETTING_PAUSES: [f64; 7] = [60.0, 300.0, 1800.0, 7200.0, 21_600.0, 43_200.0, 86_400.0];
/// How long the provider is asked to delete a billing key.
const FORGETTING_TIME: TimeDelta = TimeDelta::days(7);

/// Whether the deletion of a billing key of this age at its provider is given up.
pub(super) fn is_forgetting_over(age: TimeDelta) -> bool {
    age > FORGETTING_TIME
}

/// What happens to a payment method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MethodEvent {
    /// The provider has saved the card.
    Save,
    /// Its owner removes it.
    Remove,
    /// It was not finished in time.
    Expire,
    /// The account is deleted.
    CloseAccount,
}

/// Why a payment method stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MethodRefusal {
    /// There is no such method for its owner.
    Unknown,
    /// Another one must become the default first.
    Default,
}

/// The next state.
pub(super) fn next(
    state: PaymentMethodState,
    is_default: bool,
    event: MethodEvent,
) -> Result<PaymentMethodState, MethodRefusal> {
    use PaymentMethodState::{Opening, Removed, Usable};
    match (state, event) {
        (Opening | Usable, MethodEvent::Save) => Ok(Usable),
        (Usable, MethodEvent::Remove) if is_default => Err(MethodRefusal::Default),
        (Usable, MethodEvent::Remove) | (Opening, MethodEvent::Expire) => Ok(Removed),
        (Opening | Usable | Removed, MethodEvent::CloseAccount) => Ok(Removed),
        (Opening, MethodEvent::Remove) | (Usable, MethodEvent::Expire) | (Removed, _) => Err(MethodRefusal::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: [MethodEvent; 4] =
        [MethodEvent::Save, MethodEvent::Remove, MethodEvent::Expire, MethodEvent::CloseAccount];

    #[test]
    fn each_legal_event_leads_to_its_state_and_no_other_is_legal() {
        use PaymentMethodState::{Opening, Removed, Usable};
        let legal = [
            (Opening, MethodEvent::Save, Usable),
            (Usable, MethodEvent::Save, Usable),
            (Usable, MethodEvent::Remove, Removed),
            (Opening, MethodEvent::Expire, Removed),
            (Opening, MethodEvent::CloseAccount, Removed),
            (Usable, MethodEvent::CloseAccount, Removed),
            (Removed, MethodEvent::CloseAccount, Removed),
        ];
        for state in PaymentMethodState::ALL {
            for event in EVENTS {
                let expected = legal.iter().find(|row| (row.0, row.1) == (state, event)).map(|row| row.2);
                assert_eq!(next(state, false, event).ok(), expected, "{state:?} {event:?}");
            }
        }
    }

    #[test]
    fn default_method_is_not_removed_by_its_owner_and_a_removed_one_never_returns() {
        assert_eq!(next(PaymentMethodState::Usable, true, MethodEvent::Remove), Err(MethodRefusal::Default));
        assert_eq!(next(PaymentMethodState::Usable, true, MethodEvent::CloseAccount), Ok(PaymentMethodState::Removed));
        for event in EVENTS {
            assert_ne!(next(PaymentMethodState::Removed, false, event), Ok(PaymentMethodState::Usable));
        }
    }
}
