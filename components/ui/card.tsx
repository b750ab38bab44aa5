import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

type Props = {
  readonly title: string;
  /** Beside the title: a count, a qualifier. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Tables reach the border; everything else gets the card's padding. */
  readonly flush?: boolean;
};

/** A bordered section with a heading; a landmark region named by its title. */
export function Card({ title, note, actions, children, className, flush = false }: Props) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={clsx('min-w-0 rounded-lg border border-line bg-raised', className)}>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b px-4 py-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h2 id={heading} className="font-semibold">
            {title}
          </h2>
          {note ? <div className="text-muted">{note}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      <div className={flush ? undefined : 'p-4'}>{children}</div>
    </section>
  );
}
