import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { ExploreFrame } from '@/app/explore/_components/explore-frame';
import { exploreMetadata, formatDr, formatPrices, formatSites } from '@/app/explore/_components/explore-texts';
import { FigureLegend } from '@/components/sites/figure-legend';
import { FigureValue } from '@/components/sites/figure-value';
import { type Column, DataTable } from '@/components/table/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { isFlagOn } from '@/lib/settings/feature-flags';
import {
  getPublicSummary,
  listPublicSamples,
  type NicheSummary,
  type PublicSample,
} from '@/lib/sites/catalogue/public-summary';

type NichePageProps = { params: Promise<{ niche: string }> };

export async function generateMetadata({ params }: NichePageProps): Promise<Metadata> {
  const niche = await findNiche((await params).niche);
  return niche ? exploreMetadata(titleOf(niche), describeNiche(niche), pathOf(niche)) : {};
}

/**
 * Renders a niche of the public catalog with its sites of the highest DR; the flag `public-addresses` shows addresses.
 */
export default async function NichePage({ params }: NichePageProps) {
  const niche = await findNiche((await params).niche);
  if (!niche) notFound();
  const rows = await listPublicSamples(niche.niche, await isFlagOn('public-addresses'));
  return (
    <ExploreFrame title={titleOf(niche)} description={describeNiche(niche)}>
      <Link prefetch={false} href="/explore" className="text-accent-ink text-sm hover:underline">
        All niches
      </Link>
      <div className="mt-4">
        <DataTable
          caption={`Sites in ${niche.niche}`}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => String(id)}
          empty={<EmptyState icon={<Icon name="globe" />} title="No sites on sale in this niche" />}
          pathname={pathOf(niche)}
          searchParams={{}}
        />
      </div>
      {rows.length > 0 ? (
        <FigureLegend rows={rows.map(({ figureSources }) => figureSources)} hint="Point at a figure" />
      ) : null}
      {niche.sites > rows.length ? (
        <p className="mt-3 text-muted text-sm">
          The {formatSites(rows.length)} with the highest DR. Sign in to see all {formatSites(niche.sites)}.
        </p>
      ) : null}
    </ExploreFrame>
  );
}

/** Returns the niche of an address; null if it does not exist, or while the public catalog is off. */
async function findNiche(param: string): Promise<NicheSummary | null> {
  if (!(await isFlagOn('public-catalogue'))) return null;
  const { niches } = await getPublicSummary();
  return niches.find(({ slug }) => slug === decodeParam(param)) ?? null;
}

/** Decodes a parameter, which Next.js passes as it is in the address. */
function decodeParam(param: string): string {
  try {
    return decodeURIComponent(param);
  } catch {
    return param;
  }
}

const pathOf = ({ slug }: NicheSummary) => `/explore/${encodeURIComponent(slug)}`;
const titleOf = ({ niche }: NicheSummary) => `${niche}: guest posts and link placements`;
const describeNiche = (niche: NicheSummary) =>
  `${formatSites(niche.sites)} in ${niche.niche}: DR ${formatDr(niche)}, ${formatPrices(niche)} for a placement.`;

const figure = (row: PublicSample, metric: 'dr' | 'da' | 'traffic') => (
  <FigureValue text={row[metric]?.toLocaleString('en-US') ?? '–'} origin={row.figureSources[metric]} />
);

function SiteName({ row: { name, url, country } }: { row: PublicSample }) {
  if (!name || !url) return <span className="text-muted">{country ? `Site in ${country}` : 'Site'}</span>;
  return (
    <span className="block min-w-0">
      <span className="block max-w-64 truncate font-medium text-ink">{name}</span>
      <span className="block max-w-64 truncate text-muted text-xs">{url}</span>
    </span>
  );
}

const columns: Column<PublicSample>[] = [
  { key: 'site', header: 'Site', phone: 'title', cell: (row) => <SiteName row={row} /> },
  { key: 'dr', header: 'DR', phone: 'labeled', align: 'right', cell: (row) => figure(row, 'dr') },
  { key: 'da', header: 'DA', phone: 'labeled', align: 'right', cell: (row) => figure(row, 'da') },
  { key: 'traffic', header: 'Traffic', phone: 'labeled', align: 'right', cell: (row) => figure(row, 'traffic') },
  { key: 'link', header: 'Link', phone: 'labeled', cell: ({ followType }) => followType },
  {
    key: 'price',
    header: 'Price',
    phone: 'end',
    align: 'right',
    cell: ({ priceUsdCents }) => <Money amountMinor={priceUsdCents} className="font-medium text-ink" />,
  },
];
