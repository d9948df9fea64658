import { getFormText } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';

/** With this reason, the note is required and is the whole reason. */
const other = 'Another reason';
const declineReasons = [
  'The topic does not fit',
  'The brief cannot be met',
  'The price has changed',
  'The site is no longer available',
  other,
];

/** Returns the chosen reason and the note as one text, which the buyer reads. */
export function declineReasonOf(data: FormData): string {
  const [reason, note] = [getFormText(data, 'reason'), getFormText(data, 'text').trim()];
  if (reason === other) return note;
  return note === '' ? reason : `${reason}: ${note}`;
}

export function validateDecline(data: FormData): FieldErrors {
  const reason = getFormText(data, 'reason');
  if (reason === '') return { reason: 'Choose a reason.' };
  return reason === other && declineReasonOf(data) === '' ? { text: 'Describe the reason.' } : {};
}

/** The fields of the reason for which offers are declined. */
export const declineFields = [
  { name: 'reason', label: 'Reason', required: true, placeholder: 'Choose a reason', options: declineReasons },
  { name: 'text', label: 'Note', hint: 'Required for “Another reason”.', rows: 3, maxLength: 400 },
];
