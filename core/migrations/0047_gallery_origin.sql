-- Whether others are told what a published output was made with. It was so for all of them until now; whoever publishes
-- one decides it, and may change it at any time.
ALTER TABLE output_assets ADD COLUMN shows_origin boolean NOT NULL DEFAULT true;

-- What a published output is found by: the name of the app that made it and the texts that went in, where its owner lets
-- others be told. NULL until it was found; empty where nothing may be told.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
ALTER TABLE output_assets ADD COLUMN label text;
CREATE INDEX output_assets_label_idx ON output_assets USING gin (label gin_trgm_ops)
    WHERE deleted_at IS NULL AND NOT is_private AND label <> '';
CREATE INDEX output_assets_unlabelled_idx ON output_assets (id)
    WHERE deleted_at IS NULL AND NOT is_private AND label IS NULL;
