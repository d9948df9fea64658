'use client';

import { EditDeleteMenu } from '@/components/table/row-actions';
import { lazyPart } from '@/components/ui/lazy-part';
import { useLazyDialog } from '@/components/ui/use-lazy-dialog';
import type { ApiKeyView } from '@/lib/api-keys/queries';
import { callAction } from '@/lib/http/call-action';
import { deleteApiKeyAction } from '../actions';

const loadDialog = () => import('./key-dialog');
const KeyDialog = lazyPart(loadDialog, { isDialog: true });

/** Edits or deletes a key. */
export function KeyActions({ apiKey }: { apiKey: ApiKeyView }) {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadDialog);
  const { id, version, name, provider, isInUse } = apiKey;
  return (
    <>
      <EditDeleteMenu
        name={name}
        onEdit={opener.onClick}
        question={`Delete the ${provider} key “${name}”?`}
        consequence={
          isInUse
            ? 'Tools use it now. They go on with the next newest key of this provider, or without one.'
            : 'It cannot be read again, here or anywhere else in this installation.'
        }
        confirmLabel="Delete key"
        deleted={`${name} deleted.`}
        remove={() => callAction(deleteApiKeyAction({ id, version }))}
      />
      {wanted ? <KeyDialog apiKey={apiKey} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
