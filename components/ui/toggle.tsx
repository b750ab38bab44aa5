import clsx from 'clsx';
import { Switch } from 'radix-ui';
import { useId } from 'react';

type Props = {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly busy?: boolean;
  readonly describedBy?: string | undefined;
};

/** A labelled switch. */
export function Toggle({ label, checked, onChange, busy = false, describedBy }: Props) {
  const id = useId();
  return (
    <span className="inline-flex min-h-8 items-center gap-2.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Switch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        aria-busy={busy}
        aria-describedby={describedBy}
        className={clsx(
          'relative h-6 w-10 shrink-0 rounded-full border border-transparent transition-colors',
          'bg-control disabled:cursor-not-allowed data-[state=checked]:bg-accent',
        )}
      >
        <Switch.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-canvas transition-transform data-[state=checked]:translate-x-4.5" />
      </Switch.Root>
    </span>
  );
}
