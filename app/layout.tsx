import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { NO_EVAL_SCRIPT } from '#components/data/no-eval-script.ts';
import { LANGUAGE_SCRIPT } from '#components/language/language-script.ts';
import { Providers } from '#components/shell/providers.tsx';
import { Shell } from '#components/shell/shell.tsx';
import { THEME_SCRIPT } from '#components/theme/theme-script.ts';
import './globals.css';

export const metadata: Metadata = {
  icons: { icon: '/favicon.svg' },
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#0b0f14' },
  ],
};

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours */}
        <script dangerouslySetInnerHTML={{ __html: NO_EVAL_SCRIPT }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, needed before the first paint */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: as above */}
        <script dangerouslySetInnerHTML={{ __html: LANGUAGE_SCRIPT }} />
      </head>
      <body>
        <Providers>
          <Shell>{children}</Shell>
        </Providers>
      </body>
    </html>
  );
}
