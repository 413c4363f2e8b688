-- What people are told: a box for each person.

CREATE TABLE notifications (
    id              uuid        PRIMARY KEY,
    -- Whose box it is in.
    user_id         uuid        NOT NULL,
    -- 1 comment, 2 like, 3 notice, 4 requests, 5 others
    kind            smallint    NOT NULL,
    -- Its place in the box, from 1: among all, and among those of its kind. Pages are cut by places, so that a page
    -- costs the same however deep it is.
    place           bigint      NOT NULL,
    kind_place      bigint      NOT NULL,
    -- Who did it; NULL for what happened by itself.
    actor_id        uuid,
    workflow_id     uuid,
    output_asset_id uuid,
    comment_id      uuid,
    -- The name of the workflow as it was then.
    title           text,
    -- What was reached.
    count           bigint,
    -- An answer to somebody's own comment.
    recomment       boolean     NOT NULL DEFAULT false,
    -- What was written, as text.
    content         text,
    -- 1 views, 2 likes, 3 launches
    others          smallint,
    notice_id       uuid,
    -- What is told once only.
    once            text,
    created_at      timestamptz NOT NULL,
    checked_at      timestamptz,
    mailed_at       timestamptz,
    CONSTRAINT notifications_kind_is_known CHECK (kind BETWEEN 1 AND 5),
    CONSTRAINT notifications_once_key UNIQUE (user_id, once)
);
CREATE UNIQUE INDEX notifications_place_key ON notifications (user_id, place);
CREATE UNIQUE INDEX notifications_kind_place_key ON notifications (user_id, kind, kind_place);
CREATE INDEX notifications_unread_idx ON notifications (user_id, kind) WHERE checked_at IS NULL;

-- How many there are in a box: of all kinds (kind 0), and of each.
CREATE TABLE notification_boxes (
    user_id uuid     NOT NULL,
    kind    smallint NOT NULL,
    total   bigint   NOT NULL,
    CONSTRAINT notification_boxes_pkey PRIMARY KEY (user_id, kind)
);

-- What the operators tell everybody. Put into a box when its owner next looks.
CREATE TABLE notices (
    id         uuid        PRIMARY KEY,
    title_en   text        NOT NULL,
    title_ko   text        NOT NULL,
    -- Sanitised HTML.
    content_en text        NOT NULL,
    content_ko text        NOT NULL,
    created_by uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz
);

-- What somebody wants to be mailed about, and up to which notice their box has them.
CREATE TABLE notification_settings (
    user_id       uuid       PRIMARY KEY,
    -- Kinds, as in notifications.
    mailed_kinds  smallint[] NOT NULL DEFAULT '{}',
    notices_until uuid
);
