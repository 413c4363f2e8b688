-- Comments have one spelling for what looks the same (NFC), so that they are found however a word is typed. The stroke U+0338
-- would become one sign with the brackets of markup.
UPDATE comments SET content = normalize(content, NFC)
WHERE content IS NOT NFC NORMALIZED AND position(U&'\0338' IN content) = 0;
