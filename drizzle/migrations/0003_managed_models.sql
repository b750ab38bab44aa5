-- Generated from schema.ts, then edited by hand: STRICT.
CREATE TABLE `managed_model` (
  `id` integer PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `config` text NOT NULL,
  `api_key` text,
  `created_ms` integer NOT NULL,
  `updated_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `managed_model_name_unique` ON `managed_model` (`name`);--> statement-breakpoint
CREATE TABLE `removed_model` (
  `id` integer PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `removed_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `removed_model_name_unique` ON `removed_model` (`name`);--> statement-breakpoint
ALTER TABLE `event` ADD `facts` text;
