import { type InferInsertModel, inArray } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type SiteStatus, sites } from '@/db/schema/sites';
import { nicheProposals } from '@/db/schema/taxonomy';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { sourceFigures } from '@/lib/sites/domain-figures/typed-figures';
import { normalizeSiteUrl } from '@/lib/sites/field-values';
import { nicheKey } from '@/lib/taxonomy/contract';
import { daysBefore } from './days';
import { seedFigures } from './figures';
import { type NicheWords, nicheWords } from './niche-words';
import type { People, Person } from './people';
import { languageNames, type Place, places } from './places';
import type { Random } from './random';
import { generateMetrics, type SiteMetrics } from './site-metrics';
import { generateSite } from './site-name';
import { generatePrices, postTypeLevels } from './site-price';

const ofTheSeller = 60;
const ofTheOthers = 940;

const postTypeWeights = [
  ['Guest posts', 64],
  ['Homepage links', 12],
  ['Innerpage links', 16],
  ['Sitewide links', 8],
] as const;
const statusWeights = [
  ['Approved', 90],
  ['Pending', 7],
  ['Rejected', 3],
] as const;
/** The demo seller has sites of every status. */
const sellerStatusWeights = [
  ['Approved', 68],
  ['Pending', 22],
  ['Rejected', 10],
] as const;
const wordsWeights = [
  [500, 2],
  [600, 8],
  [800, 4],
  [1000, 3],
  [1500, 1],
] as const;
const turnaroundWeights = [
  [1, 2],
  [2, 4],
  [3, 8],
  [5, 6],
  [7, 5],
  [10, 2],
  [14, 2],
] as const;

/** Seeds the inventory: invented publications under domains reserved for examples, so that no real site is offered. */
export async function seedSites(tx: Executor, random: Random, people: People, now: Date): Promise<void> {
  const claimed = new Set<string>();
  const others = Array.from({ length: ofTheOthers }, () =>
    generateRow(random, claimed, random.pick(people.sellers), statusWeights, now),
  );
  const own = Array.from({ length: ofTheSeller }, () =>
    generateRow(random, claimed, people.seller, sellerStatusWeights, now),
  );
  shareDomains(others, own);
  const rows = [...others, ...own].sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  const inserted = await tx.insert(sites).values(rows).returning();
  await seedFigures(tx, inserted, now);
  // A niche of the demo seller's newest import waits for review.
  const pending = inserted.filter(({ ownerId, status }) => ownerId === people.seller.id && status === 'Pending');
  const proposed = pending.slice(-2);
  const [first] = proposed;
  if (!first) return;
  const name = 'Falconry';
  await tx
    .insert(nicheProposals)
    .values({ key: nicheKey(name), name, proposedBy: people.seller.id, createdAt: first.createdAt });
  await tx
    .update(sites)
    .set({ niche: name, updatedAt: first.createdAt })
    .where(
      inArray(
        sites.id,
        proposed.map(({ id }) => id),
      ),
    );
}

type SiteRow = InferInsertModel<typeof sites> & { createdAt: Date };

/** Sites of the demo seller that another seller lists as well. */
const sharedSites = 3;

/** Gives some sites of others the address of a site of the demo seller, with their own figures and prices. */
function shareDomains(others: SiteRow[], own: readonly SiteRow[]): void {
  const isOnSale = ({ status, publicPriceCents }: SiteRow) => status === 'Approved' && publicPriceCents;
  const shared = own.filter(isOnSale).slice(0, sharedSites);
  for (const [index, site] of others.filter(isOnSale).slice(0, shared.length).entries()) {
    const { name, url, urlKey, domain, niche, country, language } = shared[index] ?? site;
    Object.assign(site, { name, url, urlKey, domain, niche, country, language, samplePosts: '' });
  }
}

function generateRow(
  random: Random,
  claimed: Set<string>,
  owner: Person,
  statuses: readonly (readonly [SiteStatus, number])[],
  now: Date,
): SiteRow {
  const place = random.weighted(places.map((one) => [one, one.weight] as const));
  const tongue = random.weighted(place.tongues);
  const words = random.weighted(nicheWords.map((one) => [one, one.weight] as const));
  const { name, url } = generateSite(random, claimed, words, place, tongue);
  const { metrics, quality } = generateMetrics(random);
  const postType = random.weighted(postTypeWeights);
  const status = random.weighted(statuses);
  const tatDays = random.weighted(turnaroundWeights);
  // Some approved sites still wait for a price.
  const isPriced = status === 'Approved' && claimed.size % 40 !== 0;
  const listedFor = 3 + 300 * random.next() ** 1.6;
  const createdAt = daysBefore(now, status === 'Pending' ? 12 * random.next() : listedFor);
  return {
    ownerId: owner.id,
    name,
    url,
    urlKey: normalizeSiteUrl(url),
    niche: words.niche,
    postType,
    country: place.country,
    language: languageNames[tongue],
    followType: random.chance(followShare(quality)) ? 'DoFollow' : 'NoFollow',
    ...metrics,
    words: random.weighted(wordsWeights),
    tat: tatDays === 1 ? '1 Day' : `${tatDays} Days`,
    tatDays,
    ...detailsFor(claimed.size, url, metrics, createdAt, now),
    ...pricesFor(random, isPriced, quality, place, words, postType),
    status,
    ...(status === 'Rejected' && rejectionFor(claimed.size)),
    createdAt,
    updatedAt: daysBefore(now, (random.next() * (now.getTime() - createdAt.getTime())) / 86_400_000),
  };
}

const sampleSlugs = ['guides/what-to-look-for-first', 'stories/the-first-season', 'interviews/a-day-at-work'];
const ruleTexts = [
  'No gambling, adult or loan topics.\nUp to two links per post, one of them to your site.',
  'Articles of at least 800 words, written by a person.\nWe add our own pictures.',
  'We choose the headline. Posts stay online for good.',
  '',
  'Brand names and plain URLs as anchors only.',
];
const figureAges = [2, 9, 33, 75, 140];

/** Generates sample posts, rules, and the age of the figures. By index, so that they change no other draw. */
function detailsFor(index: number, url: string, metrics: SiteMetrics, createdAt: Date, now: Date) {
  const age = Math.min(figureAges[index % figureAges.length] ?? 0, (now.getTime() - createdAt.getTime()) / 86_400_000);
  return {
    samplePosts: sampleSlugs
      .slice(0, index % 4)
      .map((slug) => `${url.replace(/\/$/, '')}/${slug}`)
      .join('\n'),
    rules: ruleTexts[index % ruleTexts.length] ?? '',
    domain: getSiteDomain(url),
    figureSources: sourceFigures(
      metrics,
      index % 3 === 0 ? 'staff' : 'seller',
      daysBefore(now, age).toISOString().slice(0, 10),
    ),
  };
}

/** A reason and words of staff that fit any site. */
const rejections = [
  { rejectionReason: 'details', rejectionNote: 'The articles are in another language than the one you entered.' },
  { rejectionReason: 'metrics', rejectionNote: 'We measured a traffic of less than half of the figure.' },
  { rejectionReason: 'content', rejectionNote: '' },
  { rejectionReason: 'price', rejectionNote: 'Comparable sites in this niche cost about a third less.' },
] as const;

function rejectionFor(index: number) {
  return rejections[index % rejections.length];
}

/** Returns the share of DoFollow links: large publications mark paid links more often. */
function followShare(quality: number): number {
  return quality > 0.7 ? 0.62 : 0.88;
}

/** Generates the prices. An admin sets them when approving a site: other sites have only the seller's price. */
function pricesFor(
  random: Random,
  isPriced: boolean,
  quality: number,
  place: Place,
  words: NicheWords,
  postType: string,
) {
  const level = words.priceLevel * (postTypeLevels[postType] ?? 1);
  const prices = generatePrices(random, quality, place, level);
  if (isPriced) return prices;
  return { publicCurrency: prices.publicCurrency, sellerPriceCents: prices.sellerPriceCents };
}
