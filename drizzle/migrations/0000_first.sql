-- Generated from schema.ts, then edited by hand: STRICT on every table, WITHOUT ROWID where the key is not one integer.
CREATE TABLE `engine_mark` (
  `model_id` integer NOT NULL,
  `position` integer NOT NULL,
  `url` text NOT NULL,
  `process_start_s` real,
  `tokens_total` real,
  `ranks` integer NOT NULL,
  PRIMARY KEY(`model_id`, `position`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event` (
  `seq` integer PRIMARY KEY NOT NULL,
  `at_ms` integer NOT NULL,
  `model_id` integer,
  `kind` text NOT NULL,
  `detail` text NOT NULL,
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_at` ON `event` (`at_ms`);--> statement-breakpoint
CREATE INDEX `event_model_at` ON `event` (`model_id`,`at_ms`);--> statement-breakpoint
CREATE TABLE `home` (
  `model_id` integer NOT NULL,
  `key_hash` text NOT NULL,
  `source` text NOT NULL,
  `replica` integer NOT NULL,
  `last_used_ms` integer NOT NULL,
  `turns` integer NOT NULL,
  `small` integer NOT NULL,
  PRIMARY KEY(`model_id`, `key_hash`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `latency_15m` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `metric` integer NOT NULL,
  `bucket` integer NOT NULL,
  `count` integer NOT NULL,
  `sum_ms` integer NOT NULL,
  PRIMARY KEY(`model_id`, `start_s`, `metric`, `bucket`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `latency_1h` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `metric` integer NOT NULL,
  `bucket` integer NOT NULL,
  `count` integer NOT NULL,
  `sum_ms` integer NOT NULL,
  PRIMARY KEY(`model_id`, `start_s`, `metric`, `bucket`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `latency_1m` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `metric` integer NOT NULL,
  `bucket` integer NOT NULL,
  `count` integer NOT NULL,
  `sum_ms` integer NOT NULL,
  PRIMARY KEY(`model_id`, `start_s`, `metric`, `bucket`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `model` (
  `id` integer PRIMARY KEY NOT NULL,
  `name` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `model_name_unique` ON `model` (`name`);--> statement-breakpoint
CREATE TABLE `replica_sample` (
  `model_id` integer NOT NULL,
  `taken_ms` integer NOT NULL,
  `replica` integer NOT NULL,
  `in_flight` integer NOT NULL,
  `live_sessions` integer NOT NULL,
  `running` integer,
  `waiting` integer,
  `kv_milli` integer,
  `cached_tokens` integer,
  `computed_tokens` integer,
  PRIMARY KEY(`model_id`, `taken_ms`, `replica`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `request` (
  `seq` integer PRIMARY KEY NOT NULL,
  `id` text NOT NULL,
  `model_id` integer NOT NULL,
  `started_ms` integer NOT NULL,
  `finished_ms` integer NOT NULL,
  `path` text NOT NULL,
  `client` text,
  `session_hash` text,
  `session_source` text,
  `replica` integer,
  `decision` text NOT NULL,
  `reason` text NOT NULL,
  `prompt_tokens` integer,
  `cached_tokens` integer,
  `completion_tokens` integer,
  `ttfb_ms` integer,
  `status` integer NOT NULL,
  `outcome` text NOT NULL,
  `ttfb_bucket` integer,
  `duration_bucket` integer,
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "request_cached_within_prompt" CHECK("request"."cached_tokens" <= "request"."prompt_tokens")
) STRICT;
--> statement-breakpoint
CREATE INDEX `request_finished` ON `request` (`finished_ms`);--> statement-breakpoint
CREATE INDEX `request_model_finished` ON `request` (`model_id`,`finished_ms`);--> statement-breakpoint
CREATE TABLE `router` (
  `model_id` integer PRIMARY KEY NOT NULL,
  `since_ms` integer NOT NULL,
  `unrouted` integer NOT NULL,
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `sample_1h` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `replica` integer NOT NULL,
  `readings` integer NOT NULL,
  `in_flight_sum` integer NOT NULL,
  `in_flight_max` integer NOT NULL,
  `live_sessions_sum` integer NOT NULL,
  `live_sessions_max` integer NOT NULL,
  `running_count` integer NOT NULL,
  `running_sum` integer,
  `running_max` integer,
  `busy` integer NOT NULL,
  `waiting_count` integer NOT NULL,
  `waiting_sum` integer,
  `waiting_max` integer,
  `kv_count` integer NOT NULL,
  `kv_milli_sum` integer,
  `kv_milli_max` integer,
  `cached_tokens` integer,
  `computed_tokens` integer,
  PRIMARY KEY(`model_id`, `start_s`, `replica`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sample_1m` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `replica` integer NOT NULL,
  `readings` integer NOT NULL,
  `in_flight_sum` integer NOT NULL,
  `in_flight_max` integer NOT NULL,
  `live_sessions_sum` integer NOT NULL,
  `live_sessions_max` integer NOT NULL,
  `running_count` integer NOT NULL,
  `running_sum` integer,
  `running_max` integer,
  `busy` integer NOT NULL,
  `waiting_count` integer NOT NULL,
  `waiting_sum` integer,
  `waiting_max` integer,
  `kv_count` integer NOT NULL,
  `kv_milli_sum` integer,
  `kv_milli_max` integer,
  `cached_tokens` integer,
  `computed_tokens` integer,
  PRIMARY KEY(`model_id`, `start_s`, `replica`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `setting` (
  `model_id` integer PRIMARY KEY NOT NULL,
  `affinity` integer,
  `spill_threshold` integer,
  `spill_auto` integer DEFAULT false NOT NULL,
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "setting_affinity_is_boolean" CHECK("setting"."affinity" IN (0, 1)),
  CONSTRAINT "setting_one_threshold" CHECK("setting"."spill_auto" = 0 OR "setting"."spill_threshold" IS NULL)
) STRICT;
--> statement-breakpoint
CREATE TABLE `tally` (
  `model_id` integer NOT NULL,
  `replica` integer NOT NULL,
  `placed` integer NOT NULL,
  `sticky` integer NOT NULL,
  `spilled_in` integer NOT NULL,
  `failed_over_in` integer NOT NULL,
  `client_pinned` integer NOT NULL,
  `balanced` integer NOT NULL,
  PRIMARY KEY(`model_id`, `replica`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_1h` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `requests` integer NOT NULL,
  `measured` integer NOT NULL,
  `cached_tokens` integer NOT NULL,
  `computed_tokens` integer NOT NULL,
  `completion_tokens` integer NOT NULL,
  `measured_prompt_tokens` integer NOT NULL,
  PRIMARY KEY(`model_id`, `start_s`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_1m` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `requests` integer NOT NULL,
  `measured` integer NOT NULL,
  `cached_tokens` integer NOT NULL,
  `computed_tokens` integer NOT NULL,
  `completion_tokens` integer NOT NULL,
  `measured_prompt_tokens` integer NOT NULL,
  PRIMARY KEY(`model_id`, `start_s`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `written_batch` (
  `one` integer PRIMARY KEY NOT NULL,
  `batch` text NOT NULL,
  CONSTRAINT "written_batch_one_row" CHECK("written_batch"."one" = 1)
) STRICT;
