import type { ReactNode } from 'react';
import { Money } from '@/components/ui/money';
import type { Position } from '@/lib/ledger/position';

type Line = [name: string, minor: number];

/** Where the money of a currency came from and where it stands: two sums that must be equal. */
export function PositionSides({ position }: { position: Position }) {
  const { currency, differenceCents } = position;
  const came: Line[] = [
    ['At payment providers', position.heldCents],
    ['Paid out to the bank', position.bankCents],
    ['Fees of payment providers', position.feesCents],
    ['Exchanged by payment providers', position.exchangeCents],
    ['Credited by hand', position.givenCents],
    ['Owed by buyers', position.receivableCents],
  ];
  const stands: Line[] = [
    ['In wallets', position.walletsCents],
    ['Kept apart', position.suspenseCents],
    ['Of other shops', position.passThroughCents],
    ['Owed to sellers', position.sellersCents],
    ['Earned by orders', position.earnedCents],
  ];
  return (
    <section aria-label={`Books in ${currency}`} className="grid gap-4">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <Side title="Money held" lines={came} currency={currency} />
        <Side title="Money owed and earned" lines={stands} currency={currency} />
      </div>
      <p
        className={`flex items-baseline justify-between gap-4 rounded-md border px-3 py-2 text-sm ${
          differenceCents === 0
            ? 'border-green-line bg-green-soft text-green-ink'
            : 'border-red-line bg-red-soft text-red-ink'
        }`}
      >
        <span>Difference</span>
        <Money amountMinor={differenceCents} currency={currency} className="font-medium" />
      </p>
    </section>
  );
}

/** Lines of nothing are left out, the sum never. */
function Side({ title, lines, currency }: { title: string; lines: Line[]; currency: string }) {
  const shown = lines.filter(([, minor]) => minor !== 0);
  const sum = lines.reduce((total, [, minor]) => total + minor, 0);
  return (
    <div className="flex flex-col">
      <h3 className="font-medium text-ink text-sm">{title}</h3>
      <dl className="mt-2 mb-2 flex-1 text-sm">
        {shown.map(([name, minor]) => (
          <Row key={name} name={name}>
            <Money amountMinor={minor} currency={currency} />
          </Row>
        ))}
      </dl>
      <div className="flex items-baseline justify-between gap-4 border-line border-t pt-2 text-sm">
        <span className="text-muted">Together</span>
        <Money amountMinor={sum} currency={currency} className="font-medium text-ink" />
      </div>
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-1">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
