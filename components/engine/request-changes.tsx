import type { RoutingState } from '#lib/contract/models.ts';
import { ConfigKey, Fact } from './fact.tsx';

const RESPONSES = '/v1/responses';

/** What the router changes in requests on their way to the engine, why, and how to have it otherwise. */
export function RequestChanges({ state }: { readonly state: RoutingState }) {
  return (
    <>
      <Fact name="Billing line">
        <p>Claude Code's is {state.pins_billing_line ? 'pinned for this model' : 'left as it is'}</p>
        <p className="text-muted">
          <code className="font-mono text-xs">x-anthropic-billing-header</code> stands first in the prompt and differs
          between conversations, in some versions between turns; behind a change nothing is found in a cache.{' '}
          <ConfigKey>pin_billing_line</ConfigKey> in warden.yaml makes it the same in all.
        </p>
      </Fact>
      {isTranslated(state) ? (
        <Fact name={RESPONSES}>
          <p>sent as chat completions, so that it can be pinned</p>
          <p className="text-muted">
            What needs stored state goes through unrouted
            {state.affinity ? '' : ', and so does all while affinity is off'}.{' '}
            <ConfigKey>translate_responses</ConfigKey> in warden.yaml.
          </p>
        </Fact>
      ) : null}
    </>
  );
}

/** The paths that are never pinned: without /v1/responses where that is translated. */
export function unroutedPaths(state: RoutingState): readonly string[] {
  return isTranslated(state) ? state.unpinnable_paths.filter((path) => path !== RESPONSES) : state.unpinnable_paths;
}

function isTranslated(state: RoutingState): boolean {
  return state.translates_responses && state.unpinnable_paths.includes(RESPONSES);
}
