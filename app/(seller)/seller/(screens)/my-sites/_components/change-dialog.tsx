'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DialogForm } from '@/components/form/dialog-form';
import { type FieldSpec, Fields, getFormText } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { turnaroundField } from '@/components/sites/site-fields';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { countOf } from '@/components/ui/format';
import { parseField, parsePrice } from '@/lib/platform/parse-number';
import type { DayKind } from '@/lib/settings/placement-rules';
import type { OwnBulkOutcome } from '@/lib/sites/own-bulk/schemas';
import { ChangePreview } from './change-preview';
import { changeSites, type SentChange } from './send-change';

const buttons = { price: 'Change price', turnaround: 'Turnaround', language: 'Language', niche: 'Niche' } as const;
type ChangedField = keyof typeof buttons;

type ChangeDialogProps = {
  ids: readonly number[];
  field: ChangedField;
  niches: readonly string[];
  /** The days that a turnaround counts. */
  dayKind: DayKind;
  onDone: () => void;
};

/** Renders the button and the dialog of one change of several sites: the form, then a preview of what it does. */
export function ChangeDialog({ field, onDone, ...choices }: ChangeDialogProps) {
  const [open, setOpen] = useState(false);
  const label = buttons[field];
  const what = field === 'price' ? 'price' : label.toLowerCase();
  return (
    <Dialog
      trigger={
        <Button size="sm" variant={field === 'price' ? 'primary' : undefined}>
          {label}
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={`Change the ${what} of ${countOf(choices.ids.length, 'site')}`}
      description={
        field === 'price'
          ? undefined
          : 'Sites on sale return to review: buyers cannot order them until we approve the change.'
      }
    >
      <ChangeSteps
        {...{ ...choices, field }}
        onSaved={() => {
          setOpen(false);
          onDone();
        }}
      />
    </Dialog>
  );
}

type Previewed = { change: SentChange; outcome: OwnBulkOutcome };

function ChangeSteps({ ids, field, onSaved, ...choices }: Omit<ChangeDialogProps, 'onDone'> & { onSaved: () => void }) {
  const router = useRouter();
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  const preview = async (change: SentChange) => {
    setPreviewed({ change, outcome: await changeSites(ids, change, { dryRun: true }) });
  };
  const form = useApiForm({
    validate: (data) => readChange(data, field).errors,
    submit: (data) => preview(readChange(data, field).change),
  });
  return (
    <>
      {/* The form stays, so that its input is there again after the preview. */}
      <div className={previewed ? 'hidden' : 'contents'}>
        <DialogForm form={form} submitLabel="Preview">
          <Fields fields={fieldsOf(field, choices)} errors={form.fields} />
        </DialogForm>
      </div>
      {previewed ? (
        <ChangePreview
          outcome={previewed.outcome}
          save={() => changeSites(ids, previewed.change, { preview: previewed.outcome.preview })}
          refresh={() => preview(previewed.change)}
          onBack={() => setPreviewed(null)}
          onSaved={() => {
            onSaved();
            router.refresh();
          }}
        />
      ) : null}
    </>
  );
}

const priceModes = {
  raisePercent: 'Raise by percent',
  lowerPercent: 'Lower by percent',
  raise: 'Raise by an amount',
  lower: 'Lower by an amount',
  set: 'Set to an amount',
} as const;

const roundingRule =
  'An amount is in the currency of each site. A percentage is rounded to the cent, half a cent away from zero. No price goes below 0.01.';

const priceFields: FieldSpec[] = [
  { name: 'mode', label: 'Change', options: priceModes, defaultValue: 'raisePercent' },
  {
    name: 'change.price',
    label: 'Percent or amount',
    required: true,
    inputMode: 'decimal',
    placeholder: '10',
    hint: roundingRule,
  },
];

const fieldsOf = (
  field: ChangedField,
  { niches, dayKind }: Pick<ChangeDialogProps, 'niches' | 'dayKind'>,
): FieldSpec[] =>
  ({
    price: priceFields,
    turnaround: [{ ...turnaroundField(dayKind), name: 'change.turnaround', required: true }],
    language: [{ name: 'change.language', label: 'Language', required: true, placeholder: 'English', maxLength: 100 }],
    niche: [{ name: 'change.niche', label: 'Niche', required: true, placeholder: 'Choose a niche', options: niches }],
  })[field];

/** Reads the form. Numbers are read as in a file. */
function readChange(data: FormData, field: ChangedField): { change: SentChange; errors: FieldErrors } {
  const text = getFormText(data, `change.${field}`).trim();
  if (text === '') return refuse(field, field === 'price' ? 'Enter a number above 0, e.g. 10.' : `Enter a ${field}.`);
  return field === 'price' ? readPrice(text, getFormText(data, 'mode')) : { change: { [field]: text }, errors: {} };
}

const refuse = (field: ChangedField, reason: string) => ({ change: {}, errors: { [`change.${field}`]: reason } });

function readPrice(text: string, mode: string): ReturnType<typeof readChange> {
  const sign = mode.startsWith('lower') ? -1 : 1;
  if (mode.endsWith('Percent')) {
    const max = sign < 0 ? 99.99 : 1_000;
    const { decimal, reason } = parseField(text, { label: 'Percentage', kind: 'score', min: 0.01, max });
    if (reason !== undefined) return refuse('price', reason);
    const percent = Number(decimal);
    if (percent !== Math.round(percent * 100) / 100) return refuse('price', `“${text}” has more than two decimals.`);
    return { change: { price: { percent: sign * percent } }, errors: {} };
  }
  const amount = parsePrice(text, 'typed');
  if ('reason' in amount) return refuse('price', amount.reason);
  if (amount.currency)
    return refuse('price', `“${text}” is in ${amount.currency}: enter the amount without a currency.`);
  const { cents } = amount;
  return { change: { price: mode === 'set' ? { set: cents } : { cents: sign * cents } }, errors: {} };
}
