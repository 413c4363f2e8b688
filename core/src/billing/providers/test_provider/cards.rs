//! Saving cards at the test provider.

use uuid::Uuid;

use super::store::cards as store;
use super::test_card::{TestCard, TestCardAnswer};
use crate::billing::providers::call::{CallError, CardReport, CardWindow, NewCard, OpenedCard, SavedCardDetails};
use crate::{Code, Core, Error, Result};

const UNKNOWN: Error = Error::NotFound { what: "test card" };

/// A card for its page.
///
/// # Errors
/// [`Error::NotFound`] also where the test provider is off.
pub async fn find(core: &Core, id: Uuid) -> Result<TestCard> {
    if !core.settings.payments.test_provider {
        return Err(UNKNOWN);
    }
    store::find(&core.db, id).await?.ok_or(UNKNOWN)
}

/// Saves a card that does this with its charges.
///
/// # Errors
/// [`Error::NotFound`]; a conflict `TEST_PAYMENT_ANSWERED`.
pub async fn answer(core: &Core, id: Uuid, answer: TestCardAnswer) -> Result<TestCard> {
    let card = find(core, id).await?;
    if !store::answer(&core.db, id, answer).await? {
        return Err(Error::conflict(Code::TestPaymentAnswered, "this card was saved before"));
    }
    Ok(TestCard { answer: Some(answer), ..card })
}

pub(in crate::billing::providers) async fn open(core: &Core, new: &NewCard<'_>) -> Result<OpenedCard, CallError> {
    let here = |path: &str| format!("{}{path}", core.settings.base_url());
    let card = TestCard {
        id: Uuid::new_v4(),
        return_url: here(new.return_path),
        cancel_url: here(&format!("{}&failed=1", new.return_path)),
        answer: None,
        created_at: core.clock.now(),
    };
    let id = store::insert(&core.db, new.key, &card).await?;
    Ok(OpenedCard { reference: id.to_string(), window: CardWindow::Page(here(&format!("/test-card/{id}"))) })
}

pub(in crate::billing::providers) async fn finish(core: &Core, reference: &str) -> Result<CardReport, CallError> {
    let card = known(core, reference).await?;
    Ok(match card.answer {
        Some(_) => CardReport::Saved(SavedCardDetails {
            label: "4330-12**-****-1234".into(),
            issuer: "Test".into(),
            secret: None,
        }),
        None => CardReport::NotReady,
    })
}

/// A card of the books.
pub(super) async fn known(core: &Core, reference: &str) -> Result<TestCard, CallError> {
    let unknown = || CallError::Refused("an unknown card".into());
    let id = Uuid::parse_str(reference).map_err(|_| unknown())?;
    store::find(&core.db, id).await?.ok_or_else(unknown)
}

/// Whether the card has paid.
pub(super) async fn has_paid(core: &Core, id: Uuid) -> Result<bool, CallError> {
    Ok(store::has_paid(&core.db, id).await?)
}
