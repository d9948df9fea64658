import type { orders } from '@/db/schema/orders';
import type { orderBriefs } from '@/db/schema/placements';
import { hasContactData } from '@/lib/platform/contact-data';

/** Whether the words of a brief contain contact data. The addresses of the order are none. */
export const hasContactNotes = (
  { website, projectTargetUrl }: Pick<typeof orders.$inferSelect, 'website' | 'projectTargetUrl'>,
  { anchor, notes, targetUrl }: Pick<typeof orderBriefs.$inferSelect, 'anchor' | 'notes' | 'targetUrl'>,
): boolean => hasContactData(`${anchor}\n${notes}`, [website, projectTargetUrl, targetUrl]);
