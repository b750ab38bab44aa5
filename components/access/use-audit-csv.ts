import { useMutation } from '@tanstack/react-query';
import { toCsv } from '#components/charts/csv.ts';
import { download } from '#components/charts/download.ts';
import { type ApiError, getJson } from '#components/data/client.ts';
import { auditList } from '#lib/contract/access.ts';
import { AUDIT_HEADER, allEntries, auditRow } from './audit-csv.ts';
import { type AuditSearch, auditPath } from './queries.ts';

/** As many as one call gives. */
const ROWS_A_CALL = 1000;

/** Saves every entry that matches as a file, not only those of the page on screen. */
export function useAuditCsv(search: AuditSearch) {
  return useMutation<void, ApiError, void>({
    mutationFn: async () => {
      const { signal } = new AbortController();
      const entries = await allEntries((before) => {
        const from = before === null ? null : String(before);
        return getJson(auditPath({ ...search, before: from }, ROWS_A_CALL), auditList, signal);
      });
      download('lm-warden-audit.csv', toCsv(AUDIT_HEADER, entries.map(auditRow)), 'text/csv');
    },
  });
}
