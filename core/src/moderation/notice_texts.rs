//! Texts of notifications about decisions, in both languages.

use chrono::{DateTime, Utc};

use super::{ReportTargetKind, Verdict};
use crate::language::Language;
use crate::notifications::{BilingualText, NewNotification, NotificationSubject};
use crate::users::Ban;

/// A notification about a decision.
#[derive(Debug, Clone)]
pub(super) enum ModerationNotice {
    /// For the author: the target's kind, the verdict, and the target's title.
    Verdict(ReportTargetKind, Verdict, String),
    Warning(String),
    Ban(Ban),
    Unban,
    /// For reporters.
    Answer(ReportTargetKind, Verdict),
}

impl ModerationNotice {
    pub(super) fn notification(&self, about: Option<NotificationSubject>) -> NewNotification {
        let text = BilingualText::new(|language| match language {
            Language::En => self.english(),
            Language::Ko => self.korean(),
        });
        NewNotification::OperatorNotice { text, about }
    }

    fn english(&self) -> (String, String) {
        match self {
            Self::Verdict(kind, verdict, title) => {
                let thing = match kind {
                    ReportTargetKind::Workflow => format!("Your workflow “{title}”"),
                    ReportTargetKind::OutputAsset | ReportTargetKind::Asset => "Your picture".to_owned(),
                    ReportTargetKind::Comment => "Your comment".to_owned(),
                };
                match (verdict, kind) {
                    (Verdict::Hide, ReportTargetKind::Comment) => (
                        "Your comment was hidden".to_owned(),
                        format!("{thing} breaks our rules and is hidden from others."),
                    ),
                    (Verdict::Hide, _) => (
                        "Your post was hidden".to_owned(),
                        format!("{thing} breaks our rules. It is private now and cannot be published again."),
                    ),
                    (Verdict::Delete, _) => (
                        "Your post was deleted".to_owned(),
                        format!("{thing} breaks our rules and was deleted by a moderator."),
                    ),
                    (Verdict::Restore, ReportTargetKind::Comment) => {
                        ("Your comment is visible again".to_owned(), format!("{thing} is visible to everyone again."))
                    }
                    (Verdict::Restore | Verdict::Keep, _) => (
                        "Your post is no longer held back".to_owned(),
                        format!("{thing} can be published again. It stays private until you do."),
                    ),
                }
            }
            Self::Warning(text) => ("A warning from the moderators".to_owned(), text.clone()),
            Self::Ban(ban) => {
                let until = ban.until.map_or_else(|| "for good".to_owned(), |until| format!("until {}", time(until)));
                (
                    "Your account is banned".to_owned(),
                    format!("You cannot publish, comment, like or run anything {until}.\n{}", ban.reason),
                )
            }
            Self::Unban => ("Your ban was lifted".to_owned(), "You can take part again.".to_owned()),
            Self::Answer(kind, verdict) => {
                let thing = match kind {
                    ReportTargetKind::Workflow => "workflow",
                    ReportTargetKind::OutputAsset | ReportTargetKind::Asset => "picture",
                    ReportTargetKind::Comment => "comment",
                };
                let outcome = match verdict {
                    Verdict::Keep | Verdict::Restore => "It does not break our rules, and stays.",
                    Verdict::Hide => "It is hidden now.",
                    Verdict::Delete => "It was deleted.",
                };
                ("We have looked at your report".to_owned(), format!("Thank you for reporting a {thing}. {outcome}"))
            }
        }
    }

    fn korean(&self) -> (String, String) {
        match self {
            Self::Verdict(kind, verdict, title) => {
                let thing = match kind {
                    ReportTargetKind::Workflow => format!("워크플로우 ‘{title}’ 게시물이"),
                    ReportTargetKind::OutputAsset | ReportTargetKind::Asset => "회원님의 이미지가".to_owned(),
                    ReportTargetKind::Comment => "회원님의 댓글이".to_owned(),
                };
                match (verdict, kind) {
                    (Verdict::Hide, ReportTargetKind::Comment) => (
                        "댓글이 숨김 처리되었습니다".to_owned(),
                        format!("{thing} 운영 정책을 위반하여 다른 사람에게 보이지 않습니다."),
                    ),
                    (Verdict::Hide, _) => (
                        "게시물이 숨김 처리되었습니다".to_owned(),
                        format!("{thing} 운영 정책을 위반하여 비공개로 전환되었으며 다시 공개할 수 없습니다."),
                    ),
                    (Verdict::Delete, _) => (
                        "게시물이 삭제되었습니다".to_owned(),
                        format!("{thing} 운영 정책을 위반하여 운영자가 삭제했습니다."),
                    ),
                    (Verdict::Restore, ReportTargetKind::Comment) => {
                        ("댓글이 다시 표시됩니다".to_owned(), format!("{thing} 다시 모두에게 표시됩니다."))
                    }
                    (Verdict::Restore | Verdict::Keep, _) => (
                        "게시물 제한이 해제되었습니다".to_owned(),
                        format!(
                            "{thing} 제한에서 해제되어 다시 공개할 수 있습니다. 공개하기 전까지는 비공개로 유지됩니다."
                        ),
                    ),
                }
            }
            Self::Warning(text) => ("운영자의 경고".to_owned(), text.clone()),
            Self::Ban(ban) => {
                let until = ban.until.map_or_else(|| "무기한으로".to_owned(), |until| format!("{}까지", time(until)));
                (
                    "계정 이용이 제한되었습니다".to_owned(),
                    format!("{until} 공개, 댓글, 좋아요, 실행을 할 수 없습니다.\n{}", ban.reason),
                )
            }
            Self::Unban => ("이용 제한이 해제되었습니다".to_owned(), "다시 활동하실 수 있습니다.".to_owned()),
            Self::Answer(kind, verdict) => {
                let thing = match kind {
                    ReportTargetKind::Workflow => "워크플로우를",
                    ReportTargetKind::OutputAsset | ReportTargetKind::Asset => "이미지를",
                    ReportTargetKind::Comment => "댓글을",
                };
                let outcome = match verdict {
                    Verdict::Keep | Verdict::Restore => "검토 결과 운영 정책을 위반하지 않아 유지됩니다.",
                    Verdict::Hide => "검토 결과 숨김 처리되었습니다.",
                    Verdict::Delete => "검토 결과 삭제되었습니다.",
                };
                ("신고를 검토했습니다".to_owned(), format!("{thing} 신고해 주셔서 감사합니다. {outcome}"))
            }
        }
    }
}

fn time(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}
