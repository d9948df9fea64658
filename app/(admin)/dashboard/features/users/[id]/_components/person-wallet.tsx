import { withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';

const manager = '/dashboard/features/wallet-manager';

/** What somebody's wallet holds, and where its transactions are. @param balanceCents USD cents */
export function PersonWallet({ email, balanceCents }: { email: string; balanceCents: number }) {
  return (
    <Card aria-labelledby="wallet-heading">
      <CardHeader
        title={<span id="wallet-heading">Wallet</span>}
        actions={
          <ButtonLink size="sm" href={withParams(manager, {}, { tab: 'transactions', q: email })}>
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
