'use client';

import { type KeyboardEvent, type SubmitEvent, useId, useState } from 'react';
import { useRoutingChange } from '#components/data/changes.ts';
import { Button } from '#components/ui/button.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { autoThreshold, derivation, parseThreshold, preview } from './threshold.ts';

type Props = { readonly state: RoutingState; readonly onClose: () => void };
type Draft = { readonly mode: 'auto' | 'fixed'; readonly text: string };

/** Auto with its arithmetic, or a number; says what it would do to the requests in flight now. Enter saves, Esc cancels. */
export function ThresholdEditor({ state, onClose }: Props) {
  const change = useRoutingChange(state.model);
  const [draft, setDraft] = useState<Draft>(() => ({
    mode: state.spill_threshold_source === 'auto' ? 'auto' : 'fixed',
    text: String(state.spill_threshold),
  }));
  const chosen = read(draft, state);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if ('problem' in chosen) return;
    change.mutate({ spill_threshold: draft.mode === 'auto' ? 'auto' : chosen.value }, { onSuccess: onClose });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <form
      aria-label="Spill threshold"
      onSubmit={save}
      onKeyDown={onKeyDown}
      className="mt-3 rounded-md border border-line p-3"
    >
      <p className="text-muted">A turn stays at its home until the home has this many requests in flight.</p>
      <Choices
        state={state}
        draft={draft}
        problem={problemOf(draft, chosen, change.error?.detail)}
        onDraft={setDraft}
      />
      <p aria-live="polite" className="mt-3 min-h-5 text-muted tabular-nums">
        {'problem' in chosen ? '' : preview(chosen.value, state.replicas)}
      </p>
      <div className="mt-3 flex gap-2">
        <Button type="submit" look="primary" disabled={'problem' in chosen || change.isPending}>
          {change.isPending ? 'Saving…' : 'Save'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

type ChoicesProps = {
  readonly state: RoutingState;
  readonly draft: Draft;
  readonly problem: string | null;
  readonly onDraft: (draft: Draft) => void;
};

function Choices({ state, draft, problem, onDraft }: ChoicesProps) {
  const id = useId();
  return (
    <fieldset className="mt-3 space-y-3">
      <legend className="sr-only">How the threshold is set</legend>
      <label className="flex items-start gap-2.5">
        <input
          type="radio"
          name={id}
          checked={draft.mode === 'auto'}
          onChange={() => onDraft({ ...draft, mode: 'auto' })}
          className="mt-0.5 size-4 accent-accent"
        />
        <span>
          <span className="font-medium">Auto</span> <span className="text-muted">{derivation(state)}</span>
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
          Fixed
        </label>
        <input
          inputMode="numeric"
          aria-label="Requests in flight"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          ref={focus}
          value={draft.text}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onDraft({ mode: 'fixed', text: event.target.value })}
          className="h-8 w-20 rounded-md border border-line-strong bg-raised px-2.5 tabular-nums aria-invalid:border-bad"
        />
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

function read(draft: Draft, state: RoutingState) {
  if (draft.mode === 'fixed') return parseThreshold(draft.text);
  return { value: autoThreshold(state) ?? state.spill_threshold };
}

/** What is wrong with the draft, else why the router refused it. */
function problemOf(draft: Draft, chosen: ReturnType<typeof read>, refused: string | undefined): string | null {
  if (draft.mode === 'fixed' && 'problem' in chosen) return chosen.problem;
  return refused ?? null;
}
