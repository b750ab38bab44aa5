import type { Metadata } from 'next';
import { DemoControl } from '#components/models/demo-control.tsx';
import { Overview } from '#components/models/overview.tsx';

export const metadata: Metadata = { title: 'Models' };

export default function Page() {
  return (
    <div className="space-y-5">
      <DemoControl />
      <Overview />
    </div>
  );
}
