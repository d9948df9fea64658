'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { saveFailure } from '../form/http-failure';
import { type FieldErrors, useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { DialogBody, DialogFooter } from '../ui/dialog';
import { DeleteRecord } from './delete-record';
import { EditorDialog, useEditor } from './editor-dialog';
import { fieldText } from './field-text';
import { StaleChanges } from './stale-changes';

type Editable = { id: number | string; name: string; version: number };

type RecordEditorProps<Row extends Editable> = {
  /** Null for a new one. */
  record: Row | null;
  /** E.g. "package". */
  noun: string;
  /** Where a new one is posted; its own address is below. */
  collection: string;
  /** The list's address without the record. */
  closeHref: string;
  /** Every field of the form, by its name in the contract. */
  labels: Readonly<Record<string, string>>;
  /** What a field of the form is filled with, where that is not the row's own field as it is. */
  textOf?: (row: Row, field: string) => string;
  /** The body to send for what was filled in; the fields as they are unless said otherwise. */
  bodyOf?: (fields: Record<string, FormDataEntryValue>) => Record<string, unknown>;
  validate?: (data: FormData) => FieldErrors;
  /** What deleting means for everything else. */
  consequence: string;
  onDeleted?: (row: Row) => void;
  size?: ComponentProps<typeof EditorDialog>['size'];
  /** Under the fields, rendered on the server. */
  below?: ReactNode;
  /** What a field is shown as, where that is not what fills it. */
  shownAs?: (row: Row, field: string) => string;
  /** The fields. @param row what they are filled from; null for a new record */
  children: (row: Row | null, errors: FieldErrors) => ReactNode;
};

/**
 * The add and edit dialog of a record that has a version. Only what was really edited is sent; somebody else's change
 * in the meantime is shown; what was typed stays, whatever the server answers; closing with changes asks first.
 */
export function RecordEditor<Row extends Editable>(props: RecordEditorProps<Row>) {
  const { record, noun, collection, labels, textOf = fieldText, bodyOf = (fields) => fields, validate } = props;
  const { shownAs = textOf } = props;
  const router = useRouter();
  const editor = useEditor(props.closeHref);
  /** What the form was filled from, and what somebody else made of it in the meantime. */
  const [base, setBase] = useState(record);
  const [theirs, setTheirs] = useState<Row | null>(null);
  const [version, setVersion] = useState(record?.version);
  const path = record ? `${collection}/${record.id}` : collection;

  const form = useApiForm<Row>({
    validate,
    submit: async (data) => {
      const filled = [...data].filter(([field, value]) => !base || value !== textOf(base, field));
      const body = { ...bodyOf(Object.fromEntries(filled)), version };
      try {
        return await apiFetch<Row>(path, { method: record ? 'PUT' : 'POST', body });
      } catch (cause) {
        if (record && cause instanceof ApiError && cause.status === 409) {
          const latest = await apiFetch<Row>(path).catch(() => null);
          if (latest && latest.version !== version) setTheirs(latest);
        }
        return saveFailure(cause);
      }
    },
    onSuccess: (saved) => {
      toast.success(record ? `${saved.name} saved.` : `${saved.name} added.`);
      editor.close();
      router.refresh();
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });

  const changes =
    base && theirs
      ? Object.entries(labels).flatMap(([field, label]) => {
          const [was, now] = [shownAs(base, field), shownAs(theirs, field)];
          return was === now ? [] : [{ label, was, now }];
        })
      : [];
  const settle = (next: Row, isTheirs: boolean) => {
    setVersion(next.version);
    setTheirs(null);
    if (isTheirs) setBase(next);
    if (isTheirs) editor.settle();
    form.reset();
  };

  return (
    <EditorDialog editor={editor} title={record ? `Edit ${record.name}` : `Add a ${noun}`} size={props.size ?? 'lg'}>
      {/* A new key fills the form anew. */}
      <form key={base?.version} className="contents" {...form.formProps} onChange={editor.touch}>
        <DialogBody className="grid content-start gap-4">
          {form.error ? <Alert tone="error">{form.error}</Alert> : null}
          {theirs ? (
            <StaleChanges
              changes={changes}
              onKeepMine={() => settle(theirs, false)}
              onUseTheirs={() => settle(theirs, true)}
            />
          ) : null}
          {props.children(base, form.fields)}
          {props.below}
        </DialogBody>
        <DialogFooter>
          {record ? (
            <DeleteRecord
              remove={() => apiFetch(path, { method: 'DELETE' })}
              noun={noun}
              name={record.name}
              consequence={props.consequence}
              onDeleted={() => {
                props.onDeleted?.(record);
                editor.close();
              }}
            />
          ) : null}
          <Button onClick={editor.leave}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>
            {record ? 'Save changes' : `Add ${noun}`}
          </Button>
        </DialogFooter>
      </form>
    </EditorDialog>
  );
}
