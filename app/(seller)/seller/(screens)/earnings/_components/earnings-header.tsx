import type { ReactNode } from 'react';
import { screenTexts } from '@/components/shell/screen-texts';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { StatTile, tileGrid } from '@/components/ui/stat-tile';
import { Tabs } from '@/components/ui/tabs';
import type { EarningsSummary } from '@/lib/earnings/summary';

const tabs = {
  overview: { href: '/seller/earnings', label: 'Overview' },
  statement: { href: '/seller/earnings/statement', label: 'Statement' },
  selfBilling: { href: '/seller/earnings/self-billing', label: 'Self-billing' },
} as const;

/** Renders the heading of the pages of earnings, with the links between them. */
export function EarningsHeader({ current, actions }: { current: keyof typeof tabs; actions?: ReactNode }) {
  return (
    <>
      <PageHeader {...screenTexts(tabs.overview.href)} actions={actions} />
      <div className="mb-4">
        <Tabs
          label="Earnings"
          tabs={Object.entries(tabs).map(([name, tab]) => ({ ...tab, current: name === current }))}
        />
      </div>
    </>
  );
}

/** Shows where the money of a seller is. */
export function MoneyTiles({ summary }: { summary: EarningsSummary }) {
  const { reservedCents, ripeningCents, availableCents, inTransitCents, paidCents, feesCents } = summary;
  return (
    <div className={tileGrid}>
      <StatTile
        label="Reserved"
        value={<Money amountMinor={reservedCents} />}
        hint="for placements that are not approved yet"
        icon="lock-keyhole"
      />
      <StatTile
        label="Ripening"
        value={<Money amountMinor={ripeningCents} />}
        hint="earned, and payable while the links stay"
        icon="hourglass"
      />
      <StatTile
        label="Available"
        value={<Money amountMinor={availableCents} />}
        hint="can be paid out"
        icon="badge-check"
      />
      <StatTile
        label="Paid out"
        value={<Money amountMinor={paidCents} />}
        hint={
          inTransitCents > 0 ? (
            <>
              and <Money amountMinor={inTransitCents} /> on its way
            </>
          ) : feesCents > 0 ? (
            <>
              including <Money amountMinor={feesCents} /> in fees
            </>
          ) : (
            'to your payout method'
          )
        }
        icon="banknote"
      />
    </div>
  );
}
