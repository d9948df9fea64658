'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Card } from '@/components/ui/card';
import { callAction } from '@/lib/browser/api-client';
import { savePlacementRulesAction } from '@/lib/settings/actions';
import type { PlacementRules } from '@/lib/settings/placement-rules';

type RuleField = { name: Exclude<keyof PlacementRules, 'dayKind'>; label: string; hint: string };

const guarantee = 'Guarantee of the link';
const delivery = 'Delivery';

const dayKindOptions = [
  { value: 'calendar', label: 'Calendar days' },
  { value: 'business', label: 'Business days (Monday to Friday, UTC)' },
] as const satisfies { value: PlacementRules['dayKind']; label: string }[];

/** The fields in the order of a placement's steps. */
const groups: { title: string; fields: RuleField[] }[] = [
  {
    title: 'Offer',
    fields: [
      {
        name: 'answerHours',
        label: 'Time to answer, in hours',
        hint: 'Then the offer expires and the buyer is refunded.',
      },
      { name: 'answerReminderHours', label: 'Reminder before it, in hours', hint: 'To the seller.' },
    ],
  },
  {
    title: delivery,
    fields: [
      {
        name: 'deliveryGraceDays',
        label: 'Days after the turnaround',
        hint: 'Added to the turnaround of the site to set the due day. Counted in the same days.',
      },
      { name: 'deliveryReminderDays', label: 'Reminder before the due day, in days', hint: 'To the seller.' },
      {
        name: 'lateCancelDays',
        label: 'Days until a late order is canceled',
        hint: 'Before that, the buyer can cancel it.',
      },
    ],
  },
  {
    title: 'Approval',
    fields: [
      { name: 'approveDays', label: 'Days to answer a delivery', hint: 'Then the delivery is approved.' },
      { name: 'maxRevisions', label: 'Changes the buyer can request', hint: 'For each order.' },
    ],
  },
  {
    title: guarantee,
    fields: [
      {
        name: 'approvalPercent',
        label: 'Payable at the approval, in percent',
        hint: 'Of the seller’s share. The rest becomes payable over the guarantee. Applies to new orders.',
      },
      {
        name: 'guaranteeDays',
        label: 'Days of the guarantee',
        hint: 'The link is checked and must stay in place. Applies to new orders.',
      },
      {
        name: 'repairDays',
        label: 'Days to repair a missing link',
        hint: 'Then what is not payable yet returns to the buyer.',
      },
      { name: 'checksPerHostHour', label: 'Checks of a website in an hour', hint: 'Over all orders.' },
    ],
  },
  {
    title: 'Disputes and messages',
    fields: [
      { name: 'silenceDays', label: 'Days to answer a proposal', hint: 'Then the proposal counts as accepted.' },
      { name: 'unreadMailMinutes', label: 'Minutes until a message is emailed', hint: 'If it is still unread.' },
    ],
  },
];

type RulesFormProps = {
  rules: PlacementRules;
  /** The allowed numbers of each field. */
  bounds: Readonly<Partial<Record<string, { min: number; max: number }>>>;
  version: number;
};

/** Edits the clocks and limits of placements. */
export function RulesForm({ rules, bounds, version: stored }: RulesFormProps) {
  const router = useRouter();
  const form = useApiForm({
    version: stored,
    submit: (data, version) => callAction(() => savePlacementRulesAction({ ...readRules(data, rules), version })),
    onSuccess: () => {
      toast.success('Saved');
      router.refresh();
    },
    fallback: () => 'The rules couldn’t be saved. Please try again.',
  });
  const [schedule, setSchedule] = useState(rules);
  return (
    <Card className="max-w-3xl" aria-label="Placement rules">
      <CardForm
        form={form}
        data-unmarked=""
        onInput={(event) => {
          form.formProps.onInput(event);
          setSchedule(readRules(new FormData(event.currentTarget), rules));
        }}
        className="gap-6"
        submitLabel="Save rules"
        variant="primary"
      >
        <p className="text-muted text-sm">
          Days are calendar days, except where business days are chosen. Deadlines that are already set stay. Reminders,
          and cancellations of late orders, follow the new rules.
        </p>
        {groups.map((group) => (
          <fieldset key={group.title} className="grid content-start gap-4 sm:grid-cols-2">
            <legend className="mb-3 font-medium text-ink text-sm">{group.title}</legend>
            {group.title === delivery ? (
              <SelectField
                name="dayKind"
                label="Days of the turnaround"
                options={dayKindOptions}
                defaultValue={rules.dayKind}
                error={form.fields.dayKind}
                hint="Of the turnaround and the days after it. Public holidays count as business days."
              />
            ) : null}
            {group.fields.map(({ name, label, hint }) => (
              <TextField
                key={name}
                name={name}
                label={label}
                required
                type="number"
                min={bounds[name]?.min}
                max={bounds[name]?.max}
                defaultValue={String(rules[name])}
                error={form.fields[name]}
                hint={`${bounds[name]?.min} to ${bounds[name]?.max}. ${hint}`}
              />
            ))}
            {group.title === guarantee ? <RipeningPreview {...schedule} /> : null}
          </fieldset>
        ))}
      </CardForm>
    </Card>
  );
}

const names = groups.flatMap(({ fields }) => fields.map(({ name }) => name));

/** Reads the numbers of the form. A text that is not a number becomes NaN, which the server refuses for its field. */
const readRules = (data: FormData, rules: PlacementRules): PlacementRules => ({
  ...rules,
  dayKind: dayKindOptions.find(({ value }) => value === getFormText(data, 'dayKind'))?.value ?? rules.dayKind,
  ...Object.fromEntries(names.map((name) => [name, parseNumber(getFormText(data, name).trim())])),
});

const parseNumber = (text: string) => (text === '' ? Number.NaN : Number(text));

const steps = 24;

/** Shows how a seller's share of $100 becomes payable, with the values of the form. */
function RipeningPreview({ approvalPercent, guaranteeDays }: { approvalPercent: number; guaranteeDays: number }) {
  const isValid = [approvalPercent, guaranteeDays].every((value) => Number.isInteger(value) && value >= 0);
  if (!isValid || approvalPercent > 100) return null;
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const percent = guaranteeDays === 0 ? 100 : approvalPercent + ((100 - approvalPercent) * step) / steps;
    return { x: (100 * step) / steps, percent };
  });
  const line = points.map(({ x, percent }) => `${x},${100 - percent}`).join(' ');
  const half = guaranteeDays === 0 ? 100 : Math.floor(approvalPercent + (100 - approvalPercent) / 2);
  return (
    <figure className="sm:col-span-2">
      <p className="mb-2 text-muted text-xs">
        How a seller’s share of $100.00 becomes payable while the link is in order
      </p>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-28 w-full" aria-hidden="true">
        <polygon points={`0,100 ${line} 100,100`} className="fill-accent-soft" />
        <polyline points={line} className="fill-none stroke-accent" strokeWidth="2" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="mt-1 flex justify-between gap-3 text-muted text-xs">
        <span>At the approval: ${approvalPercent.toFixed(2)}</span>
        <span className="max-sm:hidden">
          Day {Math.floor(guaranteeDays / 2)}: ${half.toFixed(2)}
        </span>
        <span>Day {guaranteeDays}: $100.00</span>
      </figcaption>
    </figure>
  );
}
