-- Users upload text files, too.
ALTER TABLE files DROP CONSTRAINT files_media_check;
ALTER TABLE files ADD CONSTRAINT files_media_check CHECK (media IN (
    'Png', 'Jpeg', 'Webp', 'Gif', 'Bmp', 'Mp4', 'Webm', 'Flac', 'Mp3', 'Ogg', 'Wav', 'Latent', 'Safetensors', 'M4a',
    'Text', 'Other'
));
ALTER TABLE assets DROP CONSTRAINT assets_kind_check;
ALTER TABLE assets ADD CONSTRAINT assets_kind_check CHECK (kind IN ('Image', 'Video', 'Audio', 'Text', 'File'));
