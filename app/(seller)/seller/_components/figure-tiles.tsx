import { Eye, Inbox, Timer } from 'lucide-react';
import { threeTileGrid, twoTileGrid } from '@/components/dashboard/tile-grid';
import { formatCount } from '@/components/ui/format-count';
import { StatTile } from '@/components/ui/stat-tile';
import { type OfferFigures, offerDays } from '@/lib/dashboard/seller-figures';
import { viewedDays, viewStep } from '@/lib/sites/count-view';

type FigureTilesProps = {
  offers: OfferFigures;
  /** In steps of ten, 0 for fewer; null while no views are counted. */
  views: number | null;
};

/** What became of a seller's offers, how fast they were answered, and how often buyers looked at the sites. */
export function FigureTiles({ offers, views }: FigureTilesProps) {
  return (
    <div className={views === null ? twoTileGrid : threeTileGrid}>
      <StatTile
        label="Offers"
        value={formatCount({ total: offers.offers, isCapped: offers.isCapped })}
        hint={offers.offers > 0 ? describeAnswers(offers) : `in the last ${offerDays} days`}
        icon={Inbox}
        href="/seller/orders"
      />
      <StatTile
        label="Answer Time"
        value={offers.medianSeconds === null ? '–' : formatDuration(offers.medianSeconds)}
        hint={
          offers.medianSeconds === null
            ? `no answers in the last ${offerDays} days`
            : `median of the last ${offerDays} days`
        }
        icon={Timer}
      />
      {views === null ? null : (
        <StatTile
          label="Site Views"
          value={views === 0 ? `Below ${viewStep}` : `${views.toLocaleString('en-US')}+`}
          hint={`by buyers in the last ${viewedDays} days`}
          icon={Eye}
        />
      )}
    </div>
  );
}

function describeAnswers({ accepted, declined, expired }: OfferFigures): string {
  const parts: readonly [count: number, what: string][] = [
    [accepted, 'accepted'],
    [declined, 'declined'],
    [expired, 'expired'],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`);
  return `${shown.length > 0 ? shown.join(', ') : 'none answered'} in ${offerDays} days`;
}

/** Formats a time in its largest unit. @example formatDuration(9_000) // "3 h" */
export function formatDuration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
