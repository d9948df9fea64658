import type { Executor } from '@/db/client';
import type { BuyerNoticeKind } from '@/db/schema/notices';
import type { orders } from '@/db/schema/orders';
import type { AnyActor } from '@/lib/access/actor';
import type { LinkNews } from '@/lib/links/watches';
import { sendBuyerNews } from '@/lib/orders/placements/announce';

type Text = { notice: BuyerNoticeKind; heading: string; text: string };

const texts: Record<Exclude<LinkNews, 'lost' | 'repair_due'>, (id: number) => Text> = {
  changed: (id) => ({
    notice: 'order.link_changed',
    heading: `The link of order #${id} changed`,
    text: 'It differs from your brief, or search engines do not see the page:',
  }),
  broken: (id) => ({
    notice: 'order.link_broken',
    heading: `The link of order #${id} is missing`,
    text: 'Two checks a day apart did not find it. Our team was notified:',
  }),
  repaired: (id) => ({
    notice: 'order.link_repaired',
    heading: `The link of order #${id} is in order again`,
    text: 'The newest check found it:',
  }),
};

/** Notifies the buyer about the link of an order that staff fulfill. Staff find it in their list of link checks. */
export async function announceLinkNews(
  tx: Executor,
  actor: AnyActor,
  order: typeof orders.$inferSelect,
  news: keyof typeof texts,
): Promise<void> {
  const { notice, heading, text } = texts[news](order.id);
  await sendBuyerNews(tx, actor, order, {
    notice,
    mail: 'order-link-check',
    heading,
    news: [{ text, href: order.linkUrl }],
  });
}
