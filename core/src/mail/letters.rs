//! What letters say, in both languages. Every text of our mail stands here.

use secrecy::{ExposeSecret as _, SecretString};

use super::digest;
use super::letter::Content;
use super::words::Words;
use crate::language::Language;

/// The words of a letter. `site` is the public address without a slash at the end. The code stands behind a `#`, where
/// neither logs nor other sites see it.
pub(super) fn words(content: &Content, language: Language, site: &str, code: Option<&SecretString>) -> Words {
    let link = |page: &str| format!("{site}/{page}#code={}", code.map_or("", |code| code.expose_secret()));
    let words = match language {
        Language::En => english(content, site, link),
        Language::Ko => korean(content, site, link),
    };
    match content {
        Content::Digest { .. } => digest::with_ways_out(words, language, site, code),
        _ => words,
    }
}

fn english(content: &Content, site: &str, link: impl Fn(&str) -> String) -> Words {
    let hello = |name: &str| format!("Hello {name},");
    match content {
        Content::Digest { name, total, news, .. } => digest::english(hello(name), *total, news, site),
        Content::VerifyEmail { name, hours, .. } => Words {
            button: Some(("Confirm address".to_owned(), link("verify-email"))),
            notes: vec![
                format!("The link works once, for {hours} hours."),
                "If you did not sign up, ignore this mail: without the link nothing is confirmed.".to_owned(),
            ],
            ..Words::plain(
                "Confirm your e-mail address",
                hello(name),
                vec![
                    "Welcome to Verdigraph. Confirm that this is your address, so that you can publish and get \
                         back in if you ever lose your password."
                        .to_owned(),
                ],
            )
        },
        Content::ResetPassword { name, minutes, .. } => Words {
            button: Some(("Choose a password".to_owned(), link("reset-password"))),
            notes: vec![
                format!("The link works once, for {minutes} minutes."),
                "If it was not you, ignore this mail: your password stays as it is.".to_owned(),
            ],
            ..Words::plain(
                "Choose a new password",
                hello(name),
                vec!["Somebody, probably you, asked for a new password for your Verdigraph account.".to_owned()],
            )
        },
        Content::PasswordChanged { name } => Words {
            notes: vec![format!("If it was not you, choose a new password at once: {site}/forgot-password")],
            ..Words::plain(
                "Your password was changed",
                hello(name),
                vec![
                    "The password of your Verdigraph account was changed just now. Every other browser has been \
                         signed out."
                        .to_owned(),
                ],
            )
        },
        Content::SignUpTried { name, provider } => Words {
            button: Some(("Sign in".to_owned(), format!("{site}/login"))),
            notes: vec![
                match provider {
                    Some(provider) => format!("Your account signs in with {provider}."),
                    None => format!("If you have forgotten the password, choose a new one: {site}/forgot-password"),
                },
                "If it was not you, there is nothing to do: nobody got into your account.".to_owned(),
            ],
            ..Words::plain(
                "You have an account already",
                hello(name),
                vec![
                    "Somebody, probably you, wanted to sign up for Verdigraph with this address. It has an account \
                         already, so that no second one was made."
                        .to_owned(),
                ],
            )
        },
        Content::AccountDeleted { name } => Words {
            notes: vec!["Thank you for having been with us.".to_owned()],
            ..Words::plain(
                "Your account is deleted",
                hello(name),
                vec![
                    "Your Verdigraph account is deleted, with your private pictures and workflows, your keys and \
                         your remaining credits. What you had published stays without your name."
                        .to_owned(),
                ],
            )
        },
    }
}

fn korean(content: &Content, site: &str, link: impl Fn(&str) -> String) -> Words {
    let hello = |name: &str| format!("{name}님, 안녕하세요.");
    match content {
        Content::Digest { name, total, news, .. } => digest::korean(hello(name), *total, news, site),
        Content::VerifyEmail { name, hours, .. } => Words {
            button: Some(("이메일 인증하기".to_owned(), link("verify-email"))),
            notes: vec![
                format!("링크는 한 번만 사용할 수 있으며 {hours}시간 동안 유효합니다."),
                "가입한 적이 없다면 이 메일을 무시해주세요. 링크를 열지 않으면 아무것도 인증되지 않습니다.".to_owned(),
            ],
            ..Words::plain(
                "이메일 주소를 인증해주세요",
                hello(name),
                vec![
                    "Verdigraph에 오신 것을 환영합니다. 작품을 공개하고, 비밀번호를 잊었을 때 계정을 되찾을 수 \
                         있도록 이메일 주소를 인증해주세요."
                        .to_owned(),
                ],
            )
        },
        Content::ResetPassword { name, minutes, .. } => Words {
            button: Some(("비밀번호 재설정".to_owned(), link("reset-password"))),
            notes: vec![
                format!("링크는 한 번만 사용할 수 있으며 {minutes}분 동안 유효합니다."),
                "직접 요청하지 않았다면 이 메일을 무시해주세요. 비밀번호는 바뀌지 않습니다.".to_owned(),
            ],
            ..Words::plain(
                "새 비밀번호를 설정해주세요",
                hello(name),
                vec!["Verdigraph 계정의 비밀번호 재설정 요청을 받았습니다.".to_owned()],
            )
        },
        Content::PasswordChanged { name } => Words {
            notes: vec![format!("직접 변경하지 않았다면 지금 바로 비밀번호를 재설정해주세요: {site}/forgot-password")],
            ..Words::plain(
                "비밀번호가 변경되었습니다",
                hello(name),
                vec![
                    "Verdigraph 계정의 비밀번호가 방금 변경되었습니다. 다른 모든 브라우저에서는 로그아웃되었습니다."
                        .to_owned(),
                ],
            )
        },
        Content::SignUpTried { name, provider } => Words {
            button: Some(("로그인하기".to_owned(), format!("{site}/login"))),
            notes: vec![
                match provider {
                    Some(provider) => format!("이 계정은 {provider} 로그인을 사용합니다."),
                    None => format!("비밀번호를 잊었다면 여기에서 재설정해주세요: {site}/forgot-password"),
                },
                "직접 시도하지 않았다면 이 메일을 무시해주세요. 계정에는 아무 변화가 없습니다.".to_owned(),
            ],
            ..Words::plain(
                "이미 가입된 이메일 주소입니다",
                hello(name),
                vec![
                    "이 이메일 주소로 Verdigraph에 가입하려는 시도가 있었습니다. 이미 이 주소로 가입된 계정이 있어 새 \
                         계정은 만들어지지 않았습니다."
                        .to_owned(),
                ],
            )
        },
        Content::AccountDeleted { name } => Words {
            notes: vec!["그동안 함께해주셔서 감사합니다.".to_owned()],
            ..Words::plain(
                "계정이 삭제되었습니다",
                hello(name),
                vec![
                    "Verdigraph 계정이 삭제되었습니다. 비공개 이미지와 워크플로우, API 키, 남은 크레딧도 함께 \
                         삭제되었습니다. 공개했던 작품은 이름 없이 남습니다."
                        .to_owned(),
                ],
            )
        },
    }
}
