/** Loaded into the measured process with `--import`: says every 10 s how long its event loop was held up, p99. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
setInterval(() => {
  // The monitor counts the resolution itself as delay.
  console.log(`loop-delay-p99-ms ${Math.max(0, delay.percentile(99) / 1e6 - 10).toFixed(2)}`);
  delay.reset();
}, 10_000).unref();
