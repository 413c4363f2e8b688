-- What a workflow is called and says in other languages than the one it was written in, by language:
-- {"ko": {"name": "…", "description": "<p>…</p>"}}. Descriptions are sanitised HTML.
ALTER TABLE workflows ADD COLUMN translations jsonb NOT NULL DEFAULT '{}'
    CONSTRAINT workflows_translations_object CHECK (jsonb_typeof(translations) = 'object');
