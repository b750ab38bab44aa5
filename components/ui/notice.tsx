import clsx from 'clsx';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = {
  readonly tone: 'warn' | 'bad';
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string;
  /** Not announced: something else does, or it changes too often to be spoken. */
  readonly silent?: boolean;
};

/** Something went wrong or needs attention. Announced when it appears. */
export function Notice({ tone, title, children, action, className, silent = false }: Props) {
  const Icon = tone === 'bad' ? CircleAlert : TriangleAlert;
  return (
    <div
      role={silent ? undefined : tone === 'bad' ? 'alert' : 'status'}
      className={clsx(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg px-4 py-3',
        tone === 'bad' ? 'bg-bad-soft' : 'bg-warn-soft',
        className,
      )}
    >
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', tone === 'bad' ? 'text-bad' : 'text-warn')} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{title}</p>
        {children ? <div className="break-words text-muted">{children}</div> : null}
      </div>
      {action}
    </div>
  );
}
