'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { EntityDialog, type EntityEdit } from '@/components/form/entity-dialog';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { EditDeleteMenu } from '@/components/table/record-actions';
import { Button } from '@/components/ui/button';
import { apiKeyProviders } from '@/db/enums';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { createApiKeyAction, deleteApiKeyAction, updateApiKeyAction } from '@/lib/settings/actions';
import type { ApiKeyView } from '@/lib/settings/api-keys';

export function AddKey() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add key
      </Button>
      <KeyDialog open={open} onOpenChange={setOpen} />
    </>
  );
}

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

type KeyDialogProps = {
  /** The key to edit. If omitted, the dialog creates one. */
  apiKey?: ApiKeyView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const labels = { name: 'Name', provider: 'Provider', lastFour: 'Key, ending in' };

function KeyDialog({ apiKey, open, onOpenChange }: KeyDialogProps) {
  const save = async ({ data, version }: EntityEdit) => {
    const provider = apiKeyProviders.find((known) => known === getFormText(data, 'provider'));
    if (!provider) throw new ApiError(400, 'Choose a provider.', { provider: 'Choose a provider.' });
    const values = { name: getFormText(data, 'name').trim(), provider, key: getFormText(data, 'key') };
    if (apiKey && version !== undefined)
      await callAction(() => updateApiKeyAction({ ...values, id: apiKey.id, version }));
    else await callAction(() => createApiKeyAction(values));
    return apiKey ? `${values.name} saved.` : `${values.name} added.`;
  };
  return (
    <EntityDialog
      record={apiKey ?? null}
      name={apiKey?.name}
      noun="key"
      at={{ open, onOpenChange }}
      store={{ save }}
      labels={labels}
      title={apiKey ? undefined : 'Add key'}
      submitLabel={apiKey ? 'Save key' : 'Add key'}
      description={apiKey ? undefined : 'Keys are encrypted before they’re stored.'}
    >
      {(row, errors) => (
        <>
          <TextField
            name="name"
            label={labels.name}
            required
            maxLength={80}
            autoComplete="off"
            defaultValue={row?.name}
            error={errors.name}
          />
          <SelectField
            name="provider"
            label={labels.provider}
            required
            placeholder="Choose a provider"
            defaultValue={row?.provider ?? ''}
            options={apiKeyProviders.map((value) => ({ value, label: value }))}
            error={errors.provider}
          />
          <TextField
            name="key"
            type="password"
            label={row ? 'New key' : 'Key'}
            required={!row}
            autoComplete="new-password"
            spellCheck={false}
            maxLength={500}
            error={errors.key}
            hint={row ? `Leave empty to keep the key ending in ${row.lastFour}.` : undefined}
          />
        </>
      )}
    </EntityDialog>
  );
}
