import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { paymentProviders } from '@/db/schema/topups';
import { providerNames } from '@/lib/payments/providers/names';
import type { listOwedByProviders, SettlementPosition } from '@/lib/payments/settlement/queries';

type Owed = Awaited<ReturnType<typeof listOwedByProviders>>;

/** A card for each provider: what it owes now, and how far its statement was read. */
export function PositionCards({ owed, positions }: { owed: Owed; positions: readonly SettlementPosition[] }) {
  const shown = paymentProviders.filter(
    (name) => owed.some(({ provider }) => provider === name) || positions.some(({ provider }) => provider === name),
  );
  return (
    <div className="my-6 grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {shown.map((name) => (
        <ProviderCard
          key={name}
          title={providerNames[name]}
          owed={owed.filter(({ provider, minor }) => provider === name && minor !== 0)}
          positions={positions.filter(({ provider }) => provider === name)}
        />
      ))}
    </div>
  );
}

type ProviderCardProps = { title: string; owed: Owed; positions: readonly SettlementPosition[] };

function ProviderCard({ title, owed, positions }: ProviderCardProps) {
  return (
    <Card>
      <CardHeader title={title} description="Owed now, by the books" />
      <CardBody className="grid gap-3 text-sm">
        <p className="flex flex-wrap gap-x-4 font-medium text-ink text-lg">
          {owed.length === 0 ? <Money amountMinor={0} /> : null}
          {owed.map(({ currency, minor }) => (
            <Money key={currency} amountMinor={minor} currency={currency} />
          ))}
        </p>
        {positions.length === 0 ? <p className="text-muted">The statement was not read yet.</p> : null}
        {positions.map(({ mode, readUntil, lastReadAt, error }) => (
          <div key={mode} className="grid gap-2">
            <p className="text-muted">
              Statement in {mode} mode complete until <TimeAgo at={readUntil} />
              {lastReadAt ? (
                <>
                  , read <TimeAgo at={lastReadAt} />
                </>
              ) : null}
              .
            </p>
            {error ? <Alert tone="error">{error}</Alert> : null}
          </div>
        ))}
      </CardBody>
    </Card>
  );
}
