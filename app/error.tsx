'use client';

import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';

type Props = { readonly error: Error; readonly reset: () => void };

/** A fault of this page itself. The router is a different matter: it goes on serving. */
export default function PageError({ error, reset }: Props) {
  return (
    <Notice tone="bad" title="This page broke" action={<Button onClick={reset}>Try again</Button>}>
      {error.message} The router is not affected.
    </Notice>
  );
}
