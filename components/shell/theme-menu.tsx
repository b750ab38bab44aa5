'use client';

import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { IconButton } from '#components/ui/icon-button.tsx';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const CHOICES = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const satisfies readonly { value: Theme; label: string; icon: unknown }[];

/** Light, dark, or as the system has it. */
export function ThemeMenu() {
  const theme = useTheme();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <IconButton label="Theme">
          <Sun aria-hidden="true" className="size-4 dark:hidden" />
          <Moon aria-hidden="true" className="hidden size-4 dark:block" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-36 rounded-md border border-line-strong bg-raised p-1"
        >
          <DropdownMenu.RadioGroup value={theme}>
            {CHOICES.map((choice) => (
              <DropdownMenu.RadioItem
                key={choice.value}
                value={choice.value}
                onSelect={() => chooseTheme(choice.value)}
                className="flex h-8 cursor-pointer items-center gap-2.5 rounded px-2 outline-none data-[highlighted]:bg-hover"
              >
                <choice.icon aria-hidden="true" className="size-4 text-muted" />
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
