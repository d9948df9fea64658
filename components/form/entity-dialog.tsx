'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { DeleteRecord } from '@/components/table/record-actions';
import { useRecordClose } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { ApiError, apiFetch, isSentForApproval, saveFailure } from '@/lib/browser/api-client';
import { type FieldSpec, Fields, listLabels } from './fields';
import { changesBetween, StaleChanges } from './unsaved-changes';
import { type FieldErrors, useApiForm } from './use-api-form';

type Entity = { id: number | string; version: number };

export type EntityEdit = {
  /** All fields of the form. A field that was not edited holds the value of the newest version read. */
  data: FormData;
  /** The fields that were edited; for a new record all of them. */
  changed: Record<string, FormDataEntryValue>;
  /** The version that the edit replaces; undefined for a new record. */
  version: number | undefined;
};

/** How a record is saved: through the REST API (see `restEntity`) or by server actions. */
type EntityStore<Row> = {
  /** @returns the text of the toast. @throws ApiError; 409 when the version is not the newest */
  save: (edit: EntityEdit) => Promise<string>;
  /** Reads the newest version after a 409. Without it the page is refreshed and passes a new `record`. */
  readLatest?: () => Promise<Row>;
  /** Deletes the record. Without it the dialog has no Delete button. @throws ApiError */
  remove?: () => Promise<unknown>;
};

export type EntityDialogProps<Row extends Entity> = {
  /** The stored record; null for a new one. */
  record: Row | null;
  name: string | undefined;
  /** E.g. "package". */
  noun: string;
  /** A dialog in the URL closes to `closeHref`; others are controlled by the caller. */
  at: { closeHref: string } | { open: boolean; onOpenChange: (open: boolean) => void };
  store: EntityStore<Row>;
  /** The fields. @param row the record that fills them; null for a new record */
  fields?: (row: Row | null) => readonly FieldSpec[];
  /** Further labels by name for the comparison with a newer version. They come first. */
  labels?: Readonly<Record<string, string>>;
  /** The value of a field in the form, where it is not the record's property as text. */
  getFormText?: (row: Row, field: string) => string;
  /** The text of a field for the comparison, where it is not the form value. */
  shownAs?: (row: Row, field: string) => string;
  validate?: (data: FormData) => FieldErrors;
  /** The Delete button: the consequence, other words than "Delete", and a callback after deletion. */
  deletion?: Pick<ComponentProps<typeof DeleteRecord>, 'consequence' | 'words'> & { onDeleted?: () => void };
  title?: ReactNode;
  description?: string;
  submitLabel?: string;
  /** The title of the comparison with a newer version, where the same user made it. */
  staleTitle?: string;
  /** The error message where the server sent no text. */
  fallback?: (status: number) => string;
  size?: ComponentProps<typeof Dialog>['size'];
  className?: string;
  /** Shown above the fields while there is no error. */
  notice?: ReactNode;
  /** Shown below the fields; rendered on the server. */
  below?: ReactNode;
  /** Fields that are not declared. */
  children?: (row: Row | null, errors: FieldErrors) => ReactNode;
};

/**
 * Renders the dialog that adds or edits a record with a version. When another user has saved a newer version, it shows
 * the differences and lets the user choose. The input stays after every error; closing with unsaved changes requires a
 * confirmation.
 */
export function EntityDialog<Row extends Entity>(props: EntityDialogProps<Row>) {
  const { record, name, noun, at, title = record ? `Edit ${name}` : `Add a ${noun}`, description, size } = props;
  const address = useRecordClose('closeHref' in at ? at.closeHref : '');
  const [isDirty, setIsDirty] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const close = () => {
    setIsDirty(false);
    if ('closeHref' in at) address.close();
    else at.onOpenChange(false);
  };
  const leave = () => (isDirty ? setIsLeaving(true) : close());
  return (
    <Dialog
      open={'closeHref' in at ? address.open : at.open}
      onOpenChange={(next) => {
        if (!next) leave();
        else if ('open' in at) at.onOpenChange(true);
      }}
      title={title}
      description={description}
      size={size}
    >
      <EntityForm {...props} onDirty={setIsDirty} onLeave={leave} onClose={close} />
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setIsLeaving}
        title="Discard your changes?"
        description="Your changes haven’t been saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={async () => close()}
      />
    </Dialog>
  );
}

type EntityFormProps<Row extends Entity> = EntityDialogProps<Row> & {
  onDirty: (isDirty: boolean) => void;
  onLeave: () => void;
  /** Closes without a confirmation. */
  onClose: () => void;
};

/** Renders the form of the dialog. It is mounted with each opening, so that it starts from the stored record. */
function EntityForm<Row extends Entity>(props: EntityFormProps<Row>) {
  const { record, name, noun, store, getFormText = fieldText, shownAs = getFormText, deletion } = props;
  const router = useRouter();
  /** The record that fills the form, and the newest version that the user has accepted to replace. */
  const [base, setBase] = useState(record);
  const [accepted, setAccepted] = useState(record);
  const [isStale, setIsStale] = useState(false);
  const [read, setRead] = useState<Row | null>(null);
  const newest = read ?? record;
  const fields = props.fields?.(base) ?? [];
  const theirs = isStale && newest && newest.version !== accepted?.version ? newest : null;

  const form = useApiForm<string>({
    validate: props.validate,
    submit: async (data) => {
      const isEdited = (field: string, value: FormDataEntryValue) => !base || value !== getFormText(base, field);
      const changed = Object.fromEntries([...data].filter(([field, value]) => isEdited(field, value)));
      if (accepted) {
        for (const field of [...data.keys()]) if (!(field in changed)) data.set(field, getFormText(accepted, field));
      }
      try {
        return await store.save({ data, changed, version: accepted?.version });
      } catch (cause) {
        if (accepted && cause instanceof ApiError && cause.status === 409 && !isSentForApproval(cause)) {
          setIsStale(true);
          if (store.readLatest) setRead(await store.readLatest().catch(() => null));
          else router.refresh();
        }
        throw cause;
      }
    },
    onSuccess: (saved) => {
      toast.success(saved);
      props.onClose();
      router.refresh();
    },
    fallback: props.fallback ?? ((status) => `Save failed (HTTP ${status})`),
  });

  /** Continues with the user's input, or with the newer version. */
  const resolve = (next: Row, isTheirs: boolean) => {
    setAccepted(next);
    setIsStale(false);
    if (isTheirs) {
      setBase(next);
      props.onDirty(false);
    }
    form.reset();
  };

  return (
    // A new key resets the form's fields to `base`.
    <form key={base?.version} className="contents" {...form.formProps} onChange={() => props.onDirty(true)}>
      <DialogBody className={cn('grid content-start', props.className ?? 'gap-4')}>
        {form.error ? <Alert tone="error">{form.error}</Alert> : props.notice}
        {base && theirs ? (
          <StaleChanges
            title={props.staleTitle}
            changes={changesBetween(
              { ...props.labels, ...Object.fromEntries(listLabels(fields)) },
              (field) => shownAs(base, field),
              (field) => shownAs(theirs, field),
            )}
            onKeepMine={() => resolve(theirs, false)}
            onUseTheirs={() => resolve(theirs, true)}
          />
        ) : null}
        <Fields
          fields={fields}
          textOf={(field) => (base ? getFormText(base, field) : undefined)}
          errors={form.fields}
        />
        {props.children?.(base, form.fields)}
        {props.below}
      </DialogBody>
      <DialogFooter>
        {record && deletion && store.remove ? (
          <DeleteRecord
            {...deletion}
            remove={store.remove}
            noun={noun}
            name={name ?? ''}
            onDeleted={() => {
              deletion.onDeleted?.();
              props.onClose();
            }}
          />
        ) : null}
        <Button onClick={props.onLeave}>Cancel</Button>
        <Button type="submit" variant="primary" pending={form.pending}>
          {props.submitLabel ?? (record ? 'Save changes' : `Add ${noun}`)}
        </Button>
      </DialogFooter>
    </form>
  );
}

type FieldValues = Record<string, FormDataEntryValue>;

/**
 * Saves a record through the REST API: POST to the collection, PUT and DELETE to the record, with only the edited
 * fields.
 * @param bodyOf the request body of the edited fields; the fields as they are by default
 */
export function restEntity<Row extends Entity & { name: string }>(
  collection: string,
  record: Row | null,
  bodyOf: (fields: FieldValues) => Record<string, unknown> = (fields) => fields,
): EntityStore<Row> {
  const path = record ? `${collection}/${record.id}` : collection;
  return {
    save: async ({ changed, version }) => {
      const body = { ...bodyOf(changed), version };
      const saved = await apiFetch<Row>(path, { method: record ? 'PUT' : 'POST', body }).catch(saveFailure);
      return `${saved.name} ${record ? 'saved' : 'added'}.`;
    },
    readLatest: () => apiFetch<Row>(path),
    remove: () => apiFetch(path, { method: 'DELETE' }),
  };
}

/** Returns a property of a record as the value of a form field; '' for null and undefined. */
export function fieldText(row: object, field: string): string {
  const value: unknown = Object.entries(row).find(([name]) => name === field)?.[1];
  return value === null || value === undefined ? '' : String(value);
}
