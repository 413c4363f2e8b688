-- What a form was sent with is kept as it was written, in the form's order: binary JSON sorts keys and drops the sign of
-- -0.0. `form` and `seeds` are still written, for nodes of the release before, and read where these are missing.
ALTER TABLE jobs ADD COLUMN form_written json;
ALTER TABLE jobs ADD COLUMN seeds_written json;
