-- Videos have a length, and a size once somebody has looked at them; and people are warned before outputs expire.

ALTER TABLE output_assets
    ADD COLUMN duration_ms bigint,
    -- How often a node tried to read a video that it could not read when it was stored.
    ADD COLUMN video_tries smallint NOT NULL DEFAULT 0;
CREATE INDEX output_assets_unread_videos_idx ON output_assets (id DESC)
    WHERE kind = 'Video' AND width IS NULL AND deleted_at IS NULL AND video_tries < 3;

-- How far people have been warned: one row for the whole installation. Everything that expires before `told_until` has
-- been told; a round up to `round_until` is under way where `after_user` is set, in the order of people's ids.
CREATE TABLE expiry_warnings (
    one         boolean     PRIMARY KEY DEFAULT true CHECK (one),
    told_until  timestamptz NOT NULL,
    round_until timestamptz,
    after_user  uuid
);
INSERT INTO expiry_warnings (told_until) VALUES ('1970-01-01T00:00:00Z');
