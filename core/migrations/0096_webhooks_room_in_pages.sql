-- A delivery is written anew when its attempt is counted, and again when it is finished. With room in its page, the first
-- of the two leaves all indexes as they are.
ALTER TABLE webhook_deliveries SET (fillfactor = 50);
