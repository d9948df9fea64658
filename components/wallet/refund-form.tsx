'use client';

import { useState } from 'react';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { apiFetch, newIdempotencyKey, redirectIfSignedOut } from '@/lib/browser/api-client';
import { parseMoney, toDecimalString } from '@/lib/money';
import { MoneyField } from './amount-field';

type RefundFormProps<Answer> = {
  /** The address that takes the refund. */
  path: string;
  topupId: string;
  /** The amount that the form starts with, in USD cents. */
  amountCents: number;
  amountHint: string;
  reason: { hint: string; isRequired: boolean };
  submitLabel: string;
  onDone: (answer: Answer) => void;
};

/** Renders the amount and the reason of a refund to the payment method, for buyers and for staff. */
export function RefundForm<Answer>(props: RefundFormProps<Answer>) {
  const { path, topupId, amountCents, amountHint, reason, submitLabel, onDone } = props;
  const [amount, setAmount] = useState<string>(toDecimalString(amountCents));
  // A repeated request of this dialog, e.g. after a lost response, refunds nothing twice.
  const [attempt, setAttempt] = useState({ content: '', key: '' });
  const cents = parseMoney(amount);
  const form = useApiForm<Answer>({
    validate: (): Record<string, string> =>
      cents === null || cents <= 0 ? { amountCents: 'Enter an amount above 0.' } : {},
    submit: (data) => {
      const body = { topupId, amountCents: cents, reason: getFormText(data, 'reason') };
      const content = JSON.stringify(body);
      const key = attempt.content === content ? attempt.key : newIdempotencyKey();
      setAttempt({ content, key });
      return apiFetch<Answer>(path, { method: 'POST', headers: { 'Idempotency-Key': key }, body }).catch(
        redirectIfSignedOut,
      );
    },
    onSuccess: onDone,
  });
  return (
    <DialogForm form={form} submitLabel={submitLabel}>
      <MoneyField
        name="amountCents"
        label="Amount"
        required
        value={amount}
        hint={amountHint}
        error={form.fields.amountCents}
        onChange={(event) => setAmount(event.target.value)}
      />
      <TextField
        name="reason"
        label="Reason"
        hint={reason.hint}
        required={reason.isRequired}
        autoComplete="off"
        maxLength={500}
        error={form.fields.reason}
      />
    </DialogForm>
  );
}
