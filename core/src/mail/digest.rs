//! The mail about unseen notifications, in both languages.

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::text::{ListItem, MailText};
use crate::language::Language;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DigestEvent {
    Commented,
    Answered,
    Liked,
    ReachedViews,
    ReachedLikes,
    ReachedLaunches,
    Notice,
    Request,
}

/// A notification in the mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DigestItem {
    pub happening: DigestEvent,
    /// The user who caused it; `None` for system events and deleted users.
    pub actor: Option<String>,
    /// The workflow's name or the notice's title.
    pub title: Option<String>,
    /// The milestone.
    pub count: Option<i64>,
    /// The beginning of the comment or notice, as text.
    pub quote: Option<String>,
    pub workflow: Option<Uuid>,
    pub picture: Option<Uuid>,
    pub comment: Option<Uuid>,
}

impl DigestItem {
    /// The page that shows it.
    fn url(&self, site: &str) -> String {
        let comment = self.comment.map_or_else(String::new, |id| format!("?comment={id}"));
        match (self.workflow, self.picture) {
            (Some(id), _) => format!("{site}/workflows/{id}{comment}"),
            (None, Some(id)) => format!("{site}/gallery/{id}{comment}"),
            (None, None) => format!("{site}/notification/history"),
        }
    }
}

pub(super) fn english(greeting: String, total: i64, news: &[DigestItem], site: &str) -> MailText {
    let item = |news: &DigestItem| {
        let who = news.actor.as_deref().unwrap_or("Deleted user");
        let what = news.title.as_deref().map_or_else(|| "your image".to_owned(), |title| format!("“{title}”"));
        let (title, count) = (news.title.as_deref().unwrap_or("Verdigraph"), news.count.unwrap_or(0));
        match news.happening {
            DigestEvent::Commented => format!("{who} commented on {what}"),
            DigestEvent::Answered => format!("{who} replied to your comment on {what}"),
            DigestEvent::Liked => format!("{who} likes {what}"),
            DigestEvent::ReachedViews => format!("{what} has reached {count} views"),
            DigestEvent::ReachedLikes => format!("{what} has reached {count} likes"),
            DigestEvent::ReachedLaunches => format!("{what} has reached {count} launches"),
            DigestEvent::Notice => title.to_owned(),
            DigestEvent::Request => format!("DigestItem about your request: {title}"),
        }
    };
    MailText {
        subject: match total {
            1 => "1 new notification".to_owned(),
            _ => format!("{total} new notifications"),
        },
        greeting,
        lines: vec!["This is what you have not seen yet on Verdigraph.".to_owned()],
        code: None,
        items: items(news, site, item),
        button: Some(("See all notifications".to_owned(), format!("{site}/notification/history"))),
        notes: more(total, news).map_or_else(Vec::new, |more| vec![format!("And {more} more.")]),
        links: Vec::new(),
        unsubscribe: None,
    }
}

pub(super) fn korean(greeting: String, total: i64, news: &[DigestItem], site: &str) -> MailText {
    let item = |news: &DigestItem| {
        let who = news.actor.as_ref().map_or_else(|| "탈퇴한 사용자".to_owned(), |name| format!("{name}님"));
        let what = news.title.as_deref().map_or_else(|| "내 이미지".to_owned(), |title| format!("‘{title}’"));
        let (title, count) = (news.title.as_deref().unwrap_or("Verdigraph"), news.count.unwrap_or(0));
        match news.happening {
            DigestEvent::Commented => format!("{who} 댓글: {what}"),
            DigestEvent::Answered => format!("{who} 답글: {what}에 남긴 내 댓글"),
            DigestEvent::Liked => format!("{who} 좋아요: {what}"),
            DigestEvent::ReachedViews => format!("{what} 조회수 {count}회 달성"),
            DigestEvent::ReachedLikes => format!("{what} 좋아요 {count}개 달성"),
            DigestEvent::ReachedLaunches => format!("{what} 실행 {count}회 달성"),
            DigestEvent::Notice => title.to_owned(),
            DigestEvent::Request => format!("요청에 새 소식이 있습니다: {title}"),
        }
    };
    MailText {
        subject: format!("새 알림 {total}개가 있습니다"),
        greeting,
        lines: vec!["Verdigraph에서 아직 확인하지 않은 소식입니다.".to_owned()],
        code: None,
        items: items(news, site, item),
        button: Some(("알림 모두 보기".to_owned(), format!("{site}/notification/history"))),
        notes: more(total, news).map_or_else(Vec::new, |more| vec![format!("이 외에 {more}개가 더 있습니다.")]),
        links: Vec::new(),
        unsubscribe: None,
    }
}

fn items(news: &[DigestItem], site: &str, text: impl Fn(&DigestItem) -> String) -> Vec<ListItem> {
    news.iter().map(|news| ListItem { text: text(news), quote: news.quote.clone(), url: news.url(site) }).collect()
}

/// The number of notifications beyond those listed.
fn more(total: i64, news: &[DigestItem]) -> Option<i64> {
    let named = i64::try_from(news.len()).unwrap_or(i64::MAX);
    (total > named).then(|| total - named)
}

/// Adds links to the settings and to unsubscribe. The link for people has its code after `#`; mail programs send a
/// request, so theirs has it in the query.
pub(super) fn with_unsubscribe_links(
    mut words: MailText,
    language: Language,
    site: &str,
    code: Option<&SecretString>,
) -> MailText {
    let code = code.map_or("", |code| code.expose_secret());
    let (settings, unsubscribe) = match language {
        Language::En => ("Choose what you are mailed about", "Unsubscribe"),
        Language::Ko => ("알림 메일 설정", "수신 거부"),
    };
    words.links = vec![
        (settings.to_owned(), format!("{site}/account#notifications")),
        (unsubscribe.to_owned(), format!("{site}/unsubscribe#code={code}")),
    ];
    words.unsubscribe = Some(format!("{site}/api/public/unsubscribe/one-click?code={code}"));
    words
}
