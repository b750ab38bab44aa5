ALTER TABLE `benchmark` ADD `cache_fit_before` integer;--> statement-breakpoint
ALTER TABLE `request` ADD `queued_ms` integer;--> statement-breakpoint
ALTER TABLE `request` ADD `displaced` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `setting` ADD `cache_fit` integer;--> statement-breakpoint
ALTER TABLE `setting` ADD `yield_after_ms` integer;--> statement-breakpoint
ALTER TABLE `setting` ADD `yield_auto` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1h` ADD `held` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1h` ADD `held_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1h` ADD `held_most_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1h` ADD `displaced` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1m` ADD `held` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1m` ADD `held_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1m` ADD `held_most_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_1m` ADD `displaced` integer DEFAULT 0 NOT NULL;