import Link from 'next/link';
import { Empty } from '#components/ui/empty.tsx';

export function NoSessions() {
  return (
    <Empty title="No live sessions">
      A conversation appears here with its first routed turn.{' '}
      <Link href="/connect" className="text-accent underline underline-offset-2">
        Connect a client
      </Link>
    </Empty>
  );
}
