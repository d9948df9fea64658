import type { PayoutMethodKind } from '@/db/schema/payouts';

/** The names of the kinds of payout methods. */
export const payoutMethodNames = {
  bank: 'Bank account',
  paypal: 'PayPal',
  agreement: 'By agreement',
} as const satisfies Record<PayoutMethodKind, string>;

type PayoutMethodLabelProps = { kind: PayoutMethodKind; lastFour: string };

/** The name of a payout method with the last four characters of its account. */
export function PayoutMethodLabel({ kind, lastFour }: PayoutMethodLabelProps) {
  return (
    <span className="whitespace-nowrap">
      {payoutMethodNames[kind]}
      {lastFour ? (
        <>
          <span aria-hidden="true"> •••• </span>
          <span className="sr-only"> ending in </span>
          {lastFour}
        </>
      ) : null}
    </span>
  );
}
