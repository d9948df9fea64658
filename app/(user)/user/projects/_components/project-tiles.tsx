import { Clock, Link2, ReceiptText, Wallet } from 'lucide-react';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { formatCount } from '@/components/ui/format-count';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { ProjectOrderStats, ProjectSpend } from '@/lib/orders/project-figures';

/** The project's total cost and its results. */
export function ProjectTiles({ figures, spend }: { figures: ProjectOrderStats; spend: ProjectSpend }) {
  return (
    <div className={tileGrid}>
      <StatTile label="Spent" value={<Money amountMinor={spend.spentCents} />} hint={spendHint(spend)} icon={Wallet} />
      <StatTile label="Orders" value={formatCount(figures.total)} hint="placed so far" icon={ReceiptText} />
      <StatTile
        label="Awaiting delivery"
        value={formatCount(figures.awaiting)}
        hint="pending or processing"
        icon={Clock}
      />
      <StatTile label="Live links" value={formatCount(figures.liveLinks)} hint="placed and online" icon={Link2} />
    </div>
  );
}

function spendHint({ refundedCents, unlistedCents }: ProjectSpend): string {
  const money = (cents: number) => formatMoney(cents, walletCurrency);
  const parts = [
    refundedCents > 0 ? `after ${money(refundedCents)} in refunds` : 'net of refunds',
    unlistedCents > 0 ? `including ${money(unlistedCents)} for orders no longer listed` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
