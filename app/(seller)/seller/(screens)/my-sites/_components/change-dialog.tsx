'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DialogForm } from '@/components/form/dialog-form';
import { type FieldSpec, Fields, getFormText } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { countOf } from '@/components/ui/format';
import { parseMoney } from '@/lib/money';
import type { OwnBulkOutcome } from '@/lib/sites/own-bulk/schemas';
import { ChangePreview } from './change-preview';
import { changeSites, type SentChange } from './send-change';

const buttons = { price: 'Change price', turnaround: 'Turnaround', language: 'Language', niche: 'Niche' } as const;
type ChangedField = keyof typeof buttons;

type ChangeDialogProps = {
  ids: readonly number[];
  field: ChangedField;
  niches?: readonly string[];
  onDone: () => void;
};

/** Renders the button and the dialog of one change of several sites: the form, then a preview of what it does. */
export function ChangeDialog({ ids, field, niches, onDone }: ChangeDialogProps) {
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
      title={`Change the ${what} of ${countOf(ids.length, 'site')}`}
      description={field === 'price' ? undefined : 'Sites on sale return to review, and leave the sale until then.'}
    >
      <ChangeSteps
        {...{ ids, field, niches }}
        onSaved={() => {
          setOpen(false);
          onDone();
        }}
      />
    </Dialog>
  );
}

type Previewed = { change: SentChange; outcome: OwnBulkOutcome };

function ChangeSteps({
  ids,
  field,
  niches = [],
  onSaved,
}: Omit<ChangeDialogProps, 'onDone'> & { onSaved: () => void }) {
  const router = useRouter();
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  const preview = async (change: SentChange) => {
    setPreviewed({ change, outcome: await changeSites(ids, change, { dryRun: true }) });
  };
  const form = useApiForm({
    validate: (data): FieldErrors => (field === 'price' ? validatePrice(data) : requireText(data, field)),
    submit: (data) => preview(field === 'price' ? { price: readPrice(data) } : { [field]: textOf(data, field) }),
  });
  return (
    <>
      {/* The form stays, so that its input is there again after the preview. */}
      <div className={previewed ? 'hidden' : 'contents'}>
        <DialogForm form={form} submitLabel="Preview">
          <Fields fields={fieldsOf(field, niches)} errors={form.fields} />
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

const fieldsOf = (field: ChangedField, niches: readonly string[]): FieldSpec[] =>
  ({
    price: priceFields,
    turnaround: [
      {
        name: 'change.turnaround',
        label: 'Turnaround',
        required: true,
        placeholder: '5 days',
        maxLength: 100,
        hint: 'Calendar days from the acceptance to the publication',
      },
    ],
    language: [{ name: 'change.language', label: 'Language', required: true, placeholder: 'English', maxLength: 100 }],
    niche: [{ name: 'change.niche', label: 'Niche', required: true, placeholder: 'Choose a niche', options: niches }],
  })[field];

const textOf = (data: FormData, field: ChangedField) => getFormText(data, `change.${field}`).trim();

function requireText(data: FormData, field: ChangedField): FieldErrors {
  return textOf(data, field) === '' ? { [`change.${field}`]: `Enter a ${field}.` } : {};
}

function validatePrice(data: FormData): FieldErrors {
  const cents = parseMoney(textOf(data, 'price').replace(/\s*%$/, ''));
  return cents !== null && cents > 0 ? {} : { 'change.price': 'Enter a number above 0, e.g. 10 or 2.50.' };
}

/** Reads the change of the price. Percentages have two decimals, as amounts do. */
function readPrice(data: FormData): NonNullable<SentChange['price']> {
  const hundredths = parseMoney(textOf(data, 'price').replace(/\s*%$/, '')) ?? 0;
  switch (getFormText(data, 'mode')) {
    case 'raisePercent':
      return { percent: hundredths / 100 };
    case 'lowerPercent':
      return { percent: -hundredths / 100 };
    case 'raise':
      return { cents: hundredths };
    case 'lower':
      return { cents: -hundredths };
    default:
      return { set: hundredths };
  }
}
