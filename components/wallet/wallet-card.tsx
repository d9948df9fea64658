import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';

/**
 * Displays a wallet's balance for staff, with a link to its transactions.
 * @param balanceCents USD cents
 */
export function WalletCard({ transactionsHref, balanceCents }: { transactionsHref: string; balanceCents: number }) {
  return (
    <Card aria-labelledby="wallet-heading">
      <CardHeader
        title={<span id="wallet-heading">Wallet</span>}
        actions={
          <ButtonLink size="sm" href={transactionsHref}>
            Transactions
          </ButtonLink>
        }
      />
      <CardBody>
        <Money amountMinor={balanceCents} className="font-medium text-2xl text-ink tracking-tight" />
      </CardBody>
    </Card>
  );
}
