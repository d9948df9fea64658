'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/controls';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { apiFetch } from '@/lib/browser/api-client';
import type { EndpointView } from '@/lib/developers/webhooks/contract';

/** Shows a new signing secret, which is not shown again. */
export function SecretStep({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <>
      <DialogBody className="grid gap-4">
        <Alert tone="warning">Copy the signing secret now. It won’t be shown again.</Alert>
        <div className="flex items-center gap-2">
          <code className="wrap-anywhere min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 text-ink text-sm">{secret}</code>
          <CopyButton text={secret} label="Copy secret" />
        </div>
        <p className="text-muted text-sm">Your program verifies the header webhook-signature with it.</p>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}

/** An event type that the user can choose. */
export type EventChoice = { type: string; summary: string };

type EndpointDialogProps = {
  /** The collection in the API: /api/webhooks or /api/admin/webhooks. */
  api: string;
  /** Null to add an endpoint. */
  endpoint: EndpointView | null;
  choices: readonly EventChoice[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Renders the dialog that adds or edits an endpoint. After adding one, it shows the signing secret. */
export function EndpointDialog({ api, endpoint, choices, open, onOpenChange }: EndpointDialogProps) {
  const router = useRouter();
  const [secret, setSecret] = useState<string | null>(null);
  const change = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setSecret(null);
    router.refresh();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      size="lg"
      title={secret ? 'Endpoint added' : endpoint ? 'Edit endpoint' : 'Add an endpoint'}
      description={secret ? undefined : 'We send a signed POST request to this address for each event.'}
    >
      {secret ? (
        <SecretStep secret={secret} onDone={() => change(false)} />
      ) : (
        <EndpointForm
          api={api}
          endpoint={endpoint}
          choices={choices}
          onSaved={(created) => (created ? setSecret(created) : change(false))}
        />
      )}
    </Dialog>
  );
}

type EndpointFormProps = Pick<EndpointDialogProps, 'api' | 'endpoint' | 'choices'> & {
  /** Receives the secret of a new endpoint, and null after an edit. */
  onSaved: (secret: string | null) => void;
};

function EndpointForm({ api, endpoint, choices, onSaved }: EndpointFormProps) {
  const form = useApiForm({
    submit: async (data) => {
      const body = {
        url: String(data.get('url') ?? ''),
        description: String(data.get('description') ?? ''),
        events: data.getAll('events').map(String),
      };
      if (!endpoint) return (await apiFetch<{ secret: string }>(api, { method: 'POST', body })).secret;
      await apiFetch(`${api}/${endpoint.id}`, { method: 'PATCH', body });
      return null;
    },
    validate: (data): FieldErrors => (data.getAll('events').length > 0 ? {} : { events: 'Select at least one event.' }),
    onSuccess: (secret) => {
      if (secret === null) toast.success('Endpoint saved.');
      onSaved(secret);
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <DialogForm form={form} submitLabel={endpoint ? 'Save changes' : 'Add endpoint'}>
      <TextField
        name="url"
        label="URL"
        type="url"
        required
        defaultValue={endpoint?.url}
        error={form.fields.url}
        hint="An https address that the internet can reach."
        placeholder="https://"
      />
      <TextField
        name="description"
        label="Description"
        defaultValue={endpoint?.description}
        error={form.fields.description}
        maxLength={200}
      />
      <fieldset aria-describedby={form.fields.events ? 'events-error' : undefined} className="min-w-0">
        <legend className="mb-2 font-medium text-ink text-sm">Events</legend>
        {form.fields.events ? (
          <p id="events-error" role="alert" className="mb-2 text-red-ink text-sm">
            {form.fields.events}
          </p>
        ) : null}
        <ul className="grid max-h-72 gap-x-4 gap-y-1 overflow-y-auto rounded-md border border-line p-3 text-sm sm:grid-cols-2">
          {choices.map(({ type, summary }) => (
            <li key={type}>
              <Checkbox
                name="events"
                value={type}
                defaultChecked={endpoint?.events.includes(type)}
                label={
                  <>
                    <span className="block text-ink">{type}</span>
                    <span className="block text-muted text-xs">{summary}</span>
                  </>
                }
              />
            </li>
          ))}
        </ul>
      </fieldset>
    </DialogForm>
  );
}

export function AddEndpoint({ api, choices }: { api: string; choices: readonly EventChoice[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Icon name="plus" />} onClick={() => setOpen(true)}>
        Add endpoint
      </Button>
      <EndpointDialog api={api} endpoint={null} choices={choices} open={open} onOpenChange={setOpen} />
    </>
  );
}
