import { and, asc, count, desc, eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { cartItems, carts } from '@/db/schema/carts';
import { briefArticles } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { findDuplicates } from '@/lib/orders/order/duplicates';
import { getSiteOffers } from '@/lib/orders/order/site-offers';
import { findLinked } from '@/lib/projects/linked-domains/find-linked';
import { computeTaxCents } from '@/lib/tax/amounts';
import type { ShownTax } from '@/lib/tax/buyer-tax';
import { getPageTax } from '@/lib/tax/buyer-tax';
import type { Cart, CartItem, CartSummary } from './contract';
import { createCart } from './create';
import { findContradictions } from './find-contradictions';
import { type CartRow, cartNotFoundError, isCartOf } from './lock';
import { priceItem } from './price-item';
import { type FieldNote, readCartBrief } from './read-brief';

/** Lists the carts of the actor without their sites, the one last changed first. */
export async function listCarts(actor: AccountScope): Promise<CartSummary[]> {
  const [found, items] = await Promise.all([
    db().select().from(carts).where(isInScope(actor, carts)).orderBy(desc(carts.updatedAt), asc(carts.id)),
    db()
      .select({ cartId: cartItems.cartId, siteId: cartItems.siteId, brief: cartItems.brief })
      .from(cartItems)
      .innerJoin(carts, eq(carts.id, cartItems.cartId))
      .where(isInScope(actor, carts)),
  ]);
  const ids = items.map(({ siteId }) => siteId);
  const [offers, tax] = await Promise.all([getSiteOffers(actor.accountId, ids), getPageTax(actor.accountId)]);
  return found.map(({ id, projectId, name, version }) => {
    const own = items.filter(({ cartId }) => cartId === id);
    const prices = own.map(({ siteId, brief }) => priceItem(offers, siteId, brief).priceCents ?? 0);
    return { id, projectId, name, version, ...addUp(prices, tax), count: own.length };
  });
}

/** Counts the sites in all carts of a user. */
export async function countCartSites(scope: AccountScope): Promise<number> {
  const [counted] = await db()
    .select({ total: count() })
    .from(cartItems)
    .innerJoin(carts, eq(carts.id, cartItems.cartId))
    .where(isInScope(scope, carts));
  return counted?.total ?? 0;
}

/**
 * Returns the actor's cart of a project, or the one without a project, and creates it if there is none.
 * @throws AppError not_found for a project of another user
 */
export async function openCart(actor: Actor, projectId: string | null): Promise<Cart> {
  return getCart(actor, (await createCart(actor, { projectId })).id);
}

/**
 * Returns a cart of the actor with its sites at their current prices, and what is wrong with each.
 * @throws AppError not_found, also for a cart of another user
 */
export async function getCart(actor: AccountScope, id: string): Promise<Cart> {
  const [cart] = await db().select().from(carts).where(isCartOf(actor, id));
  if (!cart) throw cartNotFoundError();
  return describeCart(cart);
}

async function describeCart({ id, accountId, projectId, name, version }: CartRow): Promise<Cart> {
  const rows = await selectItems(id);
  const siteIds = rows.map(({ siteId }) => siteId);
  const domains = rows.map(({ domain }) => domain);
  const [offers, articles, linked, duplicates, tax] = await Promise.all([
    getSiteOffers(accountId, siteIds),
    findArticles(accountId, rows),
    projectId === null ? new Map<string, never>() : findLinked(projectId, domains),
    findDuplicates(db(), projectId, siteIds),
    getPageTax(accountId),
  ]);
  const items = rows.map((row): CartItem => {
    const { siteId, brief, followType, words, language } = row;
    const { priceCents, problem } = priceItem(offers, siteId, brief);
    const shownPriceCents = row.shownPriceCents + row.shownOptionsCents;
    const follow = followType === 'DoFollow';
    const { problems, warnings } = checkBrief(brief, { follow, language }, articles);
    return {
      siteId,
      name: row.name,
      url: row.url,
      follow,
      language,
      words,
      brief,
      articleFileName: articles.get(String(brief.articleId)) ?? null,
      options: offers.listOptions(siteId),
      state: getState({ ...row, shownPriceCents }, priceCents),
      pause: getPause(row),
      priceCents,
      shownPriceCents,
      problems: problem === null ? problems : [...problems, { field: 'options', message: problem }],
      warnings,
      linked: linked.get(row.domain) ?? null,
      isDuplicate: duplicates.has(siteId),
    };
  });
  const prices = items.map(({ priceCents }) => priceCents ?? 0);
  return { id, projectId, name, version, ...addUp(prices, tax), items };
}

/** Adds up the prices of a cart's sites. Each is an order with a document of its own, so its tax is rounded. */
function addUp(prices: readonly number[], tax: ShownTax | null): Pick<Cart, 'netCents' | 'taxCents' | 'totalCents'> {
  const rate = tax && 'rate' in tax ? tax.rate : 0;
  const netCents = prices.reduce((sum, price) => sum + price, 0);
  const taxCents = prices.reduce((sum, price) => sum + computeTaxCents(price, rate), 0);
  return { netCents, taxCents, totalCents: netCents + taxCents };
}

const selectItems = (cartId: string) =>
  db()
    .select({
      siteId: cartItems.siteId,
      brief: cartItems.brief,
      shownPriceCents: cartItems.shownPriceCents,
      shownOptionsCents: cartItems.shownOptionsCents,
      name: sites.name,
      url: sites.url,
      domain: sites.domain,
      followType: sites.followType,
      language: sites.language,
      words: sites.words,
      status: sites.status,
      deletedAt: sites.deletedAt,
      pausedAt: sites.pausedAt,
      pausedUntil: sites.pausedUntil,
    })
    .from(cartItems)
    .innerJoin(sites, eq(sites.id, cartItems.siteId))
    .where(eq(cartItems.cartId, cartId))
    .orderBy(cartItems.position);
type ItemRow = Awaited<ReturnType<typeof selectItems>>[number];

function getState({ status, deletedAt, shownPriceCents }: ItemRow, priceCents: number | null): CartItem['state'] {
  if (priceCents !== null) return priceCents === shownPriceCents ? 'ok' : 'price_changed';
  return deletedAt !== null || status === 'Rejected' ? 'not_on_sale' : 'paused';
}

/** Returns the pause of a site that is for sale again after it; null for another site. */
function getPause({ status, deletedAt, pausedAt, pausedUntil }: ItemRow): CartItem['pause'] {
  if (pausedAt === null || deletedAt !== null || status === 'Rejected') return null;
  return { until: pausedUntil?.toISOString() ?? null };
}

/** Finds the articles that briefs name and the user uploaded. @returns the file names by the article's id */
async function findArticles(accountId: string, items: readonly ItemRow[]): Promise<Map<string, string>> {
  const ids = items.flatMap(({ brief: { articleId } }) => (articleId ? [String(articleId)] : []));
  if (ids.length === 0) return new Map();
  const found = await db()
    .select({ id: briefArticles.id, fileName: briefArticles.fileName })
    .from(briefArticles)
    .where(and(inArray(briefArticles.id, ids), eq(briefArticles.accountId, accountId)));
  return new Map(found.map(({ id, fileName }) => [id, fileName]));
}

function checkBrief(
  typed: ItemRow['brief'],
  site: { follow: boolean; language: string },
  articles: ReadonlyMap<string, string>,
): { problems: FieldNote[]; warnings: FieldNote[] } {
  const read = readCartBrief(typed);
  if ('problems' in read) return { problems: read.problems, warnings: [] };
  const { articleId } = read.brief;
  const isMissing = articleId && !articles.has(articleId);
  const message = 'This article does not exist or was removed. Upload it again.';
  return {
    problems: isMissing ? [{ field: 'articleId', message }] : [],
    warnings: findContradictions(read.brief, site),
  };
}
