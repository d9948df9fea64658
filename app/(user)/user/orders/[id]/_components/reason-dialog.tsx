'use client';

import { type ComponentProps, useState } from 'react';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/form-text';
import { SelectField } from '@/components/form/select-field';
import { TextareaField } from '@/components/form/textarea-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';

type ReasonDialogProps = {
  trigger: ComponentProps<typeof Dialog>['trigger'];
  title: string;
  description: string;
  /** A string is its own label. */
  reasons: readonly (string | { value: string; label: string })[];
  textLabel: string;
  submitLabel: string;
  /** @throws ApiError */
  onSubmit: (reason: string, text: string) => Promise<void>;
};

/** Asks for a reason from a list, and for words. */
export function ReasonDialog({ trigger, title, description, ...form }: ReasonDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen} trigger={trigger} title={title} description={description}>
      <ReasonForm {...form} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

type ReasonFormProps = Omit<ReasonDialogProps, 'trigger' | 'title' | 'description'> & { onDone: () => void };

function ReasonForm({ reasons, textLabel, submitLabel, onSubmit, onDone }: ReasonFormProps) {
  const options = reasons.map((one) => (typeof one === 'string' ? { value: one, label: one } : one));
  const form = useApiForm({
    validate: (data) => ({
      ...(getFormText(data, 'reason') === '' && { reason: 'Choose a reason.' }),
      ...(getFormText(data, 'text').trim() === '' && { text: 'Describe it in a few words.' }),
    }),
    submit: (data) => onSubmit(getFormText(data, 'reason'), getFormText(data, 'text')),
    onSuccess: onDone,
    fallback: () => 'This couldn’t be sent. Check your connection and try again.',
  });
  return (
    <DialogForm form={form} submitLabel={submitLabel}>
      <SelectField
        name="reason"
        label="Reason"
        required
        placeholder="Choose a reason"
        options={options}
        error={form.fields.reason}
      />
      <TextareaField name="text" label={textLabel} required rows={5} maxLength={4_000} error={form.fields.text} />
    </DialogForm>
  );
}
