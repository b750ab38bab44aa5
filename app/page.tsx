import { AddModelDialog } from '#components/models/add-model.tsx';
import { DemoControl } from '#components/models/demo-control.tsx';
import { Overview } from '#components/models/overview.tsx';

export default function Page() {
  return (
    <div className="space-y-5">
      <DemoControl />
      <Overview />
      <AddModelDialog />
    </div>
  );
}
