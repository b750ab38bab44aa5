/** The series' colours, as CSS variables that follow the theme (app/globals.css says how they were chosen). */
export const PALETTE = {
  cached: 'var(--cached)',
  computed: 'var(--computed)',
  completion: 'var(--completion)',
  accent: 'var(--accent)',
  muted: 'var(--muted)',
  line: 'var(--line)',
} as const;
