'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import { textOf } from '@/components/form/text-of';
import { changesBetween, TheirChanges } from '@/components/form/their-changes';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { toast } from '@/components/ui/toast';
import { apiKeyProviders } from '@/lib/api-keys/providers';
import type { ApiKeyView } from '@/lib/api-keys/queries';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';
import { createApiKeyAction, updateApiKeyAction } from '../actions';

type KeyDialogProps = {
  /** The one to edit; without it a new one is added. */
  apiKey?: ApiKeyView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const labels = { name: 'Name', provider: 'Provider', lastFour: 'Key, ending in' } as const;

export default function KeyDialog({ apiKey, open, onOpenChange }: KeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={apiKey ? `Edit ${apiKey.name}` : 'Add key'}
      description={apiKey ? undefined : 'It is encrypted before it is stored.'}
    >
      <KeyForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function KeyForm({ apiKey, onDone }: { apiKey: ApiKeyView | undefined; onDone: () => void }) {
  const router = useRouter();
  const [base] = useState(apiKey);
  const form = useApiForm({
    submit: async (data) => {
      const provider = apiKeyProviders.find((known) => known === textOf(data, 'provider'));
      if (!provider) throw new ApiError(400, 'Choose a provider.', { provider: 'Choose a provider.' });
      const values = { name: textOf(data, 'name'), provider, key: textOf(data, 'key') };
      try {
        if (apiKey) await callAction(updateApiKeyAction({ ...values, id: apiKey.id, version: apiKey.version }));
        else await callAction(createApiKeyAction(values));
      } catch (cause) {
        if (cause instanceof ApiError && cause.status === 409) router.refresh();
        throw cause;
      }
      return values.name.trim();
    },
    onSuccess: (name) => {
      toast.success(apiKey ? `${name} saved.` : `${name} added.`);
      router.refresh();
      onDone();
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <form className="contents" {...form.formProps}>
      <DialogBody className="grid gap-4">
        {base && apiKey ? <TheirChanges changes={changesBetween(labels, base, apiKey)} /> : null}
        {form.error ? <Alert tone="error">{form.error}</Alert> : null}
        <TextField
          name="name"
          label="Name"
          required
          maxLength={80}
          autoComplete="off"
          defaultValue={base?.name}
          error={form.fields.name}
        />
        <SelectField
          name="provider"
          label="Provider"
          required
          placeholder="Choose a provider"
          defaultValue={base?.provider ?? ''}
          options={apiKeyProviders.map((value) => ({ value, label: value }))}
          error={form.fields.provider}
        />
        <TextField
          name="key"
          type="password"
          label={apiKey ? 'New key' : 'Key'}
          required={!apiKey}
          autoComplete="new-password"
          spellCheck={false}
          maxLength={500}
          error={form.fields.key}
          hint={apiKey ? `Leave it empty to keep the one that ends in ${apiKey.lastFour}.` : undefined}
        />
      </DialogBody>
      <DialogFooter>
        <Button disabled={form.pending} onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" pending={form.pending}>
          {apiKey ? 'Save key' : 'Add key'}
        </Button>
      </DialogFooter>
    </form>
  );
}
