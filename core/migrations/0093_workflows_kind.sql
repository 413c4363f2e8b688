-- What an admin marked the workflow as; the other kinds follow from its mini app.
ALTER TABLE workflows ADD COLUMN marked_kind text CHECK (marked_kind IN ('figma', 'generator'));
CREATE INDEX workflows_marked_idx ON workflows (marked_kind) WHERE marked_kind IS NOT NULL AND deleted_at IS NULL;
