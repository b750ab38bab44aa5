import Link from 'next/link';
import { Empty } from '#components/ui/empty.tsx';

export function NoRequests() {
  return (
    <Empty title="No request yet">
      Each finished request appears here, with where it went and why.{' '}
      <Link href="/connect" className="text-accent underline underline-offset-2">
        Connect a client
      </Link>
    </Empty>
  );
}
