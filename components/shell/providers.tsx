'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { Tooltip } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { LanguageProvider } from '#components/language/language-provider.tsx';

/** What the pages share: the query cache, state in the address, the tooltips' timing. */
export function Providers({ children }: { readonly children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <NuqsAdapter>
        <LanguageProvider>
          <Tooltip.Provider delayDuration={400}>{children}</Tooltip.Provider>
        </LanguageProvider>
      </NuqsAdapter>
    </QueryClientProvider>
  );
}

/** `always`: a console on localhost must not stop because the browser believes that it is offline. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: 1, retryDelay: 1000, networkMode: 'always', refetchIntervalInBackground: false },
      mutations: { networkMode: 'always' },
    },
  });
}
