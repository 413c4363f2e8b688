-- Outputs as a community sees them: who likes them, the lists of one person, and placeholders to draw before a
-- picture has arrived.

-- A few bytes, in Base64, that draw a blurred picture. NULL for what was made before this column, and for what is
-- no picture.
ALTER TABLE output_assets ADD COLUMN blur_hash text;

CREATE TABLE output_asset_likes (
    user_id         uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    output_asset_id uuid        NOT NULL REFERENCES output_assets ON DELETE CASCADE,
    -- Sorts by the time of the like.
    id              uuid        NOT NULL,
    created_at      timestamptz NOT NULL,
    CONSTRAINT output_asset_likes_pkey PRIMARY KEY (user_id, output_asset_id)
);
-- Somebody's favourites, the latest like first.
CREATE UNIQUE INDEX output_asset_likes_of_user_idx ON output_asset_likes (user_id, id DESC);
CREATE INDEX output_asset_likes_asset_idx ON output_asset_likes (output_asset_id);

-- One index for each order of the public lists. Outputs are private when they are made, so none of these costs
-- anything on the way of a job.
CREATE INDEX output_assets_public_idx ON output_assets (id DESC) WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_likes_idx ON output_assets (like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_views_idx ON output_assets (view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_of_idx ON output_assets (user_id, id DESC) WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_likes_of_idx ON output_assets (user_id, like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_views_of_idx ON output_assets (user_id, view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
