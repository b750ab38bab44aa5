import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';

type Choice<T extends string> = {
  readonly value: T;
  readonly label: string;
  readonly icon?: LucideIcon;
  /** The language of the label, where it is not the page's. */
  readonly lang?: string;
};

type Props<T extends string> = {
  readonly label: string;
  /** The icon of the button. */
  readonly children: ReactNode;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChoose: (value: T) => void;
};

/** An icon button that opens a menu of which one item is chosen. */
export function ChoiceMenu<T extends string>({ label, children, value, choices, onChoose }: Props<T>) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <IconButton label={label}>{children}</IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-36 rounded-md border border-line-strong bg-raised p-1"
        >
          <DropdownMenu.RadioGroup value={value}>
            {choices.map((choice) => (
              <DropdownMenu.RadioItem
                key={choice.value}
                value={choice.value}
                lang={choice.lang}
                onSelect={() => onChoose(choice.value)}
                className="flex h-8 cursor-pointer items-center gap-2.5 rounded px-2 outline-none data-[highlighted]:bg-hover"
              >
                {choice.icon ? <choice.icon aria-hidden="true" className="size-4 text-muted" /> : null}
                {choice.label}
                <DropdownMenu.ItemIndicator className="ml-auto">
                  <Check aria-hidden="true" className="size-4" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
