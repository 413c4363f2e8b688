//! A provider that moves no money, for trying purchases. It keeps books of its own, which the platform only knows by
//! asking, and can be told to decline, to lose an answer, and to give notice twice.

mod store;
mod test_payment;

use uuid::Uuid;

pub use test_payment::{TestAnswer, TestPayment, TestPaymentState};

use super::call::{CallError, NewPayment, OpenedPayment, ProviderReport};
use crate::billing::money::Money;
use crate::{Code, Core, Error, Result, database};

/// A payment for its page.
///
/// # Errors
/// [`Error::NotFound`] also where the test provider is off.
pub async fn find(core: &Core, id: Uuid) -> Result<TestPayment> {
    if !core.settings.payments.test_provider {
        return Err(UNKNOWN);
    }
    store::find(&core.db, id).await?.ok_or(UNKNOWN)
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
    if !store::answer(&core.db, id, answer, state).await? {
        return Err(Error::conflict(Code::TestPaymentAnswered, "this payment was answered before"));
    }
    Ok((payment, if answer == TestAnswer::Twice { 2 } else { 1 }))
}

const UNKNOWN: Error = Error::NotFound { what: "test payment" };

pub(super) async fn open(core: &Core, new: &NewPayment<'_>) -> Result<OpenedPayment, CallError> {
    let here = |path: &str| format!("{}{path}", core.settings.base_url());
    let payment = TestPayment {
        id: Uuid::new_v4(),
        description: new.description.to_owned(),
        price: new.price,
        return_url: here(new.return_path),
        cancel_url: here(new.cancel_path),
        state: TestPaymentState::Created,
        answer: None,
        created_at: core.clock.now(),
    };
    let id = store::insert(&core.db, new.key, &payment).await?;
    Ok(OpenedPayment { reference: id.to_string(), pay_at: here(&format!("/test-payment/{id}")) })
}

pub(super) async fn report(core: &Core, reference: &str) -> Result<ProviderReport, CallError> {
    let payment = known(core, reference).await?;
    Ok(match payment.state {
        TestPaymentState::Created => ProviderReport::Waiting,
        // As at real providers, a card is declined when it is charged.
        TestPaymentState::Approved | TestPaymentState::Declined => ProviderReport::Approved,
        TestPaymentState::Captured => ProviderReport::Taken { charge: reference.to_owned() },
        TestPaymentState::Voided => ProviderReport::Ended,
    })
}

pub(super) async fn charge(core: &Core, reference: &str) -> Result<ProviderReport, CallError> {
    let payment = known(core, reference).await?;
    match payment.state {
        TestPaymentState::Created => Ok(ProviderReport::Waiting),
        TestPaymentState::Declined => Ok(ProviderReport::Declined),
        TestPaymentState::Voided => Ok(ProviderReport::Ended),
        TestPaymentState::Captured => Ok(ProviderReport::Taken { charge: reference.to_owned() }),
        TestPaymentState::Approved => {
            let is_taken = store::capture(&core.db, payment.id).await?;
            if !is_taken || payment.answer == Some(TestAnswer::Hang) {
                return Err(CallError::Unknown("the answer was lost".into()));
            }
            Ok(ProviderReport::Taken { charge: reference.to_owned() })
        }
    }
}

pub(super) async fn void(core: &Core, reference: &str) -> Result<(), CallError> {
    let payment = known(core, reference).await?;
    if store::void(&core.db, payment.id).await? {
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
    let given = store::refund(&mut tx, key, payment.id, money.amount).await?;
    tx.commit().await?;
    match given {
        store::Refunded::Now if payment.answer == Some(TestAnswer::Hang) => {
            Err(CallError::Unknown("the answer was lost".into()))
        }
        store::Refunded::Now | store::Refunded::Before => Ok(()),
        store::Refunded::TooMuch => Err(CallError::Refused("more than was captured".into())),
    }
}

async fn known(core: &Core, reference: &str) -> Result<TestPayment, CallError> {
    let id = Uuid::parse_str(reference).map_err(|_| CallError::Refused("an unknown payment".into()))?;
    store::find(&core.db, id).await?.ok_or_else(|| CallError::Refused("an unknown payment".into()))
}
