import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { StatTile, tileGrid } from '@/components/ui/stat-tile';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { getPublicSummary, type NicheSummary } from '@/lib/sites/catalogue/public-summary';
import { ExploreFrame } from './_components/explore-frame';
import { exploreMetadata, formatDr, formatPrices, formatSites } from './_components/explore-texts';

const title = 'Guest posts and link placements';

export async function generateMetadata(): Promise<Metadata> {
  if (!(await isFlagOn('public-catalogue'))) return {};
  return exploreMetadata(title, describeCatalog((await getPublicSummary()).sites), '/explore');
}

const describeCatalog = (sites: number) =>
  `${formatSites(sites)} with DR, DA and traffic, priced in USD. Order from one prepaid wallet and follow each link until it’s live.`;

/** Shows what is on sale, without addresses. Not found while the flag `public-catalogue` is off. */
export default async function ExplorePage() {
  if (!(await isFlagOn('public-catalogue'))) notFound();
  const summary = await getPublicSummary();
  return (
    <ExploreFrame title={title} description={describeCatalog(summary.sites)}>
      {summary.niches.length === 0 ? (
        <EmptyState icon={<Icon name="globe" />} title="No sites on sale yet">
          Approved sites appear here.
        </EmptyState>
      ) : (
        <>
          <div className={tileGrid}>
            <StatTile label="Sites" icon="globe" value={summary.sites.toLocaleString('en-US')} />
            <StatTile label="Countries" icon="map-pin" value={summary.countries.toLocaleString('en-US')} />
            <StatTile label="Highest DR" icon="trending-up" value={summary.topDr ?? '–'} />
            <StatTile label="Price from" icon="wallet-cards" value={<Money amountMinor={summary.fromCents ?? 0} />} />
          </div>
          <h2 className="mt-10 mb-4 text-ink text-lg">Niches</h2>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {summary.niches.map((niche) => (
              <NicheCard key={niche.slug} niche={niche} />
            ))}
          </ul>
        </>
      )}
    </ExploreFrame>
  );
}

function NicheCard({ niche }: { niche: NicheSummary }) {
  return (
    <li>
      <Link
        prefetch={false}
        href={`/explore/${encodeURIComponent(niche.slug)}`}
        className="card block h-full px-5 py-4 transition-colors hover:border-line-strong hover:bg-sunken"
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate font-medium text-ink">{niche.niche}</span>
          <span className="shrink-0 text-muted text-sm">{formatSites(niche.sites)}</span>
        </span>
        <span className="mt-2 flex flex-wrap justify-between gap-x-3 text-muted text-sm tabular-nums">
          <span>DR {formatDr(niche)}</span>
          <span>{formatPrices(niche)}</span>
        </span>
      </Link>
    </li>
  );
}
