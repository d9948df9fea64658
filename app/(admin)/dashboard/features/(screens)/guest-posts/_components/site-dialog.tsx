import { Timeline } from '@/components/dashboard/timeline';
import { RecordNotFound } from '@/components/table/record-dialog';
import { Icon } from '@/components/ui/icon';
import { nullIfNotFound } from '@/lib/errors';
import { formatMoney } from '@/lib/money';
import { describeShownFigures } from '@/lib/sites/domain-figures/describe-figure';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { getManagedSite, listSiteHistory, type SiteHistoryEntry, type SiteState } from '@/lib/sites/managed-queries';
import { previewPrices } from '@/lib/sites/pricing/apply-rules';
import { formatRejectionReason } from '@/lib/sites/rejection-reasons';
import { type AdminSiteView, adminSiteView, type SiteRow } from '@/lib/sites/views';
import { DomainClaims } from './domain-claims';
import { type SiteChoices, SiteEditor } from './site-editor';

const statusIcons = {
  Approved: <Icon name="circle-check" />,
  Rejected: <Icon name="circle-x" />,
  Pending: <Icon name="clock" />,
};

const prices = [
  ['Seller price', 'sellerPriceCents'],
  ['Admin price', 'adminPriceCents'],
  ['Public price', 'publicPriceCents'],
] as const;

/**
 * Returns the currencies before and after an entry. An entry contains the currency only if it changed or the site was
 * created. Otherwise uses the site's currency.
 */
const currencyOf = (before: SiteState, after: SiteState, site: AdminSiteView) => ({
  was: before.publicCurrency ?? after.publicCurrency ?? site.publicCurrency,
  is: after.publicCurrency ?? site.publicCurrency,
});

type SiteDialogProps = SiteChoices & {
  /** The URL parameter as received: an id, 'new', or '' if absent. */
  id: string;
  closeHref: string;
};

/** Renders the dialog of the site in the URL, or of a new site. */
export async function SiteDialog({ id, closeHref, ...choices }: SiteDialogProps) {
  if (id === '') return null;
  if (id === 'new') return <SiteEditor key="new" site={null} closeHref={closeHref} {...choices} />;
  const params = siteIdParams.safeParse({ id });
  const found = params.success ? await nullIfNotFound(getManagedSite(params.data.id)) : null;
  if (!found) return <RecordNotFound key={id} noun="site" closeHref={closeHref} />;
  const site = adminSiteView(found);
  const priceHint = await describeApproval(found);
  const history = (
    <div className="grid gap-6">
      <DomainClaims domain={found.domain} ownerId={site.userId} />
      <SiteHistory site={site} />
    </div>
  );
  const shown = describeShownFigures(found.figureSources, site, 'staff');
  return <SiteEditor key={id} {...{ site, closeHref, priceHint, shown, history }} {...choices} />;
}

/** Describes the price that the approval of a site sets; undefined where it sets none. */
async function describeApproval(site: SiteRow): Promise<string | undefined> {
  const { status, sellerPriceCents, publicPriceCents, isPriceStale } = site;
  if (status === 'Approved' || (publicPriceCents !== null && !isPriceStale)) return undefined;
  const [priced] = await previewPrices({ ids: [site.id] });
  if (!priced || 'problem' in priced) {
    const isLoss = publicPriceCents !== null && publicPriceCents < (sellerPriceCents ?? 0);
    return isLoss ? 'The seller’s new price is higher, and no rule applies: the approval removes this one.' : undefined;
  }
  const why = isPriceStale ? 'The seller changed the price. The' : 'If it’s empty, the';
  return `${why} approval sets ${formatMoney(priced.newPriceCents, priced.currency)} (${priced.rule}).`;
}

/** Lists the changes of a site's status and prices, and of who fulfills its orders. */
async function SiteHistory({ site }: { site: AdminSiteView }) {
  const entries = await listSiteHistory(site.id);
  const isComplete = entries.at(-1)?.before.status === undefined && entries.at(-1)?.after.status !== undefined;
  const added = { id: 'added', icon: <Icon name="plus" />, title: 'Added', at: new Date(site.createdAt) };
  return (
    <section aria-label="History">
      <h3 className="mb-2 text-ink text-sm">Status and price history</h3>
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
    icon: after.status ? (
      statusIcons[after.status]
    ) : after.isFulfilledByStaff === undefined ? (
      <Icon name="tag" />
    ) : (
      <Icon name="users-round" />
    ),
    title: [
      ...(after.status ? [before.status ? `${before.status} → ${after.status}` : `Added as ${after.status}`] : []),
      ...(after.rejectionReason ? [formatRejectionReason(after.rejectionReason)] : []),
      ...(after.rejectionNote ? [`“${after.rejectionNote}”`] : []),
      ...(after.isFulfilledByStaff === undefined
        ? []
        : [after.isFulfilledByStaff ? 'Fulfilled by staff' : 'Fulfilled by the owner']),
      ...(before.publicCurrency && after.publicCurrency ? [`${before.publicCurrency} → ${after.publicCurrency}`] : []),
      ...prices
        // The admin price is of interest only where buyers pay another one.
        .filter(([, key]) => key !== 'adminPriceCents' || after.adminPriceCents !== after.publicPriceCents)
        .flatMap(([name, key]) => priceChange(name, before[key], after[key], currencyOf(before, after, site))),
    ].join(', '),
  }));
}

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
