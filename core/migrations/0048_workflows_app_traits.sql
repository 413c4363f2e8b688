-- What the mini app of a workflow takes and makes, as words: lists are filtered by it. NULL until it was found out: the
-- sweep does so for apps that were saved before these columns were there.
ALTER TABLE workflows ADD COLUMN app_takes text[];
ALTER TABLE workflows ADD COLUMN app_makes text[];
CREATE INDEX workflows_without_traits ON workflows (id)
    WHERE deleted_at IS NULL AND workflow_api_id IS NOT NULL AND app_makes IS NULL;

-- Names with typing errors are found by the groups of three letters that they share.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX workflows_name_trigrams ON workflows USING gin (name gin_trgm_ops)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw;
