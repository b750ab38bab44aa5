-- Generated from schema.ts, then edited by hand: STRICT, WITHOUT ROWID.
CREATE TABLE `retention_setting` (
  `name` text PRIMARY KEY NOT NULL,
  `value` integer NOT NULL
) STRICT, WITHOUT ROWID;
