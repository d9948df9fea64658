'use client';

import { useState } from 'react';
import { EditDeleteMenu } from '@/components/table/row-actions';
import { callAction } from '@/lib/browser/call-action';
import type { ApiKeyView } from '@/lib/settings/api-keys/queries';
import { deleteApiKeyAction } from '../actions';
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
            ? 'Tools use it now. They go on with the next newest key of this provider, or without one.'
            : 'It cannot be read again, here or anywhere else in this installation.'
        }
        confirmLabel="Delete key"
        deleted={`${name} deleted.`}
        remove={() => callAction(deleteApiKeyAction({ id, version }))}
      />
      <KeyDialog apiKey={apiKey} open={open} onOpenChange={setOpen} />
    </>
  );
}
