import { Notice } from '#components/ui/notice.tsx';

type Props = { readonly requests: number; readonly className?: string };

/** That requests wait for an engine that is away, and how that ends; nothing where none does. */
export function WaitingForEngine({ requests, className = '' }: Props) {
  if (requests === 0) return null;
  const who = requests === 1 ? '1 request is' : `${requests} requests are`;
  return (
    <Notice tone="warn" title={`${who} waiting for the engine to come back`} className={className}>
      They go on by themselves when it does. What has waited for{' '}
      <code className="font-mono text-xs">limits.engine_away_seconds</code> is answered with 503.
    </Notice>
  );
}
