-- Comments on workflows and pictures, and answers to them.

CREATE TABLE comments (
    id              uuid        PRIMARY KEY,
    -- Who wrote it; NULL once it is deleted.
    user_id         uuid,
    -- The post: one of the two. An answer has that of its comment.
    workflow_id     uuid,
    output_asset_id uuid,
    -- The comment that this answers; NULL for a comment.
    parent_id       uuid REFERENCES comments,
    -- Its place, from 1, among the comments of the post or the answers of the comment. Pages are cut by places, so
    -- that a page costs the same however deep it is; whatever is gone leaves its place empty.
    place           bigint      NOT NULL,
    -- Sanitised HTML; empty once it is deleted.
    content         text        NOT NULL,
    -- Answers that are not deleted.
    reply_count     bigint      NOT NULL DEFAULT 0,
    like_count      bigint      NOT NULL DEFAULT 0,
    dislike_count   bigint      NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL,
    edited_at       timestamptz,
    deleted_at      timestamptz,
    CONSTRAINT comments_have_one_post CHECK (num_nonnulls(workflow_id, output_asset_id) = 1),
    CONSTRAINT comments_counts CHECK (reply_count >= 0 AND like_count >= 0 AND dislike_count >= 0)
);
CREATE UNIQUE INDEX comments_of_workflow_key ON comments (workflow_id, place)
    WHERE parent_id IS NULL AND workflow_id IS NOT NULL;
CREATE UNIQUE INDEX comments_of_picture_key ON comments (output_asset_id, place)
    WHERE parent_id IS NULL AND output_asset_id IS NOT NULL;
CREATE UNIQUE INDEX comments_of_comment_key ON comments (parent_id, place) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_of_user_idx ON comments (user_id, id DESC) WHERE user_id IS NOT NULL;

-- The last place that was given below a post or a comment, and how many comments are not deleted.
CREATE TABLE comment_places (
    -- Of a workflow, a picture or a comment.
    target_id uuid   PRIMARY KEY,
    last      bigint NOT NULL,
    living    bigint NOT NULL
);

CREATE TABLE comment_likes (
    comment_id uuid        NOT NULL REFERENCES comments ON DELETE CASCADE,
    user_id    uuid        NOT NULL,
    -- false for a dislike
    is_like    boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT comment_likes_pkey PRIMARY KEY (comment_id, user_id)
);
