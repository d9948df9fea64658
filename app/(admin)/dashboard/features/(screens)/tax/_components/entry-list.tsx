'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useId, useState } from 'react';
import { toast } from 'sonner';
import { EditDeleteMenu } from '@/components/form/action-menu';
import { DialogForm } from '@/components/form/dialog-form';
import { type FieldSpec, Fields, getFormText } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import type { CountryOption } from './save-part';

type EntryListProps<Entry> = {
  title: string;
  description: string;
  /** E.g. "VAT id". */
  noun: string;
  icon: ReactNode;
  /** What the list is for, while it is empty. */
  purpose: string;
  /** The name of the list in the input, so that the server's errors have the names of the fields. */
  field: string;
  entries: readonly Entry[];
  /** The most entries; the Add button is hidden above it. */
  max?: number;
  /** How an entry is recognized, and what else is shown of it. */
  show: (entry: Entry) => { name: string; detail: ReactNode };
  /** What happens when an entry is removed. */
  consequence: string;
  /** Saves the whole list. @throws ApiError */
  save: (entries: Entry[]) => Promise<unknown>;
  /** Reads an entry from the form. @param text returns the text of a field of the entry */
  read: (text: (name: string) => string) => Entry;
  /** The fields of the form. @param path the beginning of their names */
  children: (entry: Entry | null, path: string, errors: FieldErrors) => ReactNode;
};

/** Lists entries of the operator, which are added, edited and removed in dialogs. */
export function EntryList<Entry>(props: EntryListProps<Entry>) {
  const { title, description, noun, icon, purpose, entries, max = 100, show, consequence, save } = props;
  const id = useId();
  /** The place of the entry whose dialog is open; the number of entries for a new one. */
  const [opened, setOpened] = useState<number | null>(null);
  const isFull = entries.length >= max;
  const add = (
    <Button size="sm" icon={<Icon name="plus" />} aria-haspopup="dialog" onClick={() => setOpened(entries.length)}>
      Add {noun}
    </Button>
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        title={<span id={id}>{title}</span>}
        description={description}
        actions={entries.length > 0 && !isFull ? add : null}
      />
      {entries.length === 0 ? (
        <EmptyState icon={icon} title={`No ${noun} yet`} action={add}>
          {purpose}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {entries.map((entry, index) => {
            const { name, detail } = show(entry);
            return (
              <li key={name} className="flex items-start justify-between gap-3 px-4 py-3 sm:px-5">
                <div className="wrap-anywhere grid min-w-0 gap-0.5 text-sm">
                  <span className="font-medium text-ink">{name}</span>
                  <span className="text-muted">{detail}</span>
                </div>
                <EditDeleteMenu
                  name={name}
                  onEdit={() => setOpened(index)}
                  question={`Remove the ${noun} “${name}”?`}
                  consequence={consequence}
                  confirmLabel={`Remove ${noun}`}
                  deleted={`${name} removed.`}
                  remove={() => save(entries.filter((other) => other !== entry))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <Dialog
        open={opened !== null}
        onOpenChange={(open) => setOpened(open ? opened : null)}
        title={opened === entries.length ? `Add ${noun}` : `Edit ${noun}`}
      >
        {opened === null ? null : <EntryForm {...props} index={opened} onDone={() => setOpened(null)} />}
      </Dialog>
    </Card>
  );
}

type CountryEntriesProps<Entry> = Omit<EntryListProps<Entry>, 'children'> & {
  countries: readonly CountryOption[];
  /** The country of a new entry; empty for none. */
  country?: string;
  /** The other fields of the form. @param path the beginning of their names */
  fields: (entry: Entry | null, path: string) => readonly FieldSpec[];
};

/** Lists entries that belong to a country, as EntryList does. */
export function CountryEntries<Entry extends { country: string }>(props: CountryEntriesProps<Entry>) {
  const { countries, country, fields, ...list } = props;
  return (
    <EntryList {...list}>
      {(entry, path, errors) => (
        <Fields
          errors={errors}
          fields={[
            {
              name: `${path}.country`,
              label: 'Country',
              required: true,
              placeholder: 'Choose a country',
              options: countries,
              defaultValue: entry?.country ?? country,
              className: 'col-span-full',
            },
            ...fields(entry, path),
          ]}
        />
      )}
    </EntryList>
  );
}

type EntryFormProps<Entry> = EntryListProps<Entry> & { index: number; onDone: () => void };

function EntryForm<Entry>({ noun, field, entries, save, read, children, index, onDone }: EntryFormProps<Entry>) {
  const router = useRouter();
  const path = `${field}.${index}`;
  const form = useApiForm({
    submit: (data) =>
      save(
        entries.toSpliced(
          index,
          1,
          read((name) => getFormText(data, `${path}.${name}`)),
        ),
      ),
    onSuccess: () => {
      onDone();
      toast.success('Saved');
      router.refresh();
    },
    fallback: () => `The ${noun} couldn’t be saved. Please try again.`,
  });
  return (
    <DialogForm form={form} submitLabel={`Save ${noun}`} className="gap-4 sm:grid-cols-2">
      {children(entries[index] ?? null, path, form.fields)}
    </DialogForm>
  );
}
