'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useRecordClose } from '@/components/table/record-dialog';
import { Dialog } from '@/components/ui/dialog';
import { AmountField } from '@/components/wallet/amount-field';
import { ApiError, apiFetch, newIdempotencyKey } from '@/lib/browser/api-client';
import { formatUsd, parseMoney, toDecimalString, walletCurrency } from '@/lib/money';

type ManualTopUpProps = {
  users: readonly { id: string; kind: 'personal' | 'team'; label: string; balanceCents: number }[];
  /** The list of users is truncated. */
  isCut: boolean;
  initialUserId: string;
  /** The URL of the screen with the dialog closed. */
  closeHref: string;
};

/** Credits a wallet manually. A failed request keeps the form values. */
export function ManualTopUp({ users, isCut, initialUserId, closeHref }: ManualTopUpProps) {
  const router = useRouter();
  const { open, close } = useRecordClose(closeHref);
  const [userId, setUserId] = useState(initialUserId);
  const [amount, setAmount] = useState('');
  // The idempotency key is reused while the form values stay the same, so that a retry after a lost response credits
  // once.
  const [attempt, setAttempt] = useState({ content: '', key: '' });
  const user = users.find(({ id }) => id === userId);
  const cents = parseMoney(amount) ?? 0;

  const form = useApiForm({
    validate: () => ({
      ...(!user && { userId: 'Choose a user.' }),
      ...(cents <= 0 && { amount: 'Enter an amount above 0.' }),
    }),
    submit: (data) => {
      const note = getFormText(data, 'note');
      const content = JSON.stringify([userId, cents, note]);
      const key = attempt.content === content ? attempt.key : newIdempotencyKey();
      setAttempt({ content, key });
      return apiFetch<{ status: string }>('/api/admin/wallet/topup', {
        method: 'POST',
        headers: { 'Idempotency-Key': key },
        body: {
          ...(user?.kind === 'team' ? { accountId: userId } : { userId }),
          amount: Number(toDecimalString(cents)),
          currency: walletCurrency,
          note,
        },
      }).catch(topUpFailure);
    },
    onSuccess: ({ status }) => {
      if (status === 'Pending')
        toast.info(`${formatUsd(cents)} for ${user?.label} is waiting for approval by a second person.`);
      else toast.success(`${formatUsd(cents)} credited to ${user?.label}.`);
      close();
      router.refresh();
    },
    fallback: () => 'Top-up failed. Please try again.',
  });

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !form.pending && close()}
      title="Manual Top-Up"
      description="Credits a wallet without a payment. The books and the audit log record your name."
      size="sm"
    >
      <DialogForm
        form={form}
        className="gap-5"
        submitLabel={cents > 0 ? `Credit ${formatUsd(cents)}` : 'Credit wallet'}
      >
        <SelectField
          label="User"
          name="userId"
          required
          placeholder="Choose a user"
          value={userId}
          disabled={form.pending}
          error={form.fields.userId}
          options={users.map(({ id, label }) => ({ value: id, label }))}
          hint={
            user
              ? `Balance now: ${formatUsd(user.balanceCents)}`
              : isCut
                ? `Showing the first ${users.length} users by name. To find others, search and select Top-Up in their row.`
                : undefined
          }
          onChange={(event) => {
            setUserId(event.target.value);
            form.reset();
          }}
        />
        <AmountField
          value={amount}
          error={form.fields.amount}
          disabled={form.pending}
          step="1"
          onChange={(value) => {
            setAmount(value);
            form.reset();
          }}
        />
        <TextField
          label="Note"
          name="note"
          maxLength={500}
          disabled={form.pending}
          error={form.fields.note}
          autoComplete="off"
          placeholder="Optional, visible to the user"
        />
      </DialogForm>
    </Dialog>
  );
}

/** Rethrows the errors of fields, and the reasons that staff can act on. Other errors get the general message. */
function topUpFailure(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  const isReason = Object.keys(cause.fields).length === 0 && [403, 404, 409].includes(cause.status);
  throw new ApiError(cause.status, isReason ? cause.message : '', cause.fields);
}
