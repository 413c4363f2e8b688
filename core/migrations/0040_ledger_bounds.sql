-- What the domain grants at most, held to by the database too. Grants of before stay as they are.
ALTER TABLE credit_grants ADD CONSTRAINT credit_grants_amount_bounded CHECK (amount <= 1000000000000) NOT VALID;
