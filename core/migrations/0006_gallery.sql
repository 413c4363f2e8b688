-- Pictures, videos and sounds that jobs made, and inputs that people keep for the next run.

CREATE TABLE output_assets (
    id         uuid PRIMARY KEY,
    -- No foreign keys: rows are inserted in the transaction that settles a job, on the hot path.
    user_id    uuid NOT NULL,
    job_id     uuid NOT NULL,
    node_id    text NOT NULL,
    -- Place among the job's outputs, from 0.
    position   integer NOT NULL,
    content    text NOT NULL,
    media      text NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('Image', 'Video', 'Audio', 'File')),
    size_bytes bigint NOT NULL,
    width      integer,
    height     integer,
    is_private boolean NOT NULL DEFAULT true,
    is_nsfw    boolean NOT NULL DEFAULT false,
    like_count bigint NOT NULL DEFAULT 0 CHECK (like_count >= 0),
    view_count bigint NOT NULL DEFAULT 0 CHECK (view_count >= 0),
    -- How long the job ran, in milliseconds.
    ran_ms     bigint NOT NULL,
    created_at timestamptz NOT NULL,
    -- Private outputs end here; a published one stays for as long as it is public.
    expires_at timestamptz NOT NULL,
    deleted_at timestamptz,
    CONSTRAINT output_assets_place_key UNIQUE (job_id, position)
);
CREATE INDEX output_assets_mine_idx ON output_assets (user_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX output_assets_published_idx ON output_assets (id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw;
CREATE INDEX output_assets_content_idx ON output_assets (content);
CREATE INDEX output_assets_expires_at_idx ON output_assets (expires_at) WHERE deleted_at IS NULL AND is_private;

CREATE TABLE input_assets (
    id         uuid PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    asset_id   uuid NOT NULL REFERENCES assets ON DELETE CASCADE,
    is_private boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    CONSTRAINT input_assets_asset_key UNIQUE (user_id, asset_id)
);
