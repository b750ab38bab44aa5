import { access } from './en/access.ts';
import { alerts } from './en/alerts.ts';
import { benchmark } from './en/benchmark.ts';
import { charts } from './en/charts.ts';
import { connect } from './en/connect.ts';
import { fleet } from './en/fleet.ts';
import { model } from './en/model.ts';
import { models } from './en/models.ts';
import { requests } from './en/requests.ts';
import { sessions } from './en/sessions.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { stats } from './en/stats.ts';
import { ui } from './en/ui.ts';
import type { Translation } from './translation.ts';

/** Every word of the console. The message format is ICU's. */
export const english = {
  access,
  alerts,
  benchmark,
  charts,
  connect,
  fleet,
  model,
  models,
  requests,
  sessions,
  settings,
  shell,
  stats,
  ui,
} as const;

/** The same keys in any language. */
export type Messages = Translation<typeof english>;
