//! Payment methods for tests.

use secrecy::SecretString;

use super::{PaymentMethod, begin, complete};
use crate::billing::money::BillingCountry;
use crate::billing::providers::{CardWindow, TestCardAnswer, answer_test_card};
use crate::ids::UserId;
use crate::{Caller, Core};

/// Saves a test card that does this with its charges.
pub(in crate::billing) async fn saved_card(
    core: &Core,
    user: UserId,
    country: BillingCountry,
    answer: TestCardAnswer,
) -> PaymentMethod {
    let caller = Caller::customer(user);
    let opened = begin(core, &caller, country).await.expect("a window");
    let CardWindow::Page(page) = &opened.window else { panic!("a page of the test provider") };
    let card = page.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
    answer_test_card(core, card, answer).await.expect("an answer");
    complete(core, &caller, opened.id, None::<&SecretString>).await.expect("a saved card")
}
