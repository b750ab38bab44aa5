import type { Locator, Page } from 'playwright/test';
import { MODEL } from './turns.ts';

/** Each page of the console, and something that stands on it, in any language, once its data is there. */
export const CONSOLE_PAGES: readonly { readonly path: string; readonly shows: (page: Page) => Locator }[] = [
  { path: '/', shows: (page) => page.getByRole('article').first() },
  { path: `/models/${MODEL}`, shows: (page) => page.getByRole('main').getByRole('table').first() },
  { path: '/stats', shows: (page) => page.getByRole('main').getByRole('img').first() },
  { path: '/sessions', shows: (page) => page.getByRole('main').getByRole('table').first() },
  { path: '/requests', shows: (page) => page.getByRole('main').getByRole('table').first() },
  { path: '/benchmark', shows: (page) => page.getByRole('main').getByRole('form').first() },
  { path: '/connect', shows: (page) => page.getByRole('main').locator('pre').first() },
  { path: '/fleet', shows: (page) => page.getByRole('main').getByRole('region').first() },
  { path: '/access', shows: (page) => page.getByRole('main').getByRole('region').nth(1) },
  { path: '/settings', shows: (page) => page.getByRole('main').getByRole('table').nth(1) },
];

type State = 'empty' | 'engineDown' | 'noReplica';

/**
 * What each page says in a state, in English or Hindi. `empty`: there is no model, and nothing has happened; `engineDown`:
 * a model of two replicas of which none is up; `noReplica`: a model that has no replica (yet).
 */
export const PAGE_SAYS: Readonly<Record<State, Readonly<Record<string, RegExp>>>> = {
  empty: {
    '/': /No model is configured|कोई मॉडल कॉन्फ़िगर नहीं है/,
    [`/models/${MODEL}`]: /There is no model named|नाम का कोई मॉडल नहीं है/,
    '/stats': /No request finished in|कोई रिक्वेस्ट पूरी नहीं हुई/,
    '/sessions': /No live sessions|कोई सक्रिय सेशन नहीं/,
    '/requests': /No request yet|अभी कोई रिक्वेस्ट नहीं/,
    '/benchmark': /No model is configured|कोई मॉडल कॉन्फ़िगर नहीं है/,
    '/connect': /ANTHROPIC_MODEL=MODEL/,
    '/fleet': /This warden is alone|यह वार्डन अकेला है/,
    '/access': /No key yet|अभी कोई key नहीं/,
    '/settings': /WARDEN_UPSTREAM/,
  },
  engineDown: {
    '/': /0 of 2|2 में से 0/,
    [`/models/${MODEL}`]: /(Down|बंद)[\s\S]*(Down|बंद)/,
    '/stats': /No request finished in|कोई रिक्वेस्ट पूरी नहीं हुई/,
    '/sessions': /No live sessions|कोई सक्रिय सेशन नहीं/,
    '/requests': /No request yet|अभी कोई रिक्वेस्ट नहीं/,
    '/benchmark': /No benchmark yet|अभी कोई बेंचमार्क नहीं/,
    '/connect': new RegExp(MODEL),
    '/fleet': /This warden is alone|यह वार्डन अकेला है/,
    '/access': /No key yet|अभी कोई key नहीं/,
    '/settings': new RegExp(MODEL),
  },
  noReplica: {
    '/': /0 of 0|0 में से 0/,
    [`/models/${MODEL}`]: /No replica yet|अभी कोई रेप्लिका नहीं/,
    '/stats': /No request finished in|कोई रिक्वेस्ट पूरी नहीं हुई/,
    '/benchmark': /No benchmark yet|अभी कोई बेंचमार्क नहीं/,
    '/connect': new RegExp(MODEL),
  },
};

/** What each page asks the API for, of which the shell does not ask on every page. */
export const PAGE_ASKS: Readonly<Record<string, string>> = {
  '/': '/api/models',
  [`/models/${MODEL}`]: `/api/models/${MODEL}/routing`,
  '/stats': '/api/stats/tokens',
  '/sessions': '/api/sessions',
  '/requests': '/api/requests',
  '/benchmark': '/api/benchmarks',
  '/connect': `/api/models/${MODEL}/in-flight`,
  '/fleet': '/api/fleet',
  '/access': '/api/keys',
  '/settings': '/api/settings',
};
