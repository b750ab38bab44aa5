import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { beginRequestSpan } from './request-span.ts';

/** Traces of requests, sent on as OTLP. */
export type Tracing = {
  begin(req: IncomingMessage, path: string): ReturnType<typeof beginRequestSpan>;
  /** Sends what waits and ends. */
  close(): Promise<void>;
};

type Environment = Readonly<Record<string, string | undefined>>;

const SERVICE = 'lm-warden';
/** A collector that is away must not hold up the end of the process. */
const CLOSE_WITHIN_MS = 3_000;

/** Whether the standard variables ask for traces: an endpoint is set, and nothing switches them off. */
export function wantsTraces(env: Environment): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const exporter = env.OTEL_TRACES_EXPORTER ?? 'otlp';
  return endpoint !== '' && env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' && exporter !== 'none';
}

/**
 * Null where no traces are wanted; nothing of OpenTelemetry is loaded then. The rest of its variables (headers, sampler,
 * resource attributes, batch sizes) are read by its own SDK, from the environment of the process.
 */
export async function startTracing(env: Environment, version: string, log: Logger): Promise<Tracing | null> {
  if (!wantsTraces(env)) return null;
  const [sdk, { OTLPTraceExporter }, resources, { beginRequestSpan: begin }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('./request-span.ts'),
  ]);
  const own = resources.resourceFromAttributes({
    'service.name': env.OTEL_SERVICE_NAME ?? SERVICE,
    'service.version': version,
  });
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.BasicTracerProvider({
    resource: own.merge(detected),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer(SERVICE, version);
  log.info('requests are traced, and the traces sent on by OTLP');
  return {
    begin: (req, path) => begin(tracer, req, path),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref());
      const sent = provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'traces were not sent'));
      await Promise.race([sent, late]);
    },
  };
}
