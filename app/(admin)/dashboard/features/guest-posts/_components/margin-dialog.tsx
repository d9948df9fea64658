'use client';

import { useState } from 'react';
import { DialogForm } from '@/components/form/dialog-form';
import { saveFailure } from '@/components/form/http-failure';
import { TextField } from '@/components/form/text-field';
import { textOf } from '@/components/form/text-of';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';

type MarginDialogProps = {
  /** "3 sites". */
  sites: string;
  /** @param margin percent, as typed */
  onPrice: (margin: string) => Promise<void>;
};

/** Prices the ticked sites by a margin on their sellers' prices. */
export function MarginDialog({ sites, onPrice }: MarginDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button size="sm">Set price</Button>}
      title={`Price ${sites} by margin`}
      description="Public price = seller price plus the margin, rounded to the cent."
      size="sm"
    >
      <MarginForm onPrice={onPrice} />
    </Dialog>
  );
}

function MarginForm({ onPrice }: Pick<MarginDialogProps, 'onPrice'>) {
  const form = useApiForm({
    submit: (data) => onPrice(textOf(data, 'change.margin')).catch(saveFailure),
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <DialogForm form={form} submitLabel="Set price">
      <TextField
        name="change.margin"
        label="Margin"
        hint="From 0 to 1,000 percent, with at most two decimals."
        inputMode="decimal"
        autoComplete="off"
        trailing="%"
        defaultValue="25"
        error={form.fields['change.margin']}
      />
    </DialogForm>
  );
}
