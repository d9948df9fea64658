'use client';

import { FormDialog, type FormDialogProps } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { changeSites, describeOutcome } from './send-change';

type PauseDialogProps = Pick<FormDialogProps, 'trigger' | 'title'> & {
  ids: readonly number[];
  onDone: () => void;
};

/** Pauses sites, with or without an end. */
export const PauseDialog = ({ ids, onDone, ...dialog }: PauseDialogProps) => (
  <FormDialog {...dialog} {...pauseForm(ids, onDone)} />
);

/** Returns the form of a pause. */
export const pauseForm = (ids: readonly number[], onDone: () => void = () => undefined) =>
  ({
    description: 'Buyers don’t find paused sites and cannot order them. Running orders go on. No review is needed.',
    size: 'sm',
    fields: [
      {
        name: 'change.pause.until',
        label: 'On sale again on',
        type: 'date',
        min: dayAfter(1),
        max: dayAfter(maxDaysAhead),
        hint: 'Optional. The sites are for sale again from the start of this day (UTC). Without a day, until you resume them.',
      },
    ],
    submitLabel: 'Pause',
    submit: async (data: FormData) => {
      const until = getFormText(data, 'change.pause.until');
      describeOutcome(await changeSites(ids, { pause: until === '' ? {} : { until } }), 'paused');
      onDone();
    },
  }) satisfies Partial<FormDialogProps>;

const maxDaysAhead = 365;
/** Returns a day from now as YYYY-MM-DD (UTC). */
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
