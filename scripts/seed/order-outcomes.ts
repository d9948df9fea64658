import type { OrderStatus } from '@/db/schema/orders';
import type { Random } from './random';

/** The final state of an order of the demo. */
export type OrderOutcome = {
  status: OrderStatus;
  daysAgo: number;
  /** Ordered as the starter package instead of a site. */
  isPackage?: boolean;
  adminComments?: string;
};

/** The orders of the demo buyer: one of each kind, oldest first. */
export const buyerOutcomes: readonly OrderOutcome[] = [
  {
    status: 'Completed',
    daysAgo: 41.3,
    adminComments: 'Published and checked after two weeks: link and anchor are in place.',
  },
  {
    status: 'Refunded',
    daysAgo: 33.8,
    adminComments: 'The publisher changed hands and no longer accepts guest posts.',
  },
  { status: 'Live', daysAgo: 24.2 },
  { status: 'Completed', daysAgo: 19.6, isPackage: true, adminComments: 'All three posts are up.' },
  {
    status: 'Rejected',
    daysAgo: 12.9,
    adminComments: 'The editor does not accept this topic. Choose another site and we will move the order.',
  },
  { status: 'Processing', daysAgo: 6.4, adminComments: 'The article is with the editor.' },
  { status: 'Processing', daysAgo: 3.1 },
  { status: 'Pending', daysAgo: 0.9 },
];

const otherStatuses = [
  ['Completed', 6],
  ['Live', 3],
  ['Processing', 3],
  ['Pending', 3],
  ['Rejected', 1],
] as const;

/** Two to four orders of an invented buyer over the last two months, oldest first. */
export function generateOutcomes(random: Random): OrderOutcome[] {
  return Array.from({ length: random.int(2, 4) }, () => {
    const status = random.weighted(otherStatuses);
    const isOpen = status === 'Pending' || status === 'Processing';
    return { status, daysAgo: isOpen ? 0.4 + 6 * random.next() : 7 + 50 * random.next() };
  }).sort((one, other) => other.daysAgo - one.daysAgo);
}
