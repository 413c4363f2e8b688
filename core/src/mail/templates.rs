//! The texts of all mails, in both languages.

use secrecy::{ExposeSecret as _, SecretString};

use super::digest;
use super::email::Content;
use super::receipt;
use super::text::MailText;
use crate::language::{Language, grouped};

/// Renders a mail's text. `site` is the public URL without a trailing slash. The code follows a `#`, so that it appears
/// in no log and no referrer.
pub(super) fn render(content: &Content, language: Language, site: &str, code: Option<&SecretString>) -> MailText {
    let code_text = code.map_or("", |code| code.expose_secret());
    let link = |page: &str| format!("{site}/{page}#code={code_text}");
    let words = match language {
        Language::En => english(content, site, code_text, link),
        Language::Ko => korean(content, site, code_text, link),
    };
    match content {
        Content::Digest { .. } => digest::with_unsubscribe_links(words, language, site, code),
        _ => words,
    }
}

fn english(content: &Content, site: &str, code: &str, link: impl Fn(&str) -> String) -> MailText {
    let hello = |name: &str| format!("Hello {name},");
    match content {
        Content::Digest { name, total, news, .. } => digest::english(hello(name), *total, news, site),
        Content::PaymentReceipt { name, receipt } => receipt::of_payment(Language::En, hello(name), receipt, site),
        Content::RefundReceipt { name, receipt, refund } => {
            receipt::of_refund(Language::En, hello(name), receipt, refund, site)
        }
        Content::VerifyEmail { name, hours, .. } => MailText {
            button: Some(("Confirm address".to_owned(), link("verify-email"))),
            notes: vec![
                format!("The link works once, for {hours} hours."),
                "If you did not sign up, ignore this mail: without the link nothing is confirmed.".to_owned(),
            ],
            ..MailText::plain(
                "Confirm your e-mail address",
                hello(name),
                vec![
                    "Welcome to Verdigraph. Confirm that this is your address, so that you can publish and get \
                         back in if you ever lose your password."
                        .to_owned(),
                ],
            )
        },
        Content::SignUpCode { name, minutes, .. } => MailText {
            code: Some(code.to_owned()),
            notes: vec![
                format!("The code works once, for {minutes} minutes. Do not give it to anyone else."),
                "If you did not sign up, ignore this mail: without the code no account is made.".to_owned(),
            ],
            ..MailText::plain(
                &format!("{code} is your Verdigraph code"),
                hello(name),
                vec!["Welcome to Verdigraph. Enter this code on the page where you signed up:".to_owned()],
            )
        },
        Content::ResetPassword { name, minutes, .. } => MailText {
            button: Some(("Choose a password".to_owned(), link("reset-password"))),
            notes: vec![
                format!("The link works once, for {minutes} minutes."),
                "If it was not you, ignore this mail: your password stays as it is.".to_owned(),
            ],
            ..MailText::plain(
                "Choose a new password",
                hello(name),
                vec!["Someone, probably you, asked for a new password for your Verdigraph account.".to_owned()],
            )
        },
        Content::PasswordChanged { name } => MailText {
            notes: vec![format!("If it was not you, choose a new password at once: {site}/forgot-password")],
            ..MailText::plain(
                "Your password was changed",
                hello(name),
                vec![
                    "The password of your Verdigraph account was changed just now. Every other browser has been \
                         signed out."
                        .to_owned(),
                ],
            )
        },
        Content::SignUpTried { name, provider } => MailText {
            button: Some(("Sign in".to_owned(), format!("{site}/login"))),
            notes: vec![
                match provider {
                    Some(provider) => format!("Your account signs in with {provider}."),
                    None => format!("If you have forgotten the password, choose a new one: {site}/forgot-password"),
                },
                "If it was not you, there is nothing to do: no one got into your account.".to_owned(),
            ],
            ..MailText::plain(
                "You have an account already",
                hello(name),
                vec![
                    "Someone, probably you, wanted to sign up for Verdigraph with this address. It has an account \
                         already, so that no second one was made."
                        .to_owned(),
                ],
            )
        },
        Content::AccountDeleted { name } => MailText {
            notes: vec!["Thank you for having been with us.".to_owned()],
            ..MailText::plain(
                "Your account is deleted",
                hello(name),
                vec![
                    "Your Verdigraph account is deleted, with your private pictures and workflows, your keys and \
                         your remaining credits. What you had published stays without your name."
                        .to_owned(),
                ],
            )
        },
        Content::AppShared { name, by, app, id } => MailText {
            button: Some(("Open the app".to_owned(), format!("{site}/easy-app/{id}"))),
            notes: vec![
                "Running it uses your own credits. You can find it among the apps that are shared with you for as \
                     long as it is shared."
                    .to_owned(),
            ],
            ..MailText::plain(
                "An app was shared with you",
                hello(name),
                vec![format!("{by} shared the app “{app}” with you on Verdigraph.")],
            )
        },
        Content::WebhookDisabled { name, webhook, is_gone, page } => {
            let why = if *is_gone {
                "Its receiver answered that it is gone for good (410)."
            } else {
                "Nothing has reached its receiver for three days."
            };
            MailText {
                button: Some(("Open the webhook".to_owned(), format!("{site}{page}"))),
                notes: vec![
                    "Events that are still waiting are sent when you enable it again; events from now until then are not."
                        .to_owned(),
                ],
                ..MailText::plain(
                    "A webhook was disabled",
                    hello(name),
                    vec![format!("Your webhook “{webhook}” was disabled."), why.to_owned()],
                )
            }
        }
        Content::CreditsExpire { name, credits, at } => MailText {
            button: Some(("See your credits".to_owned(), format!("{site}/account?tab=credits"))),
            notes: vec!["Runs use the credits first that expire first.".to_owned()],
            ..MailText::plain(
                "Some of your credits expire soon",
                hello(name),
                vec![format!(
                    "{} of your credits can be used until {} (UTC).",
                    grouped(*credits),
                    at.format("%Y.%m.%d %H:%M")
                )],
            )
        },
        Content::PaymentFailed { name, plan, next_try: Some(at) } => MailText {
            button: Some(("Check your card".to_owned(), format!("{site}/account?tab=payment"))),
            notes: vec!["Until then your plan stays as it is, without the credits of the new month.".to_owned()],
            ..MailText::plain(
                &format!("The payment of your plan {plan} failed"),
                hello(name),
                vec![format!(
                    "Your card was not charged for the new month of your plan {plan}. We try again on {} (UTC).",
                    at.format("%Y.%m.%d")
                )],
            )
        },
        Content::PaymentFailed { name, plan, next_try: None } => MailText {
            button: Some(("See plans".to_owned(), format!("{site}/pricing"))),
            ..MailText::plain(
                &format!("Your plan {plan} has ended"),
                hello(name),
                vec!["Its payment failed three times. You can subscribe again at any time.".to_owned()],
            )
        },
        Content::AppBroken { name, app, workflow, lacking } => MailText {
            button: Some(("Open its setup".to_owned(), format!("{site}/workflow-api/{workflow}"))),
            notes: vec![
                "The app is checked every hour. You will get another mail only if it breaks again after it has worked."
                    .to_owned(),
            ],
            ..MailText::plain(
                "One of your apps no longer works",
                hello(name),
                vec![
                    format!("No worker has what “{app}” needs, so runs of it will fail."),
                    format!("Missing: {}", lacking.join(", ")),
                ],
            )
        },
    }
}

fn korean(content: &Content, site: &str, code: &str, link: impl Fn(&str) -> String) -> MailText {
    let hello = |name: &str| format!("{name}님, 안녕하세요.");
    match content {
        Content::Digest { name, total, news, .. } => digest::korean(hello(name), *total, news, site),
        Content::PaymentReceipt { name, receipt } => receipt::of_payment(Language::Ko, hello(name), receipt, site),
        Content::RefundReceipt { name, receipt, refund } => {
            receipt::of_refund(Language::Ko, hello(name), receipt, refund, site)
        }
        Content::VerifyEmail { name, hours, .. } => MailText {
            button: Some(("이메일 인증하기".to_owned(), link("verify-email"))),
            notes: vec![
                format!("링크는 한 번만 사용할 수 있으며 {hours}시간 동안 유효합니다."),
                "가입한 적이 없다면 이 메일을 무시해주세요. 링크를 열지 않으면 아무것도 인증되지 않습니다.".to_owned(),
            ],
            ..MailText::plain(
                "이메일 주소를 인증해주세요",
                hello(name),
                vec![
                    "Verdigraph에 오신 것을 환영합니다. 작품을 공개하고, 비밀번호를 잊었을 때 계정을 되찾을 수 \
                         있도록 이메일 주소를 인증해주세요."
                        .to_owned(),
                ],
            )
        },
        Content::SignUpCode { name, minutes, .. } => MailText {
            code: Some(code.to_owned()),
            notes: vec![
                format!("코드는 한 번만 사용할 수 있으며 {minutes}분 동안 유효합니다. 다른 사람에게 알려주지 마세요."),
                "가입한 적이 없다면 이 메일을 무시해주세요. 코드를 입력하지 않으면 계정이 만들어지지 않습니다."
                    .to_owned(),
            ],
            ..MailText::plain(
                &format!("Verdigraph 인증 코드: {code}"),
                hello(name),
                vec!["Verdigraph에 오신 것을 환영합니다. 가입하던 화면에 아래 코드를 입력해주세요.".to_owned()],
            )
        },
        Content::ResetPassword { name, minutes, .. } => MailText {
            button: Some(("비밀번호 재설정".to_owned(), link("reset-password"))),
            notes: vec![
                format!("링크는 한 번만 사용할 수 있으며 {minutes}분 동안 유효합니다."),
                "직접 요청하지 않았다면 이 메일을 무시해주세요. 비밀번호는 바뀌지 않습니다.".to_owned(),
            ],
            ..MailText::plain(
                "새 비밀번호를 설정해주세요",
                hello(name),
                vec!["Verdigraph 계정의 비밀번호 재설정 요청을 받았습니다.".to_owned()],
            )
        },
        Content::PasswordChanged { name } => MailText {
            notes: vec![format!("직접 변경하지 않았다면 지금 바로 비밀번호를 재설정해주세요: {site}/forgot-password")],
            ..MailText::plain(
                "비밀번호가 변경되었습니다",
                hello(name),
                vec![
                    "Verdigraph 계정의 비밀번호가 방금 변경되었습니다. 다른 모든 브라우저에서는 로그아웃되었습니다."
                        .to_owned(),
                ],
            )
        },
        Content::SignUpTried { name, provider } => MailText {
            button: Some(("로그인하기".to_owned(), format!("{site}/login"))),
            notes: vec![
                match provider {
                    Some(provider) => format!("이 계정은 {provider} 로그인을 사용합니다."),
                    None => format!("비밀번호를 잊었다면 여기에서 재설정해주세요: {site}/forgot-password"),
                },
                "직접 시도하지 않았다면 이 메일을 무시해주세요. 계정에는 아무 변화가 없습니다.".to_owned(),
            ],
            ..MailText::plain(
                "이미 가입된 이메일 주소입니다",
                hello(name),
                vec![
                    "이 이메일 주소로 Verdigraph에 가입하려는 시도가 있었습니다. 이미 이 주소로 가입된 계정이 있어 새 \
                         계정은 만들어지지 않았습니다."
                        .to_owned(),
                ],
            )
        },
        Content::AccountDeleted { name } => MailText {
            notes: vec!["그동안 함께해주셔서 감사합니다.".to_owned()],
            ..MailText::plain(
                "계정이 삭제되었습니다",
                hello(name),
                vec![
                    "Verdigraph 계정이 삭제되었습니다. 비공개 이미지와 워크플로우, API 키, 남은 크레딧도 함께 \
                         삭제되었습니다. 공개했던 작품은 이름 없이 남습니다."
                        .to_owned(),
                ],
            )
        },
        Content::AppShared { name, by, app, id } => MailText {
            button: Some(("앱 열기".to_owned(), format!("{site}/easy-app/{id}"))),
            notes: vec![
                "실행하면 내 크레딧이 사용됩니다. 공유가 유지되는 동안 공유받은 앱 목록에서 볼 수 있습니다.".to_owned(),
            ],
            ..MailText::plain(
                "앱을 공유받았습니다",
                hello(name),
                vec![format!("{by}님이 Verdigraph에서 ‘{app}’ 앱을 공유했습니다.")],
            )
        },
        Content::WebhookDisabled { name, webhook, is_gone, page } => {
            let why = if *is_gone {
                "수신 서버가 영구히 사라졌다고 응답했습니다(410)."
            } else {
                "3일 동안 수신 서버에 아무것도 전달되지 않았습니다."
            };
            MailText {
                button: Some(("웹훅 열기".to_owned(), format!("{site}{page}"))),
                notes: vec![
                    "아직 보내지 못한 이벤트는 다시 활성화할 때까지 기다립니다. 그동안 새로 발생한 이벤트는 보내지 않습니다."
                        .to_owned(),
                ],
                ..MailText::plain(
                    "웹훅이 비활성화되었습니다",
                    hello(name),
                    vec![format!("웹훅 ‘{webhook}’의 전송을 중단했습니다."), why.to_owned()],
                )
            }
        }
        Content::CreditsExpire { name, credits, at } => MailText {
            button: Some(("크레딧 보기".to_owned(), format!("{site}/account?tab=credits"))),
            notes: vec!["실행할 때 먼저 만료되는 크레딧부터 사용됩니다.".to_owned()],
            ..MailText::plain(
                "크레딧이 곧 만료됩니다",
                hello(name),
                vec![format!(
                    "크레딧 {}개를 {}(UTC)까지 사용할 수 있습니다.",
                    grouped(*credits),
                    at.format("%Y.%m.%d %H:%M")
                )],
            )
        },
        Content::PaymentFailed { name, plan, next_try: Some(at) } => MailText {
            button: Some(("카드 확인하기".to_owned(), format!("{site}/account?tab=payment"))),
            notes: vec!["그때까지 요금제는 유지되지만 새 달의 크레딧은 지급되지 않습니다.".to_owned()],
            ..MailText::plain(
                &format!("{plan} 요금제 결제에 실패했습니다"),
                hello(name),
                vec![format!(
                    "{plan} 요금제의 새 달 요금이 결제되지 않았습니다. {}(UTC)에 다시 시도합니다.",
                    at.format("%Y.%m.%d")
                )],
            )
        },
        Content::PaymentFailed { name, plan, next_try: None } => MailText {
            button: Some(("요금제 보기".to_owned(), format!("{site}/pricing"))),
            ..MailText::plain(
                &format!("{plan} 요금제가 종료되었습니다"),
                hello(name),
                vec!["결제가 세 번 실패했습니다. 언제든지 다시 구독할 수 있습니다.".to_owned()],
            )
        },
        Content::AppBroken { name, app, workflow, lacking } => MailText {
            button: Some(("설정 열기".to_owned(), format!("{site}/workflow-api/{workflow}"))),
            notes: vec![
                "한 시간마다 다시 확인하며, 다시 작동한 적이 없다면 같은 내용을 또 알리지 않습니다.".to_owned(),
            ],
            ..MailText::plain(
                "내 앱이 더 이상 작동하지 않습니다",
                hello(name),
                vec![
                    format!("‘{app}’ 앱에 필요한 항목을 가진 작업 서버가 없어, 실행하면 실패합니다."),
                    format!("없는 항목: {}", lacking.join(", ")),
                ],
            )
        },
    }
}
