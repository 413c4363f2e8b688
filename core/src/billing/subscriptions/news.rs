//! What the owner of a subscription is told when a charge fails: in the box and by mail.

use sqlx::PgConnection;

use super::subscription::{EndReason, PaidWith, Subscription, SubscriptionStatus};
use crate::ids::UserId;
use crate::language::Language;
use crate::mail::{self, Content, Email};
use crate::notifications::{self, BilingualText, NewNotification};
use crate::users::{self, DELETED_NAME};
use crate::{Core, Error, Result};

/// News of a user that wait for the commit.
#[derive(Debug)]
#[must_use]
pub(in crate::billing) struct PaymentNews(UserId);

impl PaymentNews {
    pub(in crate::billing) async fn announce(self, core: &Core) {
        mail::wake_sending(core);
        notifications::announce(core, self.0).await;
    }
}

/// Tells the owner that a charge of a next period has failed, and what follows; `None` if nothing is to be told.
pub(super) async fn tell(
    core: &Core,
    connection: &mut PgConnection,
    before: &Subscription,
    after: &Subscription,
) -> Result<Option<PaymentNews>> {
    let is_over = after.end_reason == Some(EndReason::PaymentFailed) && before.status != SubscriptionStatus::Ended;
    if after.tries == before.tries && !is_over {
        return Ok(None);
    }
    let owner = match users::find(core, after.user).await {
        Ok(owner) if owner.name == DELETED_NAME => return Ok(None),
        Ok(owner) => owner,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let text = BilingualText::new(|language| words(after, language));
    let dedup_key = format!("subscription-charge:{}:{}:{}", after.id, after.period, after.tries);
    // PayPal itself mails about a charge that it tries again.
    let is_mailed = users::can_be_mailed(core, &owner) && (is_over || after.paid_with == PaidWith::Card);
    let notification = match is_mailed {
        true => NewNotification::MailedNotice { text, dedup_key },
        false => NewNotification::Notice { text, count: 1, dedup_key },
    };
    if is_mailed {
        let content =
            Content::PaymentFailed { name: owner.name.clone(), plan: after.plan.clone(), next_try: after.due_at };
        mail::queue(core, connection, &Email { to: owner.email.clone(), language: owner.language, content }).await?;
    }
    let told = notifications::notify(connection, after.user, None, &notification, core.clock.now()).await?;
    Ok(told.then_some(PaymentNews(after.user)))
}

/// Title and text.
fn words(after: &Subscription, language: Language) -> (String, String) {
    let plan = &after.plan;
    if after.paid_with == PaidWith::PayPal && after.status != SubscriptionStatus::Ended {
        return paypal_words(plan, language);
    }
    let next = after.due_at.map(|at| at.format("%Y.%m.%d").to_string());
    match (language, next) {
        (Language::En, Some(next)) => (
            format!("The payment of your plan {plan} failed"),
            format!(
                "<p>We try again on {next}. Until then your plan stays as it is, without the credits of the new month. \
                 Please check your card.</p><p><a href=\"/account?tab=payment\">My payment methods</a></p>"
            ),
        ),
        (Language::En, None) => (
            format!("Your plan {plan} has ended"),
            "<p>Its payment failed three times. You can subscribe again at any time.</p>\
             <p><a href=\"/pricing\">See plans</a></p>"
                .to_owned(),
        ),
        (Language::Ko, Some(next)) => (
            format!("{plan} 요금제 결제에 실패했습니다"),
            format!(
                "<p>{next}에 다시 시도합니다. 그때까지 요금제는 유지되지만 새 달의 크레딧은 지급되지 않습니다. 카드를 \
                 확인해 주세요.</p><p><a href=\"/account?tab=payment\">내 결제 수단</a></p>"
            ),
        ),
        (Language::Ko, None) => (
            format!("{plan} 요금제가 종료되었습니다"),
            "<p>결제가 세 번 실패했습니다. 언제든지 다시 구독할 수 있습니다.</p>\
             <p><a href=\"/pricing\">요금제 보기</a></p>"
                .to_owned(),
        ),
    }
}

/// Title and text while PayPal tries a charge again.
fn paypal_words(plan: &str, language: Language) -> (String, String) {
    match language {
        Language::En => (
            format!("The payment of your plan {plan} failed"),
            "<p>PayPal tries it again by itself. Until then your plan stays as it is, without the credits of the new \
             month. Please check your payment methods at PayPal.</p>\
             <p><a href=\"/account?tab=subscription\">My subscription</a></p>"
                .to_owned(),
        ),
        Language::Ko => (
            format!("{plan} 요금제 결제에 실패했습니다"),
            "<p>PayPal이 자동으로 다시 시도합니다. 그때까지 요금제는 유지되지만 새 달의 크레딧은 지급되지 않습니다. PayPal의 \
             결제 수단을 확인해 주세요.</p><p><a href=\"/account?tab=subscription\">내 구독</a></p>"
                .to_owned(),
        ),
    }
}
