-- Reports, the cases that they are gathered in, and what moderators decided.

CREATE TABLE moderation_cases (
    id           uuid        PRIMARY KEY,
    -- 1 workflow, 2 output, 3 comment
    kind         smallint    NOT NULL,
    target_id    uuid        NOT NULL,
    author_id    uuid        NOT NULL,
    -- 1 open, 2 kept, 3 hidden, 4 deleted
    state        smallint    NOT NULL,
    -- Counts every change of the case: whoever decides says which one they looked at.
    revision     integer     NOT NULL,
    -- Reports that were not answered yet, and all there ever were.
    open_reports bigint      NOT NULL,
    all_reports  bigint      NOT NULL,
    -- What the last report was about, as it was then.
    title        text        NOT NULL,
    content      text        NOT NULL,
    -- A workflow's cover, or the output.
    picture_id   uuid,
    created_at   timestamptz NOT NULL,
    reported_at  timestamptz NOT NULL,
    decided_at   timestamptz,
    decided_by   uuid,
    CONSTRAINT moderation_cases_thing_key UNIQUE (kind, target_id),
    CONSTRAINT moderation_cases_kind_is_known CHECK (kind BETWEEN 1 AND 3),
    CONSTRAINT moderation_cases_state_is_known CHECK (state BETWEEN 1 AND 4),
    CONSTRAINT moderation_cases_counts CHECK (open_reports >= 0 AND all_reports >= open_reports)
);
CREATE INDEX moderation_cases_by_date ON moderation_cases (state, reported_at DESC, id DESC);
CREATE INDEX moderation_cases_by_reports ON moderation_cases (state, all_reports DESC, id DESC);
CREATE INDEX moderation_cases_all_by_date ON moderation_cases (reported_at DESC, id DESC);
CREATE INDEX moderation_cases_all_by_reports ON moderation_cases (all_reports DESC, id DESC);
CREATE INDEX moderation_cases_of_author ON moderation_cases (author_id, id DESC);

CREATE TABLE moderation_reports (
    id          uuid        PRIMARY KEY,
    case_id     uuid        NOT NULL REFERENCES moderation_cases,
    reporter_id uuid        NOT NULL,
    -- 1 spam, 2 sexual, 3 violence, 4 hate, 5 copyright, 6 personal, 7 other
    reason      smallint    NOT NULL,
    text        text        NOT NULL,
    -- What it was about, as it was then: an edit later hides nothing.
    seen_title   text       NOT NULL,
    seen_content text       NOT NULL,
    seen_picture_id uuid,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    -- When it was answered.
    closed_at   timestamptz,
    CONSTRAINT moderation_reports_reason_is_known CHECK (reason BETWEEN 1 AND 7)
);
-- One open report for each person and thing.
CREATE UNIQUE INDEX moderation_reports_open_key ON moderation_reports (case_id, reporter_id) WHERE closed_at IS NULL;
CREATE INDEX moderation_reports_of_case ON moderation_reports (case_id, id DESC);

-- What was decided about a thing or a person: the person's history.
CREATE TABLE moderation_decisions (
    id         uuid        PRIMARY KEY,
    -- NULL for what was decided about the person alone.
    case_id    uuid REFERENCES moderation_cases,
    user_id    uuid        NOT NULL,
    admin_id   uuid        NOT NULL,
    -- 1 keep, 2 hide, 3 delete, 4 restore, 5 warn, 6 ban, 7 unban
    kind       smallint    NOT NULL,
    -- What the person was told.
    text       text        NOT NULL,
    -- The end of a ban; NULL there is for good.
    until      timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT moderation_decisions_kind_is_known CHECK (kind BETWEEN 1 AND 7)
);
CREATE INDEX moderation_decisions_of_user ON moderation_decisions (user_id, id DESC);
CREATE INDEX moderation_decisions_of_case ON moderation_decisions (case_id, id DESC) WHERE case_id IS NOT NULL;

-- Since when only admins may publish it, and since when a placeholder stands in its place.
ALTER TABLE workflows ADD COLUMN locked_at timestamptz;
ALTER TABLE output_assets ADD COLUMN locked_at timestamptz;
ALTER TABLE comments ADD COLUMN hidden_at timestamptz;
