//! Agreements at the test provider: it charges a month when its page is told to.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::store::agreements as books;
use super::test_agreement::{TestAgreement, TestAgreementAnswer, TestAgreementState};
use crate::billing::providers::call::{
    AgreementReport, AgreementStatus, CallError, NewAgreement, OpenedPayment, ProviderSale, RefundExtent,
};
use crate::{Code, Core, Error, Result, database};

const UNKNOWN: Error = Error::NotFound { what: "test agreement" };

/// An agreement for its page.
///
/// # Errors
/// [`Error::NotFound`] also where the test provider is off.
pub async fn find(core: &Core, id: Uuid) -> Result<TestAgreement> {
    if !core.settings.payments.test_provider {
        return Err(UNKNOWN);
    }
    books::find(&core.db, id).await?.ok_or(UNKNOWN)
}

/// Answers an agreement, and returns it and how many notices of it follow.
///
/// # Errors
/// [`Error::NotFound`]; a conflict `TEST_PAYMENT_ANSWERED` if its state has no such answer.
pub(in crate::billing) async fn answer(
    core: &Core,
    id: Uuid,
    answer: TestAgreementAnswer,
) -> Result<(TestAgreement, u32)> {
    find(core, id).await?;
    let mut tx = database::begin(&core.db).await?;
    let before = books::lock(&mut tx, id).await?.ok_or(UNKNOWN)?;
    let Some(after) = before.after(answer) else {
        return Err(Error::conflict(Code::TestPaymentAnswered, "this agreement was answered before, or has ended"));
    };
    books::update(&mut tx, &after, answer == TestAgreementAnswer::Hang).await?;
    if answer.takes_money() {
        books::insert_sale(&mut tx, &after, Uuid::new_v4(), core.clock.now()).await?;
    }
    tx.commit().await?;
    Ok((after, answer.notices()))
}

pub(in crate::billing::providers) async fn open(
    core: &Core,
    new: &NewAgreement<'_>,
) -> Result<OpenedPayment, CallError> {
    if !core.settings.payments.test_provider {
        return Err(CallError::Refused("the test provider is off".into()));
    }
    let here = |path: &str| format!("{}{path}", core.settings.base_url());
    let agreement = TestAgreement {
        id: Uuid::new_v4(),
        description: new.plan.to_owned(),
        price: new.price,
        return_url: here(new.return_path),
        cancel_url: here(new.cancel_path),
        state: TestAgreementState::Created,
        failed: 0,
        created_at: core.clock.now(),
    };
    let id = books::insert(&core.db, new.key, &agreement).await?;
    Ok(OpenedPayment { reference: id.to_string(), pay_at: Some(here(&format!("/test-agreement/{id}"))) })
}

/// An agreement of the time when the provider was on has ended: its months would give credits away.
pub(in crate::billing::providers) async fn report(core: &Core, reference: &str) -> Result<AgreementReport, CallError> {
    if !core.settings.payments.test_provider {
        return Ok(AgreementReport { status: AgreementStatus::Ended, failed: 0 });
    }
    let agreement = known(core, reference).await?;
    if books::lose_answer(&core.db, agreement.id).await? {
        return Err(CallError::Unknown("the answer was lost".into()));
    }
    let status = match agreement.state {
        TestAgreementState::Created => AgreementStatus::Waiting,
        TestAgreementState::Active => AgreementStatus::Active,
        TestAgreementState::Suspended => AgreementStatus::Suspended,
        TestAgreementState::Ended => AgreementStatus::Ended,
    };
    Ok(AgreementReport { status, failed: agreement.failed })
}

/// Charged months, oldest first.
pub(in crate::billing::providers) async fn sales(
    core: &Core,
    reference: &str,
    times: (DateTime<Utc>, DateTime<Utc>),
) -> Result<Vec<ProviderSale>, CallError> {
    if !core.settings.payments.test_provider {
        return Ok(Vec::new());
    }
    let agreement = known(core, reference).await?;
    let sales = books::sales(&core.db, agreement.id, times).await?;
    let refund = RefundExtent::Nothing;
    Ok(sales.into_iter().map(|(id, at)| ProviderSale { id: id.to_string(), at, refund }).collect())
}

pub(in crate::billing::providers) async fn cancel(core: &Core, reference: &str) -> Result<(), CallError> {
    let agreement = known(core, reference).await?;
    Ok(books::end(&core.db, agreement.id).await?)
}

async fn known(core: &Core, reference: &str) -> Result<TestAgreement, CallError> {
    let unknown = || CallError::Refused("an unknown agreement".into());
    let id = Uuid::parse_str(reference).map_err(|_| unknown())?;
    books::find(&core.db, id).await?.ok_or_else(unknown)
}
