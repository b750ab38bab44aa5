import { Suspense } from 'react';
import { BenchmarkPage } from '#components/benchmark/benchmark-page.tsx';

/** Which runs are shown is in the address, which the static shell does not know: they render in the browser. */
export default function Page() {
  return (
    <Suspense>
      <BenchmarkPage />
    </Suspense>
  );
}
