import type { ConfigPlace } from '#lib/config/config-lines.ts';
import type { AlertList } from '#lib/contract/alerts.ts';
import type { BenchmarkRequest, BenchmarkRun, BenchmarkSummary } from '#lib/contract/benchmark.ts';
import type { Access } from '#server/access/access.ts';
import type { FleetFigureSource } from '#server/figures/fleet-figures.ts';
import type { Fleet } from '#server/fleet/fleet.ts';
import type { ManagedModels } from '#server/models/managed-models.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { ModelRegistry } from '#server/router/registry.ts';
import type { EnvironmentVariable } from '#server/settings.ts';
import type { Store } from '#server/store/store.ts';

/** Synthetic agent sessions against the embedded fleet; absent where the models are real engines. */
export type Demo = {
  sessions(): number;
  /** Brings the number of running sessions to `count`; those too many leave at once, in the middle of a turn if need be. */
  setSessions(count: number): void;
};

/** What became of a wish to start a benchmark; `detail` is a sentence for a person. */
export type StartedBenchmark =
  | { readonly kind: 'started'; readonly run: BenchmarkRun }
  | { readonly kind: 'busy' | 'traffic' | 'too_long'; readonly detail: string };

/** The benchmark that runs, and those kept from before. */
export type Benchmarks = {
  start(model: ModelRuntime, request: BenchmarkRequest): Promise<StartedBenchmark>;
  /** Newest first. */
  list(): Promise<BenchmarkSummary[]>;
  one(id: number): Promise<BenchmarkRun | null>;
  /** Cancels the one that runs, removes any other; gives what it became or was, null where there is none. */
  remove(id: number): Promise<BenchmarkRun | null>;
};

/** What is wrong now, and what was. */
export type Alerts = { list(): AlertList };

/** What the process was started with, for those who read it. */
export type RunningSettings = {
  readonly dataDir: string;
  readonly databaseFile: string;
  readonly environment: readonly EnvironmentVariable[];
  /** The configuration file in force: which keys stand where, and its models in order. Null where there is none. */
  file(): {
    readonly path: string;
    readonly places: ReadonlyMap<string, ConfigPlace>;
    readonly models: readonly string[];
  } | null;
  /** All that is configured but the models, as it stands in a file, defaults filled in. */
  configuration(): Readonly<Record<string, unknown>>;
};

/** What the console's API answers from. */
export type ApiContext = {
  readonly version: string;
  readonly startedAt: number;
  readonly registry: ModelRegistry;
  readonly managed: ManagedModels;
  /** Brings the simulated fleet back where it was removed; null where there is none to bring back. */
  readonly restoreSimulated: (() => Promise<void>) | null;
  readonly store: Store;
  readonly settings: RunningSettings;
  readonly demo: Demo | null;
  readonly benchmarks: Benchmarks;
  readonly alerts: Alerts;
  /** This API in OpenAPI. */
  readonly openApi: () => object;
  /** The wardens that share one memory; null where this is the only one. */
  readonly wardens: Fleet | null;
  /** What each of them took; null where this is the only one. */
  readonly figures: FleetFigureSource | null;
  readonly access: Access;
  /** Things a person should know that no model's state says (an upstream that has not answered yet). */
  readonly warnings: () => readonly { readonly code: string; readonly message: string }[];
  readonly now: () => number;
};
