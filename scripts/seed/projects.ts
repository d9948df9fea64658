import { and, asc, eq, type InferInsertModel, ne } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { projectAnchorPlans } from '@/db/schema/anchor-plans';
import { type LinkedState, type LinkSource, projectLinkedDomains } from '@/db/schema/project-domains';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { countSource } from '@/lib/projects/linked-domains/import-linked';
import { daysBefore } from './days';
import type { People } from './people';

type Words = Omit<InferInsertModel<typeof projects>, 'id' | 'accountId' | 'createdAt' | 'updatedAt' | 'deletedAt'>;

const ofTheBuyer: readonly Words[] = [
  {
    domain: 'carter-cycles.example.com',
    description: 'Online shop for touring and gravel bikes; wants to rank for buying guides.',
    niche: 'Sports & Fitness',
    postType: 'Guest posts',
    targetUrl: 'https://carter-cycles.example.com/gravel-bikes',
    keywords: 'gravel bikes, touring bike guide, bike fitting',
    country: 'USA',
  },
  {
    domain: 'northbeam-analytics.example.net',
    description: 'Web analytics without cookies for small publishers.',
    niche: 'Technology',
    postType: 'Guest posts',
    targetUrl: 'https://northbeam-analytics.example.net/',
    keywords: 'cookieless analytics, privacy analytics, publisher metrics',
    country: 'United Kingdom',
  },
  {
    domain: 'casa-olivo.example.org',
    description: 'Olive oil and pantry goods from small farms, delivered across Europe.',
    niche: 'Food & Drink',
    postType: 'Homepage links',
    targetUrl: 'https://casa-olivo.example.org/shop/olive-oil',
    keywords: 'single estate olive oil, olive oil gift box',
    country: 'Spain',
  },
];

/** One for each invented buyer, in their order. */
const ofTheOthers: readonly Words[] = [
  project(
    'raman-legal.example.net',
    'Employment law practice for start-ups.',
    'Law',
    'India',
    'employment contract, founder agreement',
  ),
  project(
    'okafor-digital.example.org',
    'Agency site; case studies and a newsletter.',
    'Marketing',
    'United Kingdom',
    'technical seo audit, content strategy',
  ),
  project(
    'marko-yachts.example.com',
    'Crewed sailing charters on the Adriatic.',
    'Travel',
    'Italy',
    'sailing charter croatia, yacht week',
  ),
  project(
    'nordlead.example.net',
    'CRM for field sales teams.',
    'Business',
    'Sweden',
    'field sales crm, route planning',
  ),
  project(
    'whitfield-nursery.example.org',
    'Heritage roses by post.',
    'Home & Garden',
    'United Kingdom',
    'heritage roses, bare root roses',
  ),
  project(
    'clickworks.example.com',
    'Conversion audits for online shops.',
    'Marketing',
    'Mexico',
    'conversion audit, checkout optimization',
  ),
  project(
    'chen-tutors.example.net',
    'Maths tutoring, one to one and online.',
    'Education',
    'Singapore',
    'maths tutor online, exam preparation',
  ),
];

function project(domain: string, description: string, niche: string, country: string, keywords: string): Words {
  return { domain, description, niche, country, keywords, postType: 'Guest posts', targetUrl: `https://${domain}/` };
}

/** The anchor plan of the buyer's first project. */
const anchorPlan = {
  plan: { brand: 40, address: 20, generic: 15, partial: 15, exact: 6, image: 4, none: 0 },
  brandWords: ['Carter Cycles', 'Carter'],
  pool: [
    ...['Carter Cycles', 'carter-cycles', 'Carter', 'carter-cycles.example.com'],
    ...['https://carter-cycles.example.com/gravel-bikes', 'this shop', 'read more', 'see the range', 'here'],
    ...['gravel bikes for long rides', 'how to choose a touring bike', 'Carter Cycles fitting service'],
    ...['gravel bikes', 'touring bike guide', 'bike fitting'],
  ],
};

/** Seeds the projects, and what already links to those of the demo's buyer. */
export async function seedProjects(tx: Executor, people: People, now: Date): Promise<void> {
  const row = (accountId: string, words: Words, daysAgo: number) => {
    const createdAt = daysBefore(now, daysAgo);
    return { ...words, id: newId(), accountId, createdAt, updatedAt: createdAt };
  };
  const own = ofTheBuyer.map((words, index) => row(people.buyer.id, words, 148 - 12 * index));
  await tx.insert(projects).values([
    ...own,
    ...people.buyers.flatMap((buyer, index) => {
      const words = ofTheOthers[index];
      // On the day after the registration, before the first order.
      return words ? [row(buyer.id, words, buyer.joinedDaysAgo - 0.8)] : [];
    }),
  ]);
  const planned = own[0];
  if (planned) await tx.insert(projectAnchorPlans).values({ projectId: planned.id, ...anchorPlan });
  await seedLinkedDomains(tx, people, now);
}

const exportDaysAgo = 9;

/** Seeds what exports of three tools would say, as if the demo's buyer had imported them. */
async function seedLinkedDomains(tx: Executor, { buyer, seller }: People, now: Date): Promise<void> {
  const owned = await tx.select({ id: projects.id }).from(projects).where(eq(projects.accountId, buyer.id));
  // The demo's buyer orders from the demo's seller, and only sites that do not link yet.
  const listed = await tx
    .selectDistinct({ domain: sites.domain })
    .from(sites)
    .where(and(eq(sites.status, 'Approved'), ne(sites.ownerId, seller.id)))
    .orderBy(asc(sites.domain));
  const importedAt = daysBefore(now, exportDaysAgo);
  const dayBefore = (days: number) =>
    daysBefore(now, exportDaysAgo + days)
      .toISOString()
      .slice(0, 10);
  const found = owned.flatMap(({ id }, project) => {
    const own = listed.filter((_, index) => index % 23 === project).map(({ domain }) => domain);
    const others = ['journal', 'weekly', 'review', 'post'].map((name) => `${name}-${project + 1}.example.org`);
    const of = (source: LinkSource, state: LinkedState, domains: readonly string[]) =>
      domains.map((domain, index) => {
        const seenOn = source === 'gsc' ? null : dayBefore(3 * index + (state === 'lost' ? 60 : 0));
        return { projectId: id, domain, source, state, seenOn, importedAt };
      });
    return [
      ...of('gsc', 'live', [...own.slice(0, 12), ...others]),
      ...of('ahrefs', 'live', own.slice(4, 18)),
      ...of('ahrefs', 'lost', own.slice(18, 26)),
      ...of('semrush', 'unknown', own.slice(26, 31)),
    ];
  });
  await tx.insert(projectLinkedDomains).values(found);
  const sources = new Set(found.map(({ source }) => source));
  for (const { id } of owned) for (const source of sources) await countSource(tx, id, source);
}
