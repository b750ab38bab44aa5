import type { Metadata } from 'next';
import { DemoControl } from '#components/models/demo-control.tsx';
import { Overview } from '#components/models/overview.tsx';

// The layout's title template does not reach the page beside it.
export const metadata: Metadata = { title: { absolute: 'Models · LM Warden' } };

export default function Page() {
  return (
    <div className="space-y-5">
      <DemoControl />
      <Overview />
    </div>
  );
}
