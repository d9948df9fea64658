'use client';

import { Dices } from 'lucide-react';
import { useRef } from 'react';
import { EntityDialog, restEntity } from '@/components/form/entity-dialog';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import type { LicenseView } from '@/lib/licenses/views';

/** Crockford's base 32. It omits I, L, O and U to avoid misreading. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const groups = 5;

const groupLength = 5;

const labels = { name: 'Name', key: 'Key', status: 'Status', packageId: 'Package', userId: 'User' };

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];

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
      labels={labels}
      validate={validate}
      deletion={{ consequence: 'This can’t be undone, and the key can be issued again.' }}
    >
      {(row, errors) => (
        <>
          <TextField
            name="name"
            label={labels.name}
            required
            maxLength={120}
            autoComplete="off"
            defaultValue={row?.name}
            error={errors.name}
          />
          <KeyField label={labels.key} value={row?.key} error={errors.key} />
          <div className="grid gap-4 sm:grid-cols-3">
            <SelectField
              name="status"
              label={labels.status}
              options={statuses}
              defaultValue={row?.status}
              error={errors.status}
            />
            <SelectField
              name="packageId"
              label={labels.packageId}
              placeholder="None"
              options={includeCurrent(packages, row?.packageId, row?.packageName)}
              defaultValue={row?.packageId ?? ''}
              error={errors.packageId}
            />
            <SelectField
              name="userId"
              label={labels.userId}
              placeholder="None"
              options={includeCurrent(people, row?.userId, row?.userName)}
              defaultValue={row?.userId ?? ''}
              error={errors.userId}
            />
          </div>
        </>
      )}
    </EntityDialog>
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

/** The license key, typed or generated. */
function KeyField({ label, value, error }: { label: string; value: string | undefined; error?: string }) {
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
            name="key"
            defaultValue={value}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
          <Button onClick={generate} icon={<Dices className="size-4" />}>
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
