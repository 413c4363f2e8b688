//! The page of an agreement at the test provider.

use uuid::Uuid;

use super::follow;
use crate::billing::providers::{self, TestAgreement, TestAgreementAnswer};
use crate::{Core, Result};

/// Answers an agreement at the test provider, which gives notice of it.
///
/// # Errors
/// [`crate::Error::NotFound`] also where the test provider is off; a conflict `TEST_PAYMENT_ANSWERED` if its state has no
/// such answer.
pub async fn answer_test_agreement(core: &Core, id: Uuid, answer: TestAgreementAnswer) -> Result<TestAgreement> {
    let (agreement, notices) = providers::answer_test_agreement(core, id, answer).await?;
    for _ in 0..notices {
        follow::note_notice(core, &id.to_string()).await?;
    }
    Ok(agreement)
}
