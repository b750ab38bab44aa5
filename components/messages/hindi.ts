import type { Messages } from './english.ts';
import { access } from './hi/access.ts';
import { alerts } from './hi/alerts.ts';
import { benchmark } from './hi/benchmark.ts';
import { charts } from './hi/charts.ts';
import { connect } from './hi/connect.ts';
import { fleet } from './hi/fleet.ts';
import { model } from './hi/model.ts';
import { models } from './hi/models.ts';
import { requests } from './hi/requests.ts';
import { sessions } from './hi/sessions.ts';
import { settings } from './hi/settings.ts';
import { shell } from './hi/shell.ts';
import { stats } from './hi/stats.ts';
import { ui } from './hi/ui.ts';

export const hindi: Messages = {
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
};
