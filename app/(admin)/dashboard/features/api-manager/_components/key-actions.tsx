'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { lazy, Suspense } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/components/ui/toast';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import type { ApiKeyView } from '@/lib/api-keys/queries';
import { callAction } from '@/lib/http/call-action';
import { deleteApiKeyAction } from '../actions';

const loadDialog = () => import('./key-dialog');
const KeyDialog = lazy(loadDialog);

/** Edits or deletes a key. */
export function KeyActions({ apiKey }: { apiKey: ApiKeyView }) {
  const router = useRouter();
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  const { id, version, name, provider, isInUse } = apiKey;
  const remove = async () => {
    await callAction(deleteApiKeyAction({ id, version })).finally(() => router.refresh());
    toast.success(`${name} deleted.`);
  };
  return (
    <span className="flex shrink-0 justify-end gap-1">
      <IconButton label={`Edit ${name}`} {...opener}>
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <ConfirmDialog
        trigger={
          <IconButton label={`Delete ${name}`} className="text-red-ink">
            <Trash2 aria-hidden="true" className="size-4" />
          </IconButton>
        }
        title={`Delete the ${provider} key “${name}”?`}
        description={
          isInUse
            ? 'Tools use it now. They go on with the next newest key of this provider, or without one.'
            : 'It cannot be read again, here or anywhere else in this installation.'
        }
        confirmLabel="Delete key"
        onConfirm={remove}
      />
      {wanted ? (
        <Suspense>
          <KeyDialog apiKey={apiKey} open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </span>
  );
}
