'use client';

import { ActionMenu, type MenuAction } from '@/components/form/action-menu';
import { getFormText } from '@/components/form/fields';
import { Alert } from '@/components/ui/alert';
import { Icon } from '@/components/ui/icon';
import { type StatementAccount, UploadStatement } from '@/components/wallet/upload-statement';
import { apiFetch } from '@/lib/browser/api-client';
import { formatMoney } from '@/lib/money';
import type { BankLineView, UploadResult } from '@/lib/payments/bank-transfers/contract';

/** Uploads a statement of the bank, and shows what it credited. */
export function UploadCredits({ accounts }: { accounts: readonly StatementAccount[] }) {
  return (
    <UploadStatement<UploadResult>
      description="Credits the transfers that have the reference and the amount of a request. A statement can be uploaded again: nothing is credited twice."
      variant="primary"
      limits="camt.053, or the CSV of your bank with whole days; up to 5 MB"
      path="/api/admin/bank-transfers/upload"
      accounts={accounts}
      summary={(result) => <Summary result={result} />}
    />
  );
}

const count = (transfers: number) =>
  transfers === 1 ? '1 transfer' : `${transfers.toLocaleString('en-US')} transfers`;

function Summary({ result: { credited, partial, unmatched, known, ignored } }: { result: UploadResult }) {
  return (
    <div className="grid gap-3 text-sm">
      <Alert tone={partial + unmatched > 0 ? 'warning' : 'success'}>{count(credited)} credited.</Alert>
      {partial + unmatched > 0 ? <p>{count(partial + unmatched)} not credited: see the reasons in the list.</p> : null}
      <p className="text-muted">
        {count(known)} known from another file. {ignored.toLocaleString('en-US')} other{' '}
        {ignored === 1 ? 'row was' : 'rows were'} ignored: debits, and returned payments to sellers.
      </p>
    </div>
  );
}

/** A ULID, which no reference is. */
const accountIdPattern = /^[0-9a-z]{26}$/;

/** Renders the actions for a transfer that waits for staff. */
export function BankLineMenu({ line }: { line: BankLineView }) {
  const { id, state, amountMinor, currency, isReversal, userEmail, bookedOn } = line;
  if (state === 'matched' || state === 'returned') return null;
  const money = formatMoney(amountMinor, currency);
  const decide = (step: 'credit' | 'return', body: object) =>
    apiFetch<{ status: string }>(`/api/admin/bank-transfers/${id}/${step}`, { method: 'POST', body });
  const buyerField = {
    name: 'buyer',
    label: 'Buyer',
    hint: 'An email address, the reference of a request, or the account ID of a team.',
    defaultValue: userEmail ?? '',
    maxLength: 320,
    required: true,
  };
  const readPayer = (data: FormData) => {
    const buyer = getFormText(data, 'buyer').trim();
    if (buyer === userEmail) return {};
    if (buyer.includes('@')) return { email: buyer };
    return accountIdPattern.test(buyer) ? { accountId: buyer } : { reference: buyer };
  };
  const note = { name: 'note', label: 'Note', hint: 'For the audit log.', maxLength: 500, required: true };
  const credit: MenuAction = {
    label: 'Credit',
    icon: <Icon name="check" />,
    form: {
      title: `Credit ${money}?`,
      description:
        currency === 'USD'
          ? 'The amount that arrived is added to the wallet.'
          : 'The amount that arrived is added to the wallet, at the European Central Bank’s rate of the booking day.',
      size: 'sm',
      submitLabel: 'Credit',
      fields: [buyerField, note],
      submit: (data) => decide('credit', { ...readPayer(data), note: getFormText(data, 'note') }),
      done: (result) =>
        typeof result === 'object' && result !== null && 'status' in result && result.status === 'waiting'
          ? 'The credit waits for the approval of a second person.'
          : `${money} credited.`,
      fallback: () => 'The transfer couldn’t be credited. Please try again.',
    },
  };
  const takeBack: MenuAction = {
    label: 'Take back from the buyer',
    icon: <Icon name="undo-2" />,
    form: {
      title: `Take ${money} back?`,
      description:
        'Closes the transfer that the bank took back. Its credit leaves the wallet; what the wallet no longer holds, the buyer owes.',
      size: 'sm',
      submitLabel: 'Take back',
      fields: [buyerField, note],
      submit: (data) =>
        decide('return', { outcome: 'taken_back', ...readPayer(data), note: getFormText(data, 'note') }),
      done: `${money} taken back.`,
      fallback: () => 'The transfer couldn’t be taken back. Please try again.',
    },
  };
  const close = (outcome: 'sent_back' | 'not_a_topup', label: string, description: string): MenuAction => ({
    label,
    icon: <Icon name="undo-2" />,
    form: {
      title: `${label}: ${money}`,
      description,
      size: 'sm',
      submitLabel: label,
      fields: [note],
      submit: (data) => decide('return', { outcome, note: getFormText(data, 'note') }),
      done: 'Transfer closed.',
      fallback: () => 'The transfer couldn’t be closed. Please try again.',
    },
  });
  const sentBack = close(
    'sent_back',
    'Record as sent back',
    'Records that you sent the money back at your bank. This moves no money itself.',
  );
  const other = close(
    'not_a_topup',
    isReversal ? 'Close' : 'Not from a buyer',
    isReversal
      ? 'For a reversal of no buyer’s transfer, or of one that was recorded as sent back.'
      : 'For interest, payouts of payment providers and the like. It leaves the list and the amounts owed to buyers.',
  );
  return (
    <ActionMenu
      name={`the transfer of ${money} on ${bookedOn}`}
      actions={isReversal ? [takeBack, other] : [credit, sentBack, other]}
    />
  );
}
