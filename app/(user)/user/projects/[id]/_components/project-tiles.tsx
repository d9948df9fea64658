import { Clock, Link2, ReceiptText, Wallet } from 'lucide-react';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { OrderFigures, ProjectSpend } from '@/lib/orders/project-figures';

/** What a project has cost so far, and what came of it. */
export function ProjectTiles({ figures, spend }: { figures: OrderFigures; spend: ProjectSpend }) {
  return (
    <div className={tileGrid}>
      <StatTile label="Spent" value={<Money amountMinor={spend.spentCents} />} hint={spendHint(spend)} icon={Wallet} />
      <StatTile label="Orders" value={figures.total.toLocaleString('en-US')} hint="placed so far" icon={ReceiptText} />
      <StatTile
        label="Awaiting delivery"
        value={figures.awaiting.toLocaleString('en-US')}
        hint="pending or in processing"
        icon={Clock}
      />
      <StatTile
        label="Live links"
        value={figures.liveLinks.toLocaleString('en-US')}
        hint="placed and online"
        icon={Link2}
      />
    </div>
  );
}

function spendHint({ refundedCents, unlistedCents }: ProjectSpend): string {
  const money = (cents: number) => formatMoney(cents, walletCurrency);
  const parts = [
    refundedCents > 0 ? `after ${money(refundedCents)} of refunds` : 'net of refunds',
    unlistedCents > 0 ? `with ${money(unlistedCents)} for orders no longer listed` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
