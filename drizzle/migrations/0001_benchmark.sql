-- Generated from schema.ts, then edited by hand: STRICT.
CREATE TABLE `benchmark` (
  `id` integer PRIMARY KEY NOT NULL,
  `model_id` integer NOT NULL,
  `started_ms` integer NOT NULL,
  `finished_ms` integer,
  `status` text NOT NULL,
  `affinity_before` integer,
  `plan` text NOT NULL,
  `report` text,
  `error` text,
  FOREIGN KEY (`model_id`) REFERENCES `model`(`id`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "benchmark_affinity_is_boolean" CHECK("benchmark"."affinity_before" IN (0, 1))
) STRICT;
