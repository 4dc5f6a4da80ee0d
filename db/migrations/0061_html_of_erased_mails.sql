-- The bytes of the HTML that was erased with the mail. They still count toward the HTML of a day.
ALTER TABLE erased_recipients ADD COLUMN "htmlBytes" integer NOT NULL DEFAULT 0;
