import { CircleCheck, CircleX, Clock, Plus, Tag } from 'lucide-react';
import { Timeline } from '@/components/dashboard/timeline';
import { formatMoney } from '@/lib/money';
import { listSiteHistory, type SiteHistoryEntry, type SiteState } from '@/lib/sites/history';
import type { AdminSiteView } from '@/lib/sites/views';

const statusIcons = {
  Approved: <CircleCheck />,
  Rejected: <CircleX />,
  Pending: <Clock />,
};
const prices = [
  ['Seller price', 'sellerPriceCents'],
  ['Admin price', 'adminPriceCents'],
  ['Public price', 'publicPriceCents'],
] as const;

/** What became of a site's status and prices. */
export async function SiteHistory({ site }: { site: AdminSiteView }) {
  const entries = await listSiteHistory(site.id);
  const isComplete = entries.at(-1)?.before.status === undefined && entries.at(-1)?.after.status !== undefined;
  const added = {
    id: 'added',
    icon: <Plus />,
    title: 'Added',
    at: new Date(site.createdAt),
  };
  return (
    <section aria-label="History">
      <h3 className="mb-2 text-ink text-sm">History of status and price</h3>
      <div className="-mx-4 sm:-mx-5">
        <Timeline items={[...itemsOf(entries, site), ...(isComplete ? [] : [added])]} />
      </div>
    </section>
  );
}

function itemsOf(entries: SiteHistoryEntry[], site: AdminSiteView) {
  return entries.map(({ id, at, by, before, after }) => ({
    id,
    at,
    detail: by,
    icon: after.status ? statusIcons[after.status] : <Tag />,
    title: [
      ...(after.status ? [before.status ? `${before.status} → ${after.status}` : `Added as ${after.status}`] : []),
      ...(before.publicCurrency && after.publicCurrency ? [`${before.publicCurrency} → ${after.publicCurrency}`] : []),
      ...prices.flatMap(([name, key]) => priceChange(name, before[key], after[key], currencyOf(before, after, site))),
    ].join(', '),
  }));
}

/** An entry names the currency only where it changed or the site was added; else it is the site's own. */
const currencyOf = (before: SiteState, after: SiteState, site: AdminSiteView) => ({
  was: before.publicCurrency ?? after.publicCurrency ?? site.publicCurrency,
  is: after.publicCurrency ?? site.publicCurrency,
});

function priceChange(
  name: string,
  was: number | null | undefined,
  is: number | null | undefined,
  currency: ReturnType<typeof currencyOf>,
): string[] {
  if (is === undefined || (is === null && !was)) return [];
  const now = is === null ? 'none' : formatMoney(is, currency.is);
  return [was ? `${name} ${formatMoney(was, currency.was)} → ${now}` : `${name} ${now}`];
}
