'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { callAction } from '@/lib/browser/api-client';
import type { ActionResult } from '@/lib/platform/http/action';
import { EditDeleteMenu } from './action-menu';
import { EntityDialog, type EntityDialogProps, fieldText } from './entity-dialog';
import { getFormText } from './fields';

type Opening = { open: boolean; onOpenChange: (open: boolean) => void };

/** Renders the button that opens the dialog for a new record. */
export function AddRecord({ label, children }: { label: string; children: (at: Opening) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Icon name="plus" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {children({ open, onOpenChange: setOpen })}
    </>
  );
}

type Key = { id: string; version: number };
type Action<Input> = (input: Input) => Promise<ActionResult<unknown>>;

type ActionEditorProps<Row extends Key, Values> = Pick<
  EntityDialogProps<Row>,
  'record' | 'noun' | 'fields' | 'labels' | 'shownAs' | 'description'
> & {
  /** The field that names a record. */
  nameField?: string;
  /** The noun in the question before deletion, where it is more specific. */
  subject?: string;
  /** The consequence of deleting the record. */
  consequence: string;
  /** What happened to a new record, for the message. */
  added?: string;
  valuesOf: (data: FormData) => Values;
  create: Action<Values>;
  update: Action<Values & Key>;
  remove: Action<Key>;
};

/** Renders the Add button, or the menu of a record, with the dialog that saves by server actions. */
export function ActionEditor<Row extends Key, Values extends object>(props: ActionEditorProps<Row, Values>) {
  const { record, noun, nameField = 'name', subject = noun, consequence, added = 'added', ...editor } = props;
  const { valuesOf, create, update, remove, ...dialog } = editor;
  const [open, setOpen] = useState(false);
  const name = record ? fieldText(record, nameField) : '';
  const save: EntityDialogProps<Row>['store']['save'] = async ({ data, version }) => {
    const values = valuesOf(data);
    // The name of some records is not a field of the form.
    const saved = getFormText(data, nameField).trim() || `The ${noun} was`;
    if (record && version !== undefined) {
      await callAction(() => update({ ...values, id: record.id, version }));
      return `${saved} saved.`;
    }
    await callAction(() => create(values));
    return `${saved} ${added}.`;
  };
  const renderDialog = (at: Opening) => (
    <EntityDialog
      {...dialog}
      record={record}
      name={name}
      noun={noun}
      at={at}
      store={{ save }}
      title={record ? undefined : `Add ${noun}`}
      submitLabel={record ? `Save ${noun}` : `Add ${noun}`}
    />
  );
  if (!record) return <AddRecord label={`Add ${noun}`}>{renderDialog}</AddRecord>;
  return (
    <>
      <EditDeleteMenu
        name={name}
        onEdit={() => setOpen(true)}
        question={`Delete the ${subject} “${name}”?`}
        consequence={consequence}
        confirmLabel={`Delete ${noun}`}
        remove={() => callAction(() => remove({ id: record.id, version: record.version }))}
      />
      {renderDialog({ open, onOpenChange: setOpen })}
    </>
  );
}
