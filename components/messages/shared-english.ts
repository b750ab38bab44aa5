import { access } from './en/access.ts';
import { alerts } from './en/alerts.ts';
import { charts } from './en/charts.ts';
import { shell } from './en/shell.ts';
import { ui } from './en/ui.ts';

/** The English words that any page may need. A page adds its own with WithWords. */
export const sharedEnglish = { access, alerts, charts, shell, ui } as const;
