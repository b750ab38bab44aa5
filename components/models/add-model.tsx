'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { useTranslations } from 'use-intl';
import { modelHref } from '#components/data/model-name.ts';
import { Button } from '#components/ui/button.tsx';
import { LazyModelDialog } from './lazy-model-dialog.tsx';
import { useMayOpenForm } from './may-open-form.ts';

type Props = {
  /** Where there is no real model yet, it is the thing to do. */
  readonly invites?: boolean;
};

/** Opens the form for a new model, `?add=true` in the address; leads to its page when it is saved. */
export function AddModel({ invites = false }: Props) {
  const t = useTranslations('models');
  const [, setOpen] = useAddingModel();
  return (
    <Button look={invites ? 'primary' : 'plain'} onClick={() => void setOpen(true)}>
      <Plus aria-hidden="true" className="size-4" />
      {invites ? t('demo.connect') : t('editor.add')}
    </Button>
  );
}

/** The form itself, once a page. */
export function AddModelDialog() {
  const [isAsked, setOpen] = useAddingModel();
  const mayOpen = useMayOpenForm();
  const router = useRouter();
  return (
    <LazyModelDialog
      open={isAsked && mayOpen}
      onOpenChange={(isOpen) => void setOpen(isOpen ? true : null)}
      model={null}
      onSaved={({ name }) => router.push(modelHref(name))}
    />
  );
}

function useAddingModel() {
  return useQueryState('add', parseAsBoolean.withDefault(false));
}
