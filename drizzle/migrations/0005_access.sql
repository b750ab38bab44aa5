-- Generated from schema.ts, then edited by hand: STRICT on every table, WITHOUT ROWID where the key is not one integer.
CREATE TABLE `api_key` (
  `id` integer PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `prefix` text NOT NULL,
  `key_hash` text NOT NULL,
  `created_ms` integer NOT NULL,
  `created_by` text NOT NULL,
  `expires_ms` integer,
  `revoked_ms` integer,
  `models` text,
  `requests_per_minute` integer,
  `concurrent_requests` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_key_hash_unique` ON `api_key` (`key_hash`);--> statement-breakpoint
CREATE TABLE `audit` (
  `seq` integer PRIMARY KEY NOT NULL,
  `at_ms` integer NOT NULL,
  `actor` text NOT NULL,
  `role` text NOT NULL,
  `address` text,
  `action` text NOT NULL,
  `subject` text,
  `before` text,
  `after` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at_ms`);--> statement-breakpoint
CREATE TABLE `console_session` (
  `token_hash` text PRIMARY KEY NOT NULL,
  `person_id` integer NOT NULL,
  `created_ms` integer NOT NULL,
  `last_used_ms` integer NOT NULL,
  FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `key_usage_1h` (
  `api_key_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `requests` integer NOT NULL,
  `measured` integer NOT NULL,
  `cached_tokens` integer NOT NULL,
  `computed_tokens` integer NOT NULL,
  `completion_tokens` integer NOT NULL,
  `last_used_ms` integer NOT NULL,
  PRIMARY KEY(`api_key_id`, `start_s`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `person` (
  `id` integer PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `role` text NOT NULL,
  `password_hash` text NOT NULL,
  `created_ms` integer NOT NULL,
  `password_changed_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `person_name_unique` ON `person` (`name`);--> statement-breakpoint
ALTER TABLE `request` ADD `api_key_id` integer;--> statement-breakpoint
CREATE INDEX `request_api_key` ON `request` (`api_key_id`,`finished_ms`) WHERE api_key_id IS NOT NULL;
