//! A provider that moves no money, for trying purchases. It keeps books of its own, which the platform only knows by
//! asking, and can be told to decline, to lose an answer, and to give notice twice.

mod agreements;
mod cards;
mod store;
mod test_agreement;
mod test_card;
mod test_payment;

use uuid::Uuid;

pub(in crate::billing) use agreements::answer as answer_agreement;
pub use agreements::find as find_agreement;
pub(super) use agreements::{cancel as cancel_agreement, open as open_agreement, report as agreement_report, sales};
pub use cards::{answer as answer_card, find as find_card};
pub(super) use cards::{finish as finish_card, open as open_card};
pub use test_agreement::{TestAgreement, TestAgreementAnswer, TestAgreementState};
pub use test_card::{TestCard, TestCardAnswer, TestCardState};
pub use test_payment::{TestAnswer, TestPayment, TestPaymentState};

use super::call::{CallError, NewPayment, OpenedPayment, PaymentCall, ProviderReport};
use crate::billing::money::Money;
use crate::{Code, Core, Error, Result, database};
use store::payments::{self as books, Refunded};

/// A payment for its page.
///
/// # Errors
/// [`Error::NotFound`] also where the test provider is off.
pub async fn find(core: &Core, id: Uuid) -> Result<TestPayment> {
    if !core.settings.payments.test_provider {
        return Err(UNKNOWN);
    }
    books::find(&core.db, id).await?.ok_or(UNKNOWN)
}

/// Answers a payment, and returns it and how many notices of it follow.
///
/// # Errors
/// [`Error::NotFound`]; a conflict `TEST_PAYMENT_ANSWERED`.
pub(in crate::billing) async fn answer(core: &Core, id: Uuid, answer: TestAnswer) -> Result<(TestPayment, u32)> {
    let payment = find(core, id).await?;
    let state = match answer {
        TestAnswer::Decline => TestPaymentState::Declined,
        TestAnswer::Approve | TestAnswer::Hang | TestAnswer::Twice => TestPaymentState::Approved,
    };
    if !books::answer(&core.db, id, answer, state).await? {
        return Err(Error::conflict(Code::TestPaymentAnswered, "this payment was answered before"));
    }
    Ok((payment, if answer == TestAnswer::Twice { 2 } else { 1 }))
}

const UNKNOWN: Error = Error::NotFound { what: "test payment" };

pub(super) async fn open(core: &Core, new: &NewPayment<'_>) -> Result<OpenedPayment, CallError> {
    let here = |path: &str| format!("{}{path}", core.settings.base_url());
    let card = match new.card {
        // A card of the time when the provider was on would give credits away.
        Some(_) if !core.settings.payments.test_provider => {
            return Err(CallError::Refused("the test provider is off".into()));
        }
        Some(card) => Some(cards::known(core, &card.reference).await?),
        None => None,
    };
    let (state, answer) = match card.as_ref().map(|card| card.answer) {
        None => (TestPaymentState::Created, None),
        Some(None | Some(TestCardAnswer::Declines)) => (TestPaymentState::Declined, None),
        Some(Some(TestCardAnswer::Works | TestCardAnswer::DeclinesLater)) => (TestPaymentState::Approved, None),
        Some(Some(TestCardAnswer::Hangs)) => (TestPaymentState::Approved, Some(TestAnswer::Hang)),
    };
    let payment = TestPayment {
        id: Uuid::new_v4(),
        description: new.description.to_owned(),
        price: new.price,
        return_url: here(new.return_path),
        cancel_url: here(new.cancel_path),
        state,
        answer,
        card: card.map(|card| card.id),
        created_at: core.clock.now(),
    };
    let id = books::insert(&core.db, new.key, &payment).await?;
    let pay_at = payment.card.is_none().then(|| here(&format!("/test-payment/{id}")));
    Ok(OpenedPayment { reference: id.to_string(), pay_at })
}

pub(super) async fn report(core: &Core, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
    let payment = known(core, call.reference).await?;
    Ok(match payment.state {
        TestPaymentState::Created => ProviderReport::Waiting,
        // As at real providers, a card is declined when it is charged.
        TestPaymentState::Approved | TestPaymentState::Declined => ProviderReport::Approved,
        TestPaymentState::Captured => ProviderReport::Taken { charge: call.reference.to_owned() },
        TestPaymentState::Voided => ProviderReport::Ended,
    })
}

pub(super) async fn charge(core: &Core, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
    let payment = known(core, call.reference).await?;
    let taken = || ProviderReport::Taken { charge: call.reference.to_owned() };
    match payment.state {
        TestPaymentState::Created => Ok(ProviderReport::Waiting),
        TestPaymentState::Declined => Ok(ProviderReport::Declined(None)),
        TestPaymentState::Voided => Ok(ProviderReport::Ended),
        TestPaymentState::Captured => Ok(taken()),
        TestPaymentState::Approved => {
            if is_declined_later(core, &payment).await? {
                books::decline(&core.db, payment.id).await?;
                return Ok(ProviderReport::Declined(None));
            }
            let is_taken = books::capture(&core.db, payment.id).await?;
            if !is_taken || payment.answer == Some(TestAnswer::Hang) {
                return Err(CallError::Unknown("the answer was lost".into()));
            }
            Ok(taken())
        }
    }
}

/// Whether a card that declines all charges but the first has paid before.
async fn is_declined_later(core: &Core, payment: &TestPayment) -> Result<bool, CallError> {
    let Some(card) = payment.card else { return Ok(false) };
    let found = cards::known(core, &card.to_string()).await?;
    Ok(found.answer == Some(TestCardAnswer::DeclinesLater) && cards::has_paid(core, card).await?)
}

pub(super) async fn void(core: &Core, call: &PaymentCall<'_>) -> Result<(), CallError> {
    let payment = known(core, call.reference).await?;
    if books::void(&core.db, payment.id).await? {
        Ok(())
    } else {
        Err(CallError::Refused("the payment is captured".into()))
    }
}

/// The first answer to a refund of a payment that hangs is lost too.
pub(super) async fn refund(core: &Core, key: Uuid, charge: &str, money: Money) -> Result<(), CallError> {
    let payment = known(core, charge).await?;
    if money.currency != payment.price.currency {
        return Err(CallError::Refused("another currency than the payment's".into()));
    }
    let mut tx = database::begin(&core.db).await?;
    let given = books::refund(&mut tx, key, payment.id, money.amount).await?;
    tx.commit().await?;
    match given {
        Refunded::Now if payment.answer == Some(TestAnswer::Hang) => {
            Err(CallError::Unknown("the answer was lost".into()))
        }
        Refunded::Now | Refunded::Before => Ok(()),
        Refunded::TooMuch => Err(CallError::Refused("more than was captured".into())),
    }
}

async fn known(core: &Core, reference: &str) -> Result<TestPayment, CallError> {
    let id = Uuid::parse_str(reference).map_err(|_| CallError::Refused("an unknown payment".into()))?;
    books::find(&core.db, id).await?.ok_or_else(|| CallError::Refused("an unknown payment".into()))
}
