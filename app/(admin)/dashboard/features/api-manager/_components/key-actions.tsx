'use client';

import { useState } from 'react';
import { deleteApiKeyAction } from '@/app/(admin)/dashboard/features/api-manager/actions';
import { EditDeleteMenu } from '@/components/table/record-actions';
import { callAction } from '@/lib/browser/call-action';
import type { ApiKeyView } from '@/lib/settings/api-keys/queries';
import { KeyDialog } from './key-dialog';

export function KeyActions({ apiKey }: { apiKey: ApiKeyView }) {
  const [open, setOpen] = useState(false);
  const { id, version, name, provider, isInUse } = apiKey;
  return (
    <>
      <EditDeleteMenu
        name={name}
        onEdit={() => setOpen(true)}
        question={`Delete the ${provider} key “${name}”?`}
        consequence={
          isInUse
            ? 'This key is in use. Tools switch to this provider’s next newest key, if there is one.'
            : 'The key can’t be recovered.'
        }
        confirmLabel="Delete key"
        deleted={`${name} deleted.`}
        remove={() => callAction(() => deleteApiKeyAction({ id, version }))}
      />
      <KeyDialog apiKey={apiKey} open={open} onOpenChange={setOpen} />
    </>
  );
}
