-- Generated from schema.ts, then edited by hand: STRICT, WITHOUT ROWID.
CREATE TABLE `ended_session` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`ended_ms` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `removed_person` (
	`name_key` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`removed_ms` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `console_session` ADD `password_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `person` ADD `generation` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `person` ADD `role_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `person` ADD `password_version` integer DEFAULT 1 NOT NULL;