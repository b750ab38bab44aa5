import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { CLIENTS, type ClientId } from './recipes.ts';

/** Whose instructions are read, `?client=`. */
export function useClientTab(): readonly [ClientId, (client: ClientId) => void] {
  const [client, setClient] = useQueryState('client', parseAsStringLiteral(CLIENTS).withDefault('claude-code'));
  return [client, (next) => void setClient(next)];
}
