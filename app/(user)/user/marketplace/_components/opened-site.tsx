import { redirect } from 'next/navigation';
import { marketplacePath } from '@/components/sites/filters/filter-params';
import { describePause } from '@/components/sites/pause-words';
import { SiteDetails } from '@/components/sites/site-details';
import { describeLinked } from '@/components/sites/site-text';
import { type PageCursors, pageLinks } from '@/components/table/pagination';
import { firstPage, oneParam, type PageParams, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { currentActor } from '@/lib/auth/current-actor';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import type { CartState } from '@/lib/orders/carts/cart-sites';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { findBlocked } from '@/lib/projects/blocked-domains';
import { getPlacementRules, type PlacementRules } from '@/lib/settings/placement-rules';
import { findPause } from '@/lib/sites/catalogue/find-pause';
import { findListedSite, listSimilarSites } from '@/lib/sites/catalogue/listed-sites';
import { countSiteView } from '@/lib/sites/count-view';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { SiteDrawer, SiteNotFound } from './panels';

/** The parameter of the URL that opens a site's drawer: its id, or `first` or `last` for the site of the page. */
const siteParam = 'site';

const maxSimilar = 4;

type OpenedSiteProps = {
  /** The cart of the current project. */
  cart: CartState;
  project: { id: string; domain: string } | null;
  params: SearchParams;
  /** The sites of the page. */
  ids: readonly number[];
  list: { page: PageParams; total: number; isCapped: boolean; cursors: PageCursors };
};

/** Renders the drawer of the site in the URL, also of one that the list does not have, e.g. from a shared link. */
export async function OpenedSite({ cart, project, params, ids, list }: OpenedSiteProps) {
  const { accountId } = cart;
  const projectId = project?.id;
  const input = oneParam(params, siteParam);
  if (input === '') return null;
  const hrefOf = (site: number | string | null) => withParams(marketplacePath, params, { [siteParam]: site });
  const closeHref = hrefOf(null);
  const edge = input === 'first' ? ids[0] : input === 'last' ? ids.at(-1) : undefined;
  if (edge !== undefined) redirect(hrefOf(edge));

  const parsed = siteIdParams.safeParse({ id: input });
  const site = parsed.success ? await findListedSite(parsed.data.id, projectId) : null;
  if (!site) return <UnlistedSite id={parsed.data?.id} closeHref={closeHref} />;
  // A view by staff is none by the buyer.
  const viewer = await currentActor();
  if (viewer && !viewer.viewing) runAfterResponse('site view', () => countSiteView(site.id, viewer.userId));
  const domain = getSiteDomain(site.url);
  const isForAll = viewer?.projectIds === null;
  const domains = domain ? [domain] : [];
  const [similar, offers, rules, blocked, fixed] = await Promise.all([
    listSimilarSites(site, { limit: maxSimilar, accountId, projectId }),
    getSiteOffers(accountId, [site.id]),
    getPlacementRules(),
    findBlocked({ accountId, projectId }, domains),
    isForAll ? new Set<string>() : findBlocked({ accountId }, domains),
  ]);
  const guarantee = describeGuarantee(rules);
  const isOfPublisher = offers.isOfPublisher(site.id);
  const fulfilledBy = isOfPublisher ? ('publisher' as const) : ('our team' as const);
  const { id, name, url, usdCents, linked } = site;
  return (
    <SiteDrawer
      site={{ id, name, url, usdCents }}
      {...findNeighbors(id, params, ids, list)}
      closeHref={closeHref}
      cart={cart}
      project={project && { id: project.id, domain: project.domain }}
      block={
        domain && (isForAll || project) && !fixed.has(domain)
          ? { domain, isBlocked: blocked.has(domain), isForAll }
          : null
      }
    >
      {linked ? <Alert className="mb-4">{describeLinked(linked, project?.domain)}</Alert> : null}
      <SiteDetails
        site={{ ...site, fulfilledBy }}
        similar={similar}
        detailHref={hrefOf}
        options={offers.listOptions(site.id)}
        guarantee={guarantee && (isOfPublisher ? `${guarantee.checks} ${guarantee.money}` : guarantee.checks)}
        dayKind={rules.dayKind}
      />
    </SiteDrawer>
  );
}

/** Renders that a site is paused, does not exist or is not on sale. */
async function UnlistedSite({ id, closeHref }: { id: number | undefined; closeHref: string }) {
  const pause = id === undefined ? null : await findPause(id);
  if (!pause) return <SiteNotFound closeHref={closeHref} />;
  const text = `${describePause('The publisher takes no orders for this site', pause)}. Running orders go on.`;
  return <SiteNotFound title="This site is paused" text={text} closeHref={closeHref} />;
}

/**
 * Returns the URLs of the sites before and after it, also over the ends of the page, or of the list for other sites.
 */
function findNeighbors(
  id: number,
  params: SearchParams,
  ids: readonly number[],
  { page, total, isCapped, cursors }: OpenedSiteProps['list'],
): { previousHref: string | null; nextHref: string | null } {
  const index = ids.indexOf(id);
  const hrefOf = (site: number | string, target?: { page: number; cursor: string | null }) =>
    withParams(marketplacePath, params, {
      ...(target && { ...firstPage, page: target.page === 1 ? null : target.page, cursor: target.cursor }),
      [siteParam]: site,
    });
  const { previous, next } = pageLinks(page, total, isCapped, cursors);
  const [before, after] = [index > 0 ? ids[index - 1] : undefined, ids[index + 1]];
  const isListed = index >= 0;
  return {
    previousHref: before !== undefined ? hrefOf(before) : isListed && previous ? hrefOf('last', previous) : null,
    nextHref: after !== undefined ? hrefOf(after) : isListed && next ? hrefOf('first', next) : null,
  };
}

/** Describes how long a link is checked, and what the loss of a publisher's link returns; null without a guarantee. */
function describeGuarantee({ guaranteeDays, repairDays }: PlacementRules): { checks: string; money: string } | null {
  if (guaranteeDays === 0) return null;
  return {
    checks: `We check the link for ${guaranteeDays} days.`,
    money: `If it is lost and not repaired in ${repairDays} days, the unearned part of the price returns to your wallet.`,
  };
}
