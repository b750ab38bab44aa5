CREATE INDEX `request_ttfb` ON `request` (`ttfb_ms`);--> statement-breakpoint
CREATE INDEX `request_duration` ON `request` (finished_ms - started_ms);