'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { addTax, describeIncluded } from '@/components/orders/add-tax';
import { sendPayment } from '@/components/orders/send-payment';
import { TaxProblem } from '@/components/orders/tax-problem';
import { Button, ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Money } from '@/components/ui/money';
import { ApiError } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import type { OrderView } from '@/lib/orders/contract';
import type { OfferedOption } from '@/lib/orders/options/contract';
import type { ShownTax } from '@/lib/tax/buyer-tax';

const dayMs = 86_400_000;
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const addDays = (at: string, days: number) => date.format(new Date(Date.parse(at) + days * dayMs));

type ExtendGuaranteeProps = {
  orderId: number;
  placement: Pick<NonNullable<OrderView['placement']>, 'version'> & { guaranteeEndsAt: string };
  /** The guarantees by which it can be extended. */
  extensions: readonly OfferedOption[];
  tax: ShownTax | null;
};

/** Shows until when a link is guaranteed, and extends it from the wallet after a confirmation of the price. */
export function ExtendGuarantee({ orderId, placement, extensions, tax }: ExtendGuaranteeProps) {
  const router = useRouter();
  const [pressed, setPressed] = useState<OfferedOption | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [topUpUrl, setTopUpUrl] = useState<string | null>(null);
  const { guaranteeEndsAt, version } = placement;
  // A refused request refreshes the price.
  const chosen = extensions.find(({ id }) => id === pressed?.id) ?? pressed;
  const price = addTax([chosen?.surchargeCents ?? 0], tax);
  const total = formatUsd(price.totalCents);
  const days = chosen?.days ?? 0;

  const extend = async () => {
    setTopUpUrl(null);
    const body = { optionId: chosen?.id, shownTotalCents: price.totalCents, version };
    await sendPayment(`/api/orders/${orderId}/guarantee`, body).catch((cause: unknown) => {
      if (cause instanceof ApiError && cause.url) setTopUpUrl(cause.url);
      router.refresh();
      throw cause;
    });
    toast.success(`The link is guaranteed until ${addDays(guaranteeEndsAt, days)}.`);
    router.refresh();
  };

  return (
    <Card aria-label="Guarantee">
      <CardHeader title="Guarantee" />
      <CardBody className="grid gap-3 text-sm">
        <p className="text-ink">
          Guaranteed until <time dateTime={guaranteeEndsAt}>{date.format(new Date(guaranteeEndsAt))}</time>
        </p>
        <ul className="grid gap-2">
          {extensions.map((option) => (
            <li key={option.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span className="text-ink">
                {option.days?.toLocaleString('en-US')} more days, <Money amountMinor={option.surchargeCents ?? 0} />
              </span>
              <Button
                size="sm"
                onClick={() => {
                  setPressed(option);
                  setTopUpUrl(null);
                  setOpen(true);
                }}
              >
                Extend<span className="sr-only"> the guarantee by {option.days} days</span>
              </Button>
            </li>
          ))}
        </ul>
      </CardBody>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Extend the guarantee by ${days.toLocaleString('en-US')} days?`}
        description={`${total}${describeIncluded(price)} is paid from your wallet at once. The link is then guaranteed until ${addDays(guaranteeEndsAt, days)}. If it is lost before, the part that was not earned returns to your wallet.`}
        confirmLabel={`Pay ${total}`}
        tone="primary"
        onConfirm={extend}
      >
        <TaxProblem tax={tax} />
        {topUpUrl ? (
          <ButtonLink href={topUpUrl} className="justify-self-start">
            Add money
          </ButtonLink>
        ) : null}
      </ConfirmDialog>
    </Card>
  );
}
