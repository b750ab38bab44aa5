import { Tabs } from 'radix-ui';
import { useTranslations } from 'use-intl';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { blocksOf, CLIENTS, type ClientId, type Target } from './recipes.ts';

type Props = {
  readonly client: ClientId;
  readonly onClient: (client: ClientId) => void;
  readonly target: Target;
};

/** The names of the clients are the same in every language. */
export const CLIENT_NAMES: Readonly<Record<ClientId, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  'openai-sdk': 'OpenAI SDK',
  'anthropic-sdk': 'Anthropic SDK',
  curl: 'curl',
};

/** What each client needs, one behind the other. */
export function Clients({ client, onClient, target }: Props) {
  const t = useTranslations('connect');
  return (
    <Tabs.Root
      value={client}
      onValueChange={(chosen) => {
        const next = CLIENTS.find((one) => one === chosen);
        if (next !== undefined) onClient(next);
      }}
    >
      <Tabs.List aria-label={t('client')} className="flex gap-1 overflow-x-auto border-line border-b">
        {CLIENTS.map((id) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className="-mb-px h-9 shrink-0 whitespace-nowrap border-transparent border-b-2 px-2.5 font-medium text-muted hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
          >
            {CLIENT_NAMES[id]}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {CLIENTS.map((id) => (
        <Tabs.Content key={id} value={id} className="space-y-3 pt-4">
          <p className="max-w-prose text-muted">{t(`hints.${id}`)}</p>
          {blocksOf(id, target).map((block) => (
            <CodeBlock key={block.title} title={block.title === 'shell' ? t('shell') : block.title} code={block.code} />
          ))}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
