'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { ApiError } from '@/lib/browser/api-client';
import { Dialog } from '../ui/dialog';
import { DialogForm } from './dialog-form';
import { changesBetween, TheirChanges } from './their-changes';
import { type FieldErrors, useApiForm } from './use-api-form';

type VersionedDialogProps<Row, Names extends string> = {
  /** As it is stored now; undefined for a new one. */
  row: Row | undefined;
  /** E.g. "notification". */
  noun: string;
  /** What the row is called. */
  nameOf: (row: Row) => string;
  /** What can be told apart of two versions, with the names of the fields. */
  labels: Readonly<Record<Names, string>>;
  textsOf: (row: Row) => Readonly<Record<Names, string>>;
  /** Sends it by a server action. @returns what was saved, in words. @throws ApiError */
  save: (data: FormData) => Promise<string>;
  description?: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The fields. @param row what they begin with */
  children: (row: Row | undefined, errors: FieldErrors) => ReactNode;
};

/**
 * The add and edit dialog of what server actions write. `save` names the version of `row`: where somebody else was
 * quicker, the server refuses, the list is read again, and what they changed stands above what was typed.
 */
export function VersionedDialog<Row, Names extends string>(props: VersionedDialogProps<Row, Names>) {
  const { row, noun, nameOf, open, onOpenChange, description } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={row ? `Edit ${nameOf(row)}` : `Add ${noun}`}
      description={description}
    >
      <VersionedForm {...props} />
    </Dialog>
  );
}

/** Inside the dialog, so that each opening begins with what is stored then. */
function VersionedForm<Row, Names extends string>(props: VersionedDialogProps<Row, Names>) {
  const { row, noun, labels, textsOf, save, onOpenChange, children } = props;
  const router = useRouter();
  const [base] = useState(row);
  const form = useApiForm({
    submit: async (data) => {
      try {
        return await save(data);
      } catch (cause) {
        if (row && cause instanceof ApiError && cause.status === 409) router.refresh();
        throw cause;
      }
    },
    onSuccess: (saved) => {
      toast.success(saved);
      router.refresh();
      onOpenChange(false);
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <DialogForm form={form} submitLabel={row ? `Save ${noun}` : `Add ${noun}`}>
      {base && row ? <TheirChanges changes={changesBetween(labels, textsOf(base), textsOf(row))} /> : null}
      {children(base, form.fields)}
    </DialogForm>
  );
}
