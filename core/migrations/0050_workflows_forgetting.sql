-- What a deleted workflow was called and what it did is nobody's business any more. Its graphs go with it from now on;
-- the versions of its mini app when no job needs them any more, which this notes.
ALTER TABLE workflows ADD COLUMN forgotten_at timestamptz;
CREATE INDEX workflows_to_forget ON workflows (deleted_at) WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL;

DELETE FROM workflow_versions v USING workflows w WHERE w.id = v.workflow_id AND w.deleted_at IS NOT NULL;
UPDATE workflows SET name = '-', description = '', search = NULL, search_name = NULL WHERE deleted_at IS NOT NULL;
