//! The letter about what was not seen in the notification box, in both languages.

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::words::{Item, Words};
use crate::language::Language;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Happening {
    Commented,
    Answered,
    Liked,
    ReachedViews,
    ReachedLikes,
    ReachedLaunches,
    Notice,
    Request,
}

/// One thing that the letter tells of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct News {
    pub happening: Happening,
    /// Who did it; `None` for what happened by itself, and for people who left.
    pub actor: Option<String>,
    /// The workflow's name, or the notice's title.
    pub title: Option<String>,
    /// What was reached.
    pub count: Option<i64>,
    /// What was written, as text.
    pub quote: Option<String>,
    pub workflow: Option<Uuid>,
    pub picture: Option<Uuid>,
    pub comment: Option<Uuid>,
}

impl News {
    /// Where it is to be seen.
    fn url(&self, site: &str) -> String {
        let comment = self.comment.map_or_else(String::new, |id| format!("?comment={id}"));
        match (self.workflow, self.picture) {
            (Some(id), _) => format!("{site}/workflows/{id}{comment}"),
            (None, Some(id)) => format!("{site}/gallery/{id}{comment}"),
            (None, None) => format!("{site}/notification/history"),
        }
    }
}

/// The letter in English.
pub(super) fn english(greeting: String, total: i64, news: &[News], site: &str) -> Words {
    let item = |news: &News| {
        let who = news.actor.as_deref().unwrap_or("Deleted user");
        let what = news.title.as_deref().map_or_else(|| "your image".to_owned(), |title| format!("“{title}”"));
        let (title, count) = (news.title.as_deref().unwrap_or("Verdigraph"), news.count.unwrap_or(0));
        match news.happening {
            Happening::Commented => format!("{who} commented on {what}"),
            Happening::Answered => format!("{who} replied to your comment on {what}"),
            Happening::Liked => format!("{who} likes {what}"),
            Happening::ReachedViews => format!("{what} has reached {count} views"),
            Happening::ReachedLikes => format!("{what} has reached {count} likes"),
            Happening::ReachedLaunches => format!("{what} has reached {count} launches"),
            Happening::Notice => title.to_owned(),
            Happening::Request => format!("News about your request: {title}"),
        }
    };
    Words {
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

/// The letter in Korean.
pub(super) fn korean(greeting: String, total: i64, news: &[News], site: &str) -> Words {
    let item = |news: &News| {
        let who = news.actor.as_ref().map_or_else(|| "탈퇴한 사용자".to_owned(), |name| format!("{name}님"));
        let what = news.title.as_deref().map_or_else(|| "내 이미지".to_owned(), |title| format!("‘{title}’"));
        let (title, count) = (news.title.as_deref().unwrap_or("Verdigraph"), news.count.unwrap_or(0));
        match news.happening {
            Happening::Commented => format!("{who} 댓글: {what}"),
            Happening::Answered => format!("{who} 답글: {what}에 남긴 내 댓글"),
            Happening::Liked => format!("{who} 좋아요: {what}"),
            Happening::ReachedViews => format!("{what} 조회수 {count}회 달성"),
            Happening::ReachedLikes => format!("{what} 좋아요 {count}개 달성"),
            Happening::ReachedLaunches => format!("{what} 실행 {count}회 달성"),
            Happening::Notice => title.to_owned(),
            Happening::Request => format!("요청에 새 소식이 있습니다: {title}"),
        }
    };
    Words {
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

fn items(news: &[News], site: &str, text: impl Fn(&News) -> String) -> Vec<Item> {
    news.iter().map(|news| Item { text: text(news), quote: news.quote.clone(), url: news.url(site) }).collect()
}

/// How many things the letter does not name.
fn more(total: i64, news: &[News]) -> Option<i64> {
    let named = i64::try_from(news.len()).unwrap_or(i64::MAX);
    (total > named).then(|| total - named)
}

/// Adds the ways to fewer letters, or none. The link for people keeps its code behind a `#`; the one for mail programs
/// is opened by a request, so its code stands in the query.
pub(super) fn with_ways_out(mut words: Words, language: Language, site: &str, code: Option<&SecretString>) -> Words {
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
