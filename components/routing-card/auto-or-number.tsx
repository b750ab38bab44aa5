import { type ReactNode, useId } from 'react';

/** What stands in the form: a choice, and the text of the field, kept while auto is chosen. */
export type Draft = { readonly mode: 'auto' | 'fixed'; readonly text: string };

type Props = {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** What is wrong; null where nothing is. */
  readonly problem: string | null;
  readonly words: {
    readonly how: string;
    readonly auto: string;
    readonly fixed: string;
    readonly field: string;
  };
  /** What auto comes to. */
  readonly derivation: ReactNode;
  readonly children?: ReactNode;
};

/** A choice between a value that the router derives and a number of one's own, which typing chooses. */
export function AutoOrNumber({ draft, onDraft, problem, words, derivation, children }: Props) {
  const id = useId();
  return (
    <fieldset className="mt-3 space-y-3">
      <legend className="sr-only">{words.how}</legend>
      <label className="flex items-start gap-2.5">
        <input
          type="radio"
          name={id}
          checked={draft.mode === 'auto'}
          onChange={() => onDraft({ ...draft, mode: 'auto' })}
          className="mt-0.5 size-4 accent-accent"
        />
        <span>
          <span className="font-medium">{words.auto}</span> <span className="text-muted">{derivation}</span>
        </span>
      </label>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <label className="flex items-center gap-2.5 font-medium">
          <input
            type="radio"
            name={id}
            checked={draft.mode === 'fixed'}
            onChange={() => onDraft({ ...draft, mode: 'fixed' })}
            className="size-4 accent-accent"
          />
          {words.fixed}
        </label>
        <input
          inputMode="numeric"
          aria-label={words.field}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          ref={focus}
          value={draft.text}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onDraft({ mode: 'fixed', text: event.target.value })}
          className="h-8 w-20 rounded-md border border-line-strong bg-raised px-2.5 tabular-nums aria-invalid:border-bad"
        />
        {children}
        <p id={`${id}-problem`} role="alert" className="text-bad">
          {problem}
        </p>
      </div>
    </fieldset>
  );
}

/** The editor was opened to type a number; a stable function runs once, when the field appears. */
function focus(field: HTMLInputElement | null): void {
  field?.focus();
}
