-- What was sent is kept as it was written: binary JSON sorts keys and has no room for some numbers and texts.
-- `job_prompts.prompt` and `jobs.extra_data` are read where the text is missing, and are not written for long.
ALTER TABLE job_prompts ADD COLUMN text text;
ALTER TABLE jobs ADD COLUMN extra_text text;

-- Outputs that are left out because they cannot be made, in ComfyUI's shape; and who wants all outputs or none.
ALTER TABLE jobs ADD COLUMN node_errors jsonb;
ALTER TABLE jobs ADD COLUMN strict boolean NOT NULL DEFAULT false;
