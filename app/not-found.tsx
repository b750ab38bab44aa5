import type { Metadata } from 'next';
import Link from 'next/link';
import { Empty } from '#components/ui/empty.tsx';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <Empty title="There is no such page">
      <Link href="/" className="text-accent underline underline-offset-2">
        Go to the models
      </Link>
    </Empty>
  );
}
