-- Generated from schema.ts, then edited by hand: STRICT, WITHOUT ROWID, and the requests that are already there.
CREATE TABLE `ending_1h` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `decision` text NOT NULL,
  `outcome` text NOT NULL,
  `status` integer NOT NULL,
  `requests` integer NOT NULL,
  PRIMARY KEY(`model_id`, `start_s`, `decision`, `outcome`, `status`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ending_1m` (
  `model_id` integer NOT NULL,
  `start_s` integer NOT NULL,
  `decision` text NOT NULL,
  `outcome` text NOT NULL,
  `status` integer NOT NULL,
  `requests` integer NOT NULL,
  PRIMARY KEY(`model_id`, `start_s`, `decision`, `outcome`, `status`),
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `ending_1h` (`model_id`, `start_s`, `decision`, `outcome`, `status`, `requests`)
SELECT `model_id`, (`finished_ms` / 3600000) * 3600, `decision`, `outcome`, `status`, COUNT(*) FROM `request`
GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
INSERT INTO `ending_1m` (`model_id`, `start_s`, `decision`, `outcome`, `status`, `requests`)
SELECT `model_id`, (`finished_ms` / 60000) * 60, `decision`, `outcome`, `status`, COUNT(*) FROM `request`
GROUP BY 1, 2, 3, 4, 5;
