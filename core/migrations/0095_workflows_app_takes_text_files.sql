-- Forms take text files as well. No app with such a field was saved before.
ALTER TABLE workflows DROP CONSTRAINT workflows_app_takes_check;
ALTER TABLE workflows ADD CONSTRAINT workflows_app_takes_check
    CHECK (app_takes <@ '{image, video, audio, textfile, text}');
