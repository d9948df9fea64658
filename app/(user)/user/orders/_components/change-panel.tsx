'use client';

import { useState } from 'react';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { addTax, describeIncluded, type TaxedTotal } from '@/components/orders/add-tax';
import { ChangeCard } from '@/components/orders/change-card';
import { sendPayment } from '@/components/orders/send-payment';
import { TaxProblem } from '@/components/orders/tax-problem';
import { Alert } from '@/components/ui/alert';
import { Button, ButtonLink } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { ApiError } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import type { ChangeView } from '@/lib/orders/placements/changes/contract';
import type { ShownTax } from '@/lib/tax/buyer-tax';

type ChangePanelProps = {
  orderId: number;
  /** Newest first. */
  changes: readonly ChangeView[];
  /** What another change costs, in USD cents; null if none can be asked for. */
  priceCents: number | null;
  tax: ShownTax | null;
  /** Whether the screens of another user are shown, where nothing can be changed. */
  isViewing: boolean;
};

/** Shows the paid changes of the buyer's order, and what the buyer can do with them. */
export function ChangePanel({ orderId, changes, priceCents, tax, isViewing }: ChangePanelProps) {
  const [newest] = changes;
  if (!newest && priceCents === null) return null;
  const asked = addTax([priceCents ?? 0], tax);
  return (
    <ChangeCard
      changes={changes.map((change) => ({ ...change, price: listPrice(change) }))}
      empty={
        <p className="text-muted">
          The article is published. The seller changes its link or its text for {formatUsd(asked.totalCents)}
          {describeIncluded(asked)}, which you pay when the seller accepts.
        </p>
      }
      actions={
        isViewing ? null : (
          <>
            {newest ? <ChangeActions change={newest} tax={tax} /> : null}
            {priceCents === null ? null : <Ask orderId={orderId} total={asked} />}
          </>
        )
      }
    />
  );
}

/** Lists the price of a change, with its tax if it has any. */
const listPrice = ({ priceCents, taxCents }: ChangeView) => [
  { label: 'Price', cents: priceCents },
  ...(taxCents > 0 ? [{ label: 'Tax', cents: taxCents }] : []),
];

function Ask({ orderId, total }: { orderId: number; total: TaxedTotal }) {
  const price = formatUsd(total.totalCents);
  return (
    <FormDialog
      trigger={<Button>Ask for a paid change</Button>}
      title={`Ask for a paid change of order #${orderId}`}
      description={`It costs ${price}${describeIncluded(total)}, paid from your wallet when the seller accepts. If the seller names another price or the tax rises, you decide again. If it is not delivered in time, the money returns.`}
      submitLabel={`Ask for ${price}`}
      submit={(data) =>
        sendPayment(`/api/orders/${orderId}/changes`, {
          text: getFormText(data, 'text'),
          targetUrl: getFormText(data, 'targetUrl'),
          anchor: getFormText(data, 'anchor'),
          shownTotalCents: total.totalCents,
        })
      }
      validate={(data): Record<string, string> =>
        getFormText(data, 'text').trim() === '' ? { text: 'Describe the change.' } : {}
      }
      done="The seller was asked for the change."
      fields={[
        { name: 'text', label: 'What should change?', required: true, rows: 4, maxLength: 4_000 },
        {
          ...{ name: 'targetUrl', label: 'New target page', inputMode: 'url' },
          ...{ hint: 'Leave it empty to keep the present one.', placeholder: 'https://example.com/page' },
        },
        { name: 'anchor', label: 'New anchor text', hint: 'Leave it empty to keep the present one.', maxLength: 200 },
      ]}
    />
  );
}

function ChangeActions({ change, tax }: { change: ChangeView; tax: ShownTax | null }) {
  const { id, orderId, state, version, priceCents, taxCents, mayWithdraw, chargedAt, check } = change;
  const total = addTax([priceCents], tax);
  const price = formatUsd(total.totalCents);
  const [topUpUrl, setTopUpUrl] = useState<string | null>(null);
  const send =
    (verb: 'approve' | 'withdraw', shown: { shownTotalCents?: number } = {}) =>
    () => {
      setTopUpUrl(null);
      const path = `/api/orders/${orderId}/changes/${id}/${verb}`;
      return sendPayment(path, { version, ...shown }).catch((cause: unknown) => {
        if (cause instanceof ApiError && cause.url) setTopUpUrl(cause.url);
        throw cause;
      });
    };
  const isFound = check?.verdict === 'ok';
  const finding =
    check?.verdict === 'unknown'
      ? 'The newest check could not tell whether the page has it. '
      : 'The newest check does not find the link as you asked. ';
  return (
    <>
      {state === 'priced' ? (
        <ConfirmAction
          trigger={<Button variant="primary">{`Approve ${price}`}</Button>}
          title={`Approve the price of ${price}?`}
          description={`${price}${describeIncluded(total)} is paid from your wallet now. If the change is not delivered in time, it returns.`}
          confirmLabel={`Pay ${price}`}
          tone="primary"
          action={send('approve', { shownTotalCents: total.totalCents })}
          done="The change was accepted."
        >
          <TaxProblem tax={tax} />
          {topUpUrl ? (
            <Alert tone="warning" action={<ButtonLink href={topUpUrl}>Add money</ButtonLink>}>
              Your wallet has too little money.
            </Alert>
          ) : null}
        </ConfirmAction>
      ) : null}
      {state === 'delivered' ? (
        <ConfirmAction
          trigger={<Button variant={isFound ? 'primary' : undefined}>Approve change</Button>}
          title="Approve the change?"
          description={`${isFound ? '' : finding}The seller earns the price, and the link is checked as it is now. This cannot be undone.`}
          confirmLabel={isFound ? 'Approve' : 'Approve anyway'}
          tone={isFound ? 'primary' : 'danger'}
          action={send('approve')}
          done="The change was approved."
        />
      ) : null}
      {mayWithdraw ? (
        <ConfirmAction
          trigger={<Button>Withdraw</Button>}
          title="Withdraw the change?"
          description={
            chargedAt === null
              ? 'The seller is told. Nothing was charged.'
              : `${formatUsd(priceCents + taxCents)} returns to your wallet, and the link is checked as it was before.`
          }
          confirmLabel="Withdraw change"
          cancelLabel="Keep it"
          action={send('withdraw')}
          done="The change was withdrawn."
        />
      ) : null}
    </>
  );
}
