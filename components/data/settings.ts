import { useMutation, useQueryClient } from '@tanstack/react-query';
import { databaseState, type SettingsPatch, type SettingsState, settingsState } from '#lib/contract/settings.ts';
import { type ApiError, sendJson } from './client.ts';
import { usePoll } from './poll.ts';

const SETTINGS = ['settings'] as const;
const DATABASE = ['settings', 'database'] as const;

/** What the process runs with. */
export function useSettings() {
  return usePoll({ key: SETTINGS, path: '/api/settings', schema: settingsState, everyMs: 10_000 });
}

/** The database, table by table: its file is read whole, so rarely. */
export function useDatabase() {
  return usePoll({ key: DATABASE, path: '/api/settings/database', schema: databaseState, everyMs: 60_000 });
}

/** Changes how long things are kept. */
export function useSettingsChange() {
  const client = useQueryClient();
  return useMutation<SettingsState, ApiError, SettingsPatch>({
    mutationFn: (patch) => sendJson('PATCH', '/api/settings', patch, settingsState),
    onSuccess: async (state) => {
      await client.cancelQueries({ queryKey: SETTINGS, exact: true });
      client.setQueryData(SETTINGS, state);
    },
  });
}
