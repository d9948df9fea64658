'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';

export type StepDialogProps = {
  trigger: ReactElement<{ onClick?: () => void }>;
  title: string;
  description?: string;
  submitLabel: string;
  /** The URL of the step. */
  endpoint: string;
  /** The request body of the form. */
  bodyOf: (data: FormData) => Record<string, unknown>;
  validate?: (data: FormData) => FieldErrors;
  /** The field that shows an error without a field, by HTTP status. */
  fieldOf?: Partial<Record<number, string>>;
  /** The message after the step. */
  done: string;
  /** The fields, with the errors of the last attempt. */
  children: (errors: FieldErrors) => ReactNode;
};

/** A dialog with the form of one step of an order. After the step, the page is read again. */
export function StepDialog({ trigger, title, description, ...form }: StepDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={trigger}
      open={open}
      onOpenChange={setOpen}
      title={title}
      {...(description !== undefined && { description })}
      size="md"
    >
      <StepForm {...form} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

type StepFormProps = Omit<StepDialogProps, 'trigger' | 'title' | 'description'> & { onDone: () => void };

function StepForm({ submitLabel, endpoint, bodyOf, validate, fieldOf, done, onDone, children }: StepFormProps) {
  const router = useRouter();
  const form = useApiForm<unknown>({
    ...(validate && { validate }),
    submit: (data) =>
      apiFetch(endpoint, { method: 'POST', body: bodyOf(data) })
        .catch(redirectIfSignedOut)
        .catch((cause: unknown) => {
          throw assignToField(cause, fieldOf);
        }),
    onSuccess: () => {
      toast.success(done);
      onDone();
      router.refresh();
    },
    fallback: (status) =>
      status === 0 ? 'No connection to the server. Try again.' : `The request failed (HTTP ${status}). Try again.`,
  });
  return (
    <DialogForm form={form} submitLabel={submitLabel}>
      {children(form.fields)}
    </DialogForm>
  );
}

/** An error of a status that concerns one field is shown at that field. */
function assignToField(cause: unknown, fieldOf: StepDialogProps['fieldOf']): unknown {
  if (!(cause instanceof ApiError)) return cause;
  const field = fieldOf?.[cause.status];
  if (field === undefined || Object.keys(cause.fields).length > 0) return cause;
  return new ApiError(cause.status, cause.message, { [field]: cause.message }, cause.url, cause.code);
}
