import type { OrderStatus } from '@/db/schema/orders';
import type { SandboxPage } from '@/lib/links/sandbox-publisher';
import type { BriefInput } from '@/lib/orders/briefs/schemas';
import type { DisputeReason } from '@/lib/orders/disputes/contract';
import type { Random } from './random';

type Side = 'buyer' | 'seller' | 'staff';

/** How the page of an article changes, so that the checks of its link find something else; null restores it. */
export type PageChange = NonNullable<SandboxPage['change']>;

/** What happens to an order of the demo, so many days after it was placed. */
export type WalkStep = { after: number } & (
  | { does: 'accept' | 'approve' | 'cancel' | 'take over' | 'time out' }
  /** `reason` for a page whose link is not in order. */
  | { does: 'deliver'; reason?: string | undefined }
  | { does: 'change page'; to: PageChange | null }
  | { does: 'decline'; reason: string }
  | { does: 'ask days'; days: number; reason: string }
  | { does: 'revise'; reason: string; text: string }
  | { does: 'dispute'; reason: DisputeReason; text: string }
  | { does: 'propose'; by: 'buyer' | 'seller'; percent: number }
  | { does: 'accept proposal'; by: 'buyer' | 'seller' }
  | { does: 'say'; by: Side; text: string }
  | { does: 'set'; status?: OrderStatus; comment?: string; isPublished?: boolean }
  /** Delivers each link of a package: one as the order's live link, and all in the comment and in a file. */
  | { does: 'deliver package'; comment: string }
);

/** The history of an order of the demo. */
export type Walk = {
  daysAgo: number;
  /** Ordered as the starter package instead of a site. */
  isPackage?: boolean;
  /** The share of the charge that returned to the buyer, in percent. */
  returned?: number;
  /** Whether the link is lost before anything ripened after the approval. */
  isLost?: boolean;
  /** The index of the buyer's project, the oldest first; any unless given. */
  project?: number;
  brief?: BriefInput;
  steps: readonly WalkStep[];
};

/** Returns the steps until the delivery. @param reason for a page whose link is not in order */
const published = (after: number, reason?: string): WalkStep[] => [
  { after: 0.4, does: 'accept' },
  { after, does: 'deliver', reason },
];

/**
 * The orders of the demo buyer, oldest first: one in each state of a placement, a link with each verdict, one package, and
 * one site that staff fulfilled.
 */
export const buyerWalks: readonly Walk[] = [
  // The guarantee is over, and the whole share became payable.
  {
    daysAgo: 118.4,
    project: 0,
    brief: { anchor: 'bike fitting', rel: 'dofollow' },
    steps: [...published(4.6), { after: 6.1, does: 'approve' }],
  },
  {
    daysAgo: 71.7,
    isLost: true,
    project: 2,
    brief: { anchor: 'olive oil gift box', rel: 'dofollow' },
    steps: [
      ...published(4.9),
      { after: 6.2, does: 'approve' },
      // Before the check on the third day: what the buyer receives does not depend on the times of the checks.
      { after: 6.9, does: 'change page', to: 'lost' },
      { after: 9.6, does: 'say', by: 'seller', text: 'The magazine moved to a new system and lost some articles.' },
    ],
  },
  // Found broken at the seventh weekly check: its repair is due in some days.
  {
    daysAgo: 58.2,
    project: 1,
    brief: { anchor: 'publisher metrics', rel: 'dofollow' },
    steps: [...published(4.5), { after: 5.8, does: 'approve' }, { after: 50, does: 'change page', to: 'lost' }],
  },
  {
    daysAgo: 51.3,
    project: 0,
    brief: { anchor: 'gravel bikes', rel: 'dofollow' },
    steps: [
      ...published(4.5),
      { after: 5.9, does: 'approve' },
      { after: 20, does: 'change page', to: 'lost' },
      { after: 29.2, does: 'change page', to: null },
      { after: 29.3, does: 'say', by: 'seller', text: 'The link is back. A plugin had removed it.' },
    ],
  },
  {
    daysAgo: 44.3,
    project: 0,
    brief: { anchor: 'gravel bike guide', rel: 'dofollow' },
    steps: [
      ...published(5.2),
      { after: 5.9, does: 'say', by: 'buyer', text: 'The article reads well, thank you.' },
      { after: 6.1, does: 'approve' },
      {
        after: 21,
        does: 'set',
        status: 'Completed',
        comment: 'Published and checked after two weeks: link and anchor are in place.',
      },
    ],
  },
  // The site answers 403: whether the link is in place is not known since more than 14 days.
  {
    daysAgo: 40.6,
    steps: [...published(5.1), { after: 6.6, does: 'approve' }, { after: 18.3, does: 'change page', to: 'forbidden' }],
  },
  {
    daysAgo: 37.8,
    returned: 100,
    steps: [
      {
        after: 0.7,
        does: 'decline',
        reason: 'The magazine changed hands and no longer accepts guest posts.',
      },
    ],
  },
  {
    daysAgo: 33.6,
    steps: [
      { after: 1.2, does: 'take over' },
      { after: 7.4, does: 'set', status: 'Live', isPublished: true, comment: 'Our editor published the article.' },
    ],
  },
  {
    daysAgo: 30.4,
    returned: 40,
    steps: [
      ...published(6.3),
      {
        after: 7.2,
        does: 'dispute',
        reason: 'not_as_briefed',
        text: 'The article is a third of the agreed length and the anchor is not ours.',
      },
      { after: 7.9, does: 'say', by: 'seller', text: 'Our editor cut it. We can return a part of the price.' },
      { after: 8.1, does: 'propose', by: 'seller', percent: 25 },
      { after: 8.6, does: 'propose', by: 'buyer', percent: 40 },
      { after: 9.3, does: 'accept proposal', by: 'seller' },
    ],
  },
  {
    daysAgo: 24.2,
    project: 0,
    brief: { anchor: 'touring bikes', writer: 'buyer', rel: 'dofollow', notes: 'The photos may be cropped.' },
    steps: [
      ...published(4.8),
      {
        after: 5.3,
        does: 'revise',
        reason: 'The anchor is wrong',
        text: 'The anchor should be “touring bikes”, in the second paragraph.',
      },
      { after: 6.1, does: 'deliver' },
      { after: 6.6, does: 'approve' },
      { after: 19.5, does: 'change page', to: 'nofollow' },
    ],
  },
  {
    daysAgo: 19.6,
    isPackage: true,
    steps: [
      { after: 1.2, does: 'set', status: 'Processing' },
      { after: 9.4, does: 'deliver package', comment: 'All three posts are up.' },
    ],
  },
  {
    daysAgo: 16.2,
    steps: [
      { after: 0.9, does: 'accept' },
      { after: 7.9, does: 'time out' },
      { after: 12.4, does: 'say', by: 'buyer', text: 'When can we expect the article?' },
    ],
  },
  {
    daysAgo: 13.9,
    steps: [
      { after: 1.1, does: 'take over' },
      {
        after: 1.2,
        does: 'set',
        status: 'Rejected',
        comment: 'The editor does not accept this topic. Choose another site and we will move the order.',
      },
    ],
  },
  { daysAgo: 11.5, returned: 100, steps: [{ after: 3.1, does: 'time out' }] },
  {
    daysAgo: 9.4,
    project: 1,
    brief: { anchor: 'cookieless analytics', rel: 'dofollow', words: 900 },
    steps: [
      { after: 3.8, does: 'change page', to: 'lost' },
      ...published(3.9, 'The URL in the brief redirects, so the article links to the home page.'),
      {
        after: 4.6,
        does: 'dispute',
        reason: 'link_missing',
        text: 'The article links to our home page instead of the target URL.',
      },
      { after: 5.4, does: 'say', by: 'seller', text: 'The URL in the brief redirected at that time.' },
      { after: 7.1, does: 'propose', by: 'seller', percent: 20 },
    ],
  },
  {
    daysAgo: 7.3,
    steps: [
      ...published(3.4),
      {
        after: 4.2,
        does: 'revise',
        reason: 'The target URL is wrong',
        text: 'Please link to the guide, not to the shop.',
      },
    ],
  },
  { daysAgo: 6.4, steps: [...published(4.1), { after: 4.2, does: 'say', by: 'seller', text: 'The article is live.' }] },
  {
    daysAgo: 5.2,
    steps: [
      { after: 0.6, does: 'accept' },
      { after: 2.9, does: 'ask days', days: 4, reason: 'Our editor is ill until Thursday.' },
    ],
  },
  { daysAgo: 3.6, returned: 100, steps: [{ after: 0.5, does: 'cancel' }] },
  { daysAgo: 2.1, steps: [{ after: 0.4, does: 'accept' }] },
  { daysAgo: 0.9, project: 2, brief: { anchor: 'single estate olive oil', words: 800 }, steps: [] },
];

const approved: readonly WalkStep[] = [...published(4.4), { after: 5.7, does: 'approve' }];

/** The least turnaround of a site that keeps the times of `regularWalks`, in days. */
export const regularTurnaround = 5;

/** The orders of a site that buyers come back to, oldest first: most of them delivered in time, with links that stay. */
const regularWalks: readonly Walk[] = [
  { daysAgo: 176, steps: approved },
  { daysAgo: 161, steps: [...published(3.2), { after: 4.8, does: 'approve' }] },
  { daysAgo: 149, steps: approved },
  { daysAgo: 138, steps: [...published(2.6), { after: 3.9, does: 'approve' }] },
  { daysAgo: 127, steps: approved },
];

const lateWalk: Walk = {
  daysAgo: 92,
  steps: [
    { after: 0.9, does: 'accept' },
    { after: 7.9, does: 'time out' },
    { after: 10.2, does: 'deliver' },
    { after: 11.5, does: 'approve' },
  ],
};

const lostWalk: Walk = {
  daysAgo: 79,
  isLost: true,
  steps: [...approved, { after: 6.6, does: 'change page', to: 'lost' }],
};

/** The orders of each site that buyers come back to, the most reliable site first. */
export const regularSites: readonly (readonly Walk[])[] = [
  regularWalks,
  [...regularWalks, lateWalk],
  [...regularWalks, lateWalk, lostWalk],
];

/** Histories of the other buyers' orders, and how often they happen. */
const otherWalks: readonly (readonly [Walk, weight: number])[] = [
  [{ daysAgo: 50, steps: [...approved, { after: 19.5, does: 'set', status: 'Completed' }] }, 6],
  [{ daysAgo: 62, steps: approved }, 2],
  [{ daysAgo: 30, steps: approved }, 4],
  [{ daysAgo: 5, steps: [{ after: 0.8, does: 'accept' }] }, 2],
  [{ daysAgo: 6, steps: published(4.2) }, 2],
  [{ daysAgo: 2, steps: [] }, 3],
  [
    {
      daysAgo: 25,
      returned: 100,
      steps: [{ after: 1.3, does: 'decline', reason: 'The topic does not fit our readers.' }],
    },
    1,
  ],
];

/** Generates two to four orders of an invented buyer over the last two months, oldest first. */
export function generateWalks(random: Random): Walk[] {
  return Array.from({ length: random.int(2, 4) }, () => {
    const walk = random.weighted(otherWalks);
    return { ...walk, daysAgo: walk.daysAgo * (1 + 0.2 * random.next()) };
  }).sort((one, other) => other.daysAgo - one.daysAgo);
}
