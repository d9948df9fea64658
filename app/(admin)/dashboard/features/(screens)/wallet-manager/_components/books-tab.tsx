import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { getProofProgress } from '@/lib/audit/proof-requests';
import { computePositions, type Position } from '@/lib/ledger/position';
import { getLastProof, getLastWholeProofTime } from '@/lib/ledger/prove-books';
import type { BookCheck } from '@/lib/ledger/verify-books';
import { ProveBooks } from './wallet-operations';

/** Displays the result of the last verification of the ledger, with a button to run another. */
export async function BooksTab() {
  const [last, wholeAt, progress] = await Promise.all([
    getLastProof(),
    getLastWholeProofTime(),
    getProofProgress('books'),
  ]);
  if (!last) {
    return (
      <Card>
        <EmptyState
          icon={<Icon name="book-check" />}
          title="The books haven’t been checked yet"
          action={<ProveBooks progress={progress} />}
        >
          The check adds up every transfer and compares the sums with every balance. It changes nothing.
        </EmptyState>
      </Card>
    );
  }
  const { report, ranAt, ranBy, isWhole } = last;
  const broken = report.checks.filter((check) => check.broken > 0).length;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card>
        <CardHeader
          title={report.isSound ? 'The books balance' : 'The books don’t balance'}
          description={
            <>
              Last checked <TimeAgo at={ranAt} /> by {ranBy}
              {isWhole || !wholeAt ? null : (
                <>
                  . Everything was last checked <TimeAgo at={wholeAt} />
                </>
              )}
            </>
          }
          actions={<ProveBooks isRepeatable progress={progress} />}
        />
        <CardBody className="grid gap-8">
          {report.isSound ? null : (
            <Alert tone="error" title={`${broken} of ${report.checks.length} checks failed.`}>
              The list of checks shows one affected row each. Run <code>npm run books:verify</code> on the server for
              the same report.
            </Alert>
          )}
          {computePositions(report).map((position) => (
            <PositionSides key={position.currency} position={position} />
          ))}
        </CardBody>
      </Card>
      <Card>
        <CardHeader
          title="Checks"
          description={`Run over ${isWhole ? 'every row of the ledger' : 'what is new since the check before'} at a single point in time.`}
        />
        <CardBody>
          <CheckList checks={report.checks} />
        </CardBody>
      </Card>
    </div>
  );
}

type Line = [name: string, minor: number];

/** Compares the sources of a currency's money with its balances. The two sums must be equal. */
function PositionSides({ position }: { position: Position }) {
  const { currency, differenceCents } = position;
  const assets: Line[] = [
    ['At payment providers', position.heldCents],
    ['Paid out to the bank', position.bankCents],
    ['Payment provider fees', position.feesCents],
    ['Payment provider exchanges', position.exchangeCents],
    ['Manual credits', position.givenCents],
    ['Owed by buyers', position.receivableCents],
  ];
  const liabilities: Line[] = [
    ['In wallets', position.walletsCents],
    ['Unmatched payments', position.suspenseCents],
    ['Refunds in progress', position.refundsCents],
    ['Of other shops', position.passThroughCents],
    ['Tax', position.taxCents],
    ['Reserved for orders', position.reservedCents],
    ['Owed to sellers', position.sellersCents],
    ['Margin', position.earnedCents],
  ];
  return (
    <section aria-label={`Books in ${currency}`} className="grid gap-4">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <Side title="Money held" lines={assets} currency={currency} />
        <Side title="Money owed and earned" lines={liabilities} currency={currency} />
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

/** Lists the lines other than zero, and the sum. */
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
        <span className="text-muted">Total</span>
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

/** Lists the checks of a verification, failed checks first. */
function CheckList({ checks }: { checks: readonly BookCheck[] }) {
  const sorted = [...checks].sort((one, other) => Math.sign(other.broken) - Math.sign(one.broken));
  return (
    <ul className="grid gap-2.5 text-sm">
      {sorted.map(({ name, broken, sample }) => (
        <li key={name} className="flex items-start gap-2">
          {broken === 0 ? (
            <Icon name="circle-check" label="Passed" className="mt-0.5 text-green-ink" />
          ) : (
            <Icon name="circle-alert" label="Failed" className="mt-0.5 text-red-ink" />
          )}
          <span className="min-w-0 break-words">
            {name}
            {broken === 0 ? null : (
              <span className="block text-red-ink text-xs">
                {broken.toLocaleString('en-US')} failed, e.g. <span className="font-mono">{sample}</span>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
