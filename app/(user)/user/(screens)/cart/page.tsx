import type { Metadata } from 'next';
import { cartPagePath } from '@/components/carts/cart-messages';
import { EmptyCart } from '@/components/carts/cart-notices';
import { CartScreen } from '@/components/carts/cart-screen';
import { ImportCart } from '@/components/carts/import-cart';
import { SiteCheckout } from '@/components/carts/site-checkout';
import type { OrderFacts } from '@/components/orders/order-form';
import { FeatureDisabled } from '@/components/shell/notices';
import { screenTexts } from '@/components/shell/screen-texts';
import { describePause } from '@/components/sites/pause-words';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { findCurrentProject } from '@/lib/orders/carts/current-project';
import { getCart, listCarts } from '@/lib/orders/carts/queries';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import { findLinked } from '@/lib/projects/linked-domains/find-linked';
import { listProjectChoices, type ProjectChoiceRow } from '@/lib/projects/projects';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { findPause } from '@/lib/sites/catalogue/find-pause';
import { findListedSite } from '@/lib/sites/catalogue/listed-sites';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { getPageTax } from '@/lib/tax/buyer-tax';
import { getTaxonomy } from '@/lib/taxonomy/queries';

const texts = screenTexts(cartPagePath);

export const metadata: Metadata = { title: texts.title };

/** Renders a cart (`?cart=`, or the one last changed), or the checkout of one site without a cart (`?site=`). */
export default async function CartPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:orders');
  if (!(await isFlagOn('marketplace'))) return <FeatureDisabled title={texts.title} text={flags.marketplace.off} />;
  const params = await searchParams;
  const [{ niches, postTypes }, projects, { balanceCents, mayTopUp, isLimited }, tax] = await Promise.all([
    getTaxonomy(),
    listProjectChoices(actor),
    getBuyerLayout(actor),
    getPageTax(actor.accountId, actor.accountRole),
  ]);
  const facts = {
    ...{ userId: actor.accountId, balanceCents, mayTopUp, isLimited, projects, niches, postTypes, tax },
    mayCreateProjects: actor.projectIds === null,
  };
  const projectId = oneParam(params, 'project');
  const siteId = oneParam(params, 'site');
  if (siteId !== '' && !actor.viewing) {
    const own = projects.some(({ id }) => id === projectId) ? projectId : '';
    return (
      <>
        <PageHeader title="Order a site" description="The site becomes one order, paid from your wallet." />
        <OneSite facts={facts} projectId={own} siteId={siteId} />
      </>
    );
  }
  return (
    <>
      <PageHeader {...texts} />
      <Carts actor={actor} facts={facts} cartId={oneParam(params, 'cart')} projectId={projectId} />
    </>
  );
}

type Facts = OrderFacts & { projects: readonly ProjectChoiceRow[] };
type CartsProps = { actor: Actor; facts: Facts; cartId: string; projectId: string };

/** Renders the tabs of the carts, and the selected cart. */
async function Carts({ actor, facts, cartId, projectId }: CartsProps) {
  const carts = await listCarts(actor);
  const selected = carts.find(({ id }) => id === cartId) ?? carts[0];
  if (!selected) {
    // Who sees chosen projects has no cart without a project.
    const project = actor.projectIds && findCurrentProject(facts.projects, [], projectId, actor);
    const isImportable = actor.viewing === undefined && (project !== null || actor.projectIds === null);
    return <EmptyCart>{isImportable ? <ImportCart cartId={null} projectId={project?.id} /> : null}</EmptyCart>;
  }
  return (
    <>
      {cartId !== '' && cartId !== selected.id ? (
        <Alert tone="warning" className="mb-4">
          This cart doesn’t exist or was deleted. Another one is shown.
        </Alert>
      ) : null}
      {carts.length > 1 ? (
        <div className="mb-4">
          <Tabs
            label="Carts"
            tabs={carts
              .toSorted((one, other) => one.name.localeCompare(other.name, 'en-US'))
              .map(({ id, name, count }) => ({
                href: withParams(cartPagePath, {}, { cart: id }),
                label: name,
                count,
                current: id === selected.id,
              }))}
          />
        </div>
      ) : null}
      <CartScreen
        key={selected.id}
        {...facts}
        cart={await getCart(actor, selected.id)}
        projectId={projectId}
        isReadOnly={actor.viewing !== undefined}
      />
    </>
  );
}

/** Renders the checkout of one site. */
async function OneSite({ facts, projectId, siteId }: { facts: OrderFacts; projectId: string; siteId: string }) {
  const parsed = siteIdParams.safeParse({ id: siteId });
  const site = parsed.success ? await findListedSite(parsed.data.id) : null;
  if (!site || site.usdCents === null) {
    const pause = parsed.success ? await findPause(parsed.data.id) : null;
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState
          icon={<Icon name="package-x" />}
          title="This site cannot be ordered"
          action={
            <ButtonLink href="/user/marketplace" variant="primary">
              Find another site
            </ButtonLink>
          }
        >
          {pause ? describePause('Its publisher takes no orders', pause) : 'It doesn’t exist or is no longer on sale'}.
          Nothing was ordered.
        </EmptyState>
      </div>
    );
  }
  const { id, name, url, follow, usdCents, words } = site;
  const domain = getSiteDomain(url);
  const [links, offers] = await Promise.all([
    projectId === '' ? null : findLinked(projectId, [domain]),
    getSiteOffers(facts.userId, [id]),
  ]);
  const linked = links?.get(domain) ?? null;
  return (
    <SiteCheckout
      {...facts}
      {...{ projectId, linked }}
      site={{ id, name, url, follow, words, priceCents: usdCents }}
      options={offers.listOptions(id)}
    />
  );
}
