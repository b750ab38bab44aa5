import { useState } from 'react';
import { useSessions } from '#components/data/activity.ts';

/**
 * The sessions to look through for `q`: all of them, in which the page finds by itself with each letter; or, where there
 * are more than one answer holds, those that the router finds.
 */
export function useSessionList(model: string | null, q: string) {
  const [areMore, setAreMore] = useState(false);
  const asked = areMore ? q : '';
  const query = useSessions(model, asked);
  const { data, isPlaceholderData } = query;
  if (asked === '' && data !== undefined && !isPlaceholderData) {
    const more = data.total > data.sessions.length;
    if (more !== areMore) setAreMore(more);
  }
  return query;
}
