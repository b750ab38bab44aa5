ALTER TABLE `request` ADD `why` text;--> statement-breakpoint
ALTER TABLE `request` ADD `miss` text;--> statement-breakpoint
CREATE INDEX `request_session` ON `request` (`session_hash`,`finished_ms`);--> statement-breakpoint
CREATE INDEX `request_decision` ON `request` (`decision`,`finished_ms`);--> statement-breakpoint
CREATE INDEX `request_client` ON `request` (`client`,`finished_ms`);--> statement-breakpoint
CREATE INDEX `request_unwell` ON `request` (`finished_ms`) WHERE status >= 400 OR outcome <> 'ok';