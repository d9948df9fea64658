'use client';

import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { PercentField, percentErrors } from '@/components/orders/percent-field';
import { Button } from '@/components/ui/button';
import { type Fact, FactList } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { apiFetch } from '@/lib/browser/api-client';
import { splitSettlement } from '@/lib/orders/placements/shares';

type DecideDisputeProps = {
  dispute: { id: string; orderId: number; version: number };
  /** The shares of the charge, in USD cents. */
  shares: { sellerCents: number; marginCents: number; ripenedCents: number };
  /** Whether the charge has tax, of which the same share returns. */
  isTaxed: boolean;
  /** Whether the user may see the platform's own part. */
  showsMargin: boolean;
};

/** Decides a dispute by the share that returns to the buyer, with a preview of who receives how much. */
export function DecideDispute({ dispute, shares, isTaxed, showsMargin }: DecideDisputeProps) {
  return (
    <FormDialog
      trigger={<Button variant="primary">Decide</Button>}
      title={`Decide the dispute of order #${dispute.orderId}`}
      description="The decision settles the order and cannot be undone."
      size="md"
      className="gap-5"
      fields={[
        {
          name: 'buyerPercent',
          label: 'Share that returns to the buyer, in percent',
          render: (field) => (
            <PercentField {...field} className="max-w-96">
              {(percent) => (
                <div role="status" aria-label="Preview" className="rounded-md border border-line bg-sunken px-3 py-2.5">
                  {percent === null ? (
                    <p className="text-muted text-sm">Enter a share to see who receives how much.</p>
                  ) : (
                    <Preview {...{ shares, percent, isTaxed, showsMargin }} />
                  )}
                </div>
              )}
            </PercentField>
          ),
        },
        {
          name: 'note',
          label: 'Reasons',
          required: true,
          rows: 4,
          maxLength: 2000,
          hint: 'Shown to the buyer and the seller. Don’t mention prices or names.',
        },
      ]}
      validate={(data) => ({
        ...percentErrors(getFormText(data, 'buyerPercent')),
        ...(getFormText(data, 'note').trim() === '' && { note: 'Explain the decision.' }),
      })}
      submitLabel="Decide"
      submit={(data) =>
        apiFetch(`/api/admin/disputes/${dispute.id}/decide`, {
          method: 'POST',
          body: {
            buyerPercent: Number(getFormText(data, 'buyerPercent')),
            note: getFormText(data, 'note'),
            version: dispute.version,
          },
        })
      }
      done="Dispute decided."
      fallback={(status) => `The decision couldn’t be saved (HTTP ${status}). Please try again.`}
    />
  );
}

type PreviewProps = Pick<DecideDisputeProps, 'shares' | 'isTaxed' | 'showsMargin'> & { percent: number };

function Preview({ shares, percent, isTaxed, showsMargin }: PreviewProps) {
  const { buyerCents, sellerCents, marginCents } = splitSettlement(shares, percent);
  return (
    <FactList
      facts={[
        [
          isTaxed ? 'Buyer receives, plus its tax' : 'Buyer receives',
          <Money key="buyer" amountMinor={buyerCents} className="font-medium" />,
        ],
        ['Seller keeps', <Money key="seller" amountMinor={sellerCents} className="font-medium" />],
        ...(showsMargin
          ? [['Margin', <Money key="margin" amountMinor={marginCents} className="font-medium" />] satisfies Fact]
          : []),
        ['Order becomes', buyerCents === shares.sellerCents + shares.marginCents ? 'Refunded' : 'Live'],
      ]}
    />
  );
}
