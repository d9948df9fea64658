'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { EntityDialog, restEntity } from '@/components/form/entity-dialog';
import { type FilledField, getFormText } from '@/components/form/fields';
import { Badge } from '@/components/ui/badge';
import { Button, IconButton } from '@/components/ui/button';
import { Input } from '@/components/ui/controls';
import { copyText } from '@/components/ui/copy-button';
import { Field } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/progress';
import { ApiError, apiFetch, httpFailure } from '@/lib/browser/api-client';
import type { LicenseView } from '@/lib/licenses/contract';

/** Crockford's base 32. It omits I, L, O and U to avoid misreading. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const groups = 5;

const groupLength = 5;

const statuses = { active: 'Active', inactive: 'Inactive' };

export type LicenseChoices = {
  packages: readonly { value: string; label: string }[];
  people: readonly { value: string; label: string }[];
};

type LicenseEditorProps = LicenseChoices & {
  /** Null for a new license. */
  record: LicenseView | null;
  closeHref: string;
};

/** Creates or edits a license. */
export function LicenseEditor({ record, closeHref, packages, people }: LicenseEditorProps) {
  return (
    <EntityDialog
      record={record}
      name={record?.name}
      noun="license"
      at={{ closeHref }}
      store={restEntity('/api/licenses', record)}
      validate={validate}
      deletion={{ consequence: 'This can’t be undone, and the key can be issued again.' }}
      fields={(row) => [
        { name: 'name', label: 'Name', required: true, maxLength: 120 },
        { name: 'key', label: 'Key', render: (field) => <KeyField {...field} /> },
        {
          columns: 'sm:grid-cols-3',
          fields: [
            { name: 'status', label: 'Status', options: statuses },
            {
              name: 'packageId',
              label: 'Package',
              placeholder: 'None',
              options: includeCurrent(packages, row?.packageId, row?.packageName),
            },
            {
              name: 'userId',
              label: 'User',
              placeholder: 'None',
              options: includeCurrent(people, row?.userId, row?.userName),
            },
          ],
        },
      ]}
    />
  );
}

/**
 * Adds the license's current value if the options lack it, because its record was deleted or exceeds the list's limit.
 */
function includeCurrent(
  options: readonly { value: string; label: string }[],
  id: string | number | null | undefined,
  name: string | null | undefined,
) {
  const value = String(id ?? '');
  const isListed = value === '' || options.some((option) => option.value === value);
  return isListed ? options : [{ value, label: name || value }, ...options];
}

function validate(data: FormData): Record<string, string> {
  const found: Record<string, string> = {};
  if (getFormText(data, 'name').trim() === '') found.name = 'Enter a name.';
  if (getFormText(data, 'key').trim() === '') found.key = 'Enter a key, or generate one.';
  return found;
}

/** Renders the license key, typed or generated. */
function KeyField({ label, error, ...field }: FilledField) {
  const input = useRef<HTMLInputElement>(null);
  const generate = () => {
    if (!input.current) return;
    input.current.value = newKey();
    // React does not see programmatic changes. The events mark the form as changed and clear the field's error.
    for (const type of ['input', 'change']) input.current.dispatchEvent(new Event(type, { bubbles: true }));
    input.current.focus();
  };
  return (
    <Field label={label} error={error} required>
      {(control) => (
        <span className="flex gap-2">
          <Input
            {...control}
            ref={input}
            {...field}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
          <Button onClick={generate} icon={<Icon name="dices" />}>
            Generate
          </Button>
        </span>
      )}
    </Field>
  );
}

/** Generates a key with 125 random bits, e.g. "7K3QD-0M8XV-…". 32 divides 256, so all characters are equally likely. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(groups * groupLength));
  const text = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
  return Array.from({ length: groups }, (_, index) => text.slice(index * groupLength, (index + 1) * groupLength)).join(
    '-',
  );
}

/** Renders a license key with a copy button. */
export function CopyKey({ licenseKey, name }: { licenseKey: string; name: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(licenseKey);
    setIsCopied(done);
    if (done) toast.success('Key copied.');
    else toast.error('Your browser blocked copying. Select the key and copy it.');
  };
  const icon = isCopied ? 'check' : 'copy';
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 truncate text-xs">{licenseKey}</code>
      <IconButton label={`Copy the key of ${name}`} onClick={copy} className="shrink-0">
        <Icon name={icon} className="size-3.5" />
      </IconButton>
    </span>
  );
}

type StatusToggleProps = { id: number; name: string; isActive: boolean };

/** Renders a status badge that activates or deactivates the license when clicked. */
export function StatusToggle({ id, name, isActive }: StatusToggleProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const toggle = () =>
    startTransition(async () => {
      try {
        await apiFetch(`/api/licenses/${id}`, { method: 'PUT', body: { status: isActive ? 'inactive' : 'active' } });
        startTransition(() => router.refresh());
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        toast.error(httpFailure('Save failed', cause));
      }
    });
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isActive}
      aria-label={`${name} is active`}
      aria-busy={pending}
      data-tooltip={isActive ? 'Deactivate' : 'Activate'}
      disabled={pending}
      onClick={toggle}
      className="inline-flex min-h-6 items-center rounded-full disabled:cursor-progress"
    >
      <Badge tone={isActive ? 'green' : 'grey'} dot={!pending}>
        {pending ? <Spinner className="size-3" /> : null}
        {isActive ? 'Active' : 'Inactive'}
      </Badge>
    </button>
  );
}
