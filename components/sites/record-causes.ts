import { countOf } from '@/components/ui/format';
import type { PlacementRules } from '@/lib/settings/placement-rules';
import type { RecordCause } from '@/lib/sites/record/list-causes';
import { formatNumber } from './record-words';

type Known = {
  /** The accepted orders of the last 12 months. */
  accepted: number;
  rules: Pick<PlacementRules, 'answerHours' | 'repairDays' | 'guaranteeDays'>;
};

type Advice = { title: string; advice: string; href: string };

const openCauses: readonly RecordCause[] = ['to answer', 'overdue', 'to deliver', 'to repair'];

/** Checks whether the seller can still change what an order counts as. */
export const isOpenCause = (cause: RecordCause): boolean => openCauses.includes(cause);

/** Describes what lowers a seller's record, what to do about it, and where the orders are. */
export function describeCause(cause: RecordCause, total: number, { accepted, rules }: Known): Advice {
  const one = total === 1;
  const orders = countOf(total, 'order');
  const links = countOf(total, 'link');
  switch (cause) {
    case 'to answer':
      return {
        title: `${countOf(total, 'new order')} ${one ? 'waits' : 'wait'} for your answer`,
        advice: `Accept ${one ? 'it' : 'them'} in time: orders are offered for ${countOf(rules.answerHours, 'hour')}.`,
        href: '/seller/orders?tab=new',
      };
    case 'overdue':
      return {
        title: `${orders} ${one ? 'is' : 'are'} overdue`,
        advice: `Deliver ${one ? 'it' : 'them'} before ${one ? 'it is' : 'they are'} canceled. ${one ? 'It counts' : 'They count'} as late.`,
        href: '/seller/orders?tab=publish',
      };
    case 'to deliver':
      return {
        title: `${countOf(total, 'accepted order')} ${one ? 'is' : 'are'} not delivered yet`,
        advice: `${one ? 'It counts' : 'They count'} as delivered in time once you deliver by the due time.`,
        href: '/seller/orders?tab=publish',
      };
    case 'to repair':
      return {
        title: `${links} ${one ? 'is' : 'are'} missing or changed`,
        advice: `Restore ${one ? 'it' : 'them'}: a missing link counts as lost ${countOf(rules.repairDays, 'day')} after we confirm it.`,
        href: '/seller/orders?tab=repair',
      };
    case 'late':
      return {
        title: `${formatNumber(total)} of ${countOf(accepted, 'accepted order')} ${one ? 'was' : 'were'} late or not delivered`,
        advice: 'Ask for more days before the due time, and set a turnaround that you can keep.',
        href: '/seller/orders?tab=closed',
      };
    case 'lost':
      return {
        title: `${links} ${one ? 'was' : 'were'} lost`,
        advice: `Keep pages online, and repair a missing link within ${countOf(rules.repairDays, 'day')}.`,
        href: '/seller/orders?tab=closed',
      };
    case 'expired':
      return {
        title: `${orders} expired without your answer`,
        advice: `Answer new orders within ${countOf(rules.answerHours, 'hour')}.`,
        href: '/seller/orders?tab=closed',
      };
    case 'declined':
      return {
        title: `You declined ${orders}`,
        advice: 'Say in the rules of a site what you accept, and remove sites on which you no longer publish.',
        href: '/seller/orders?tab=closed',
      };
    case 'disputes':
      return {
        title: `${countOf(total, 'dispute')} ended with half of the price or more returned to the buyer`,
        advice: 'Deliver what the brief asks for, and answer in the dispute.',
        href: '/seller/orders?tab=closed',
      };
    case 'revisions':
      return {
        title: `${orders} needed changes`,
        advice: 'Compare link, anchor and text with the brief before you deliver.',
        href: '/seller/orders?tab=guarantee',
      };
  }
}
