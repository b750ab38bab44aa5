'use client';

import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useModels } from '#components/data/queries.ts';
import { Card } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Select } from '#components/ui/select.tsx';
import { useOrigin } from './origin.ts';
import { type Recipe, recipes } from './recipes.ts';
import { TestTurn } from './test-turn.tsx';

/** How to point a client at this router, and a turn to try it. */
export function ConnectPage() {
  const origin = useOrigin() ?? 'http://…';
  const { data } = useModels();
  const names = data?.models.map(({ name }) => name) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const model = chosen ?? names[0] ?? 'MODEL';
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <Card title="Connect a client">
        <dl className="mb-4 flex flex-wrap gap-x-10 gap-y-3">
          <div>
            <dt className="text-muted text-xs">Base URL</dt>
            <dd className="flex min-h-8 items-center gap-1 break-all font-medium font-mono">
              {origin}
              <CopyButton text={origin} label="Copy base URL" />
            </dd>
          </div>
          <div className="min-w-0">
            <dt className="text-muted text-xs">Model</dt>
            <dd className="mt-1 min-w-0">
              <Select
                label="Model"
                value={model}
                options={(names.length > 0 ? names : [model]).map((name) => ({ value: name, label: name }))}
                onChange={setChosen}
                className="w-72 max-w-full"
              />
            </dd>
          </div>
        </dl>
        <Clients all={recipes({ origin, model })} />
      </Card>
      <TestTurn key={model} model={model} ready={names.includes(model)} />
    </div>
  );
}

function Clients({ all }: { readonly all: readonly Recipe[] }) {
  const [first] = all;
  return (
    <Tabs.Root defaultValue={first?.id ?? ''}>
      <Tabs.List aria-label="Client" className="flex gap-1 overflow-x-auto border-line border-b">
        {all.map((recipe) => (
          <Tabs.Trigger
            key={recipe.id}
            value={recipe.id}
            className="-mb-px h-9 shrink-0 whitespace-nowrap border-transparent border-b-2 px-2.5 font-medium text-muted hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
          >
            {recipe.name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {all.map((recipe) => (
        <Tabs.Content key={recipe.id} value={recipe.id} className="space-y-3 pt-4">
          <p className="max-w-prose text-muted">{recipe.hint}</p>
          {recipe.blocks.map((block) => (
            <CodeBlock key={block.title} title={block.title} code={block.code} />
          ))}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
