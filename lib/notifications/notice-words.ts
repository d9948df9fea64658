import type {
  BuyerNoticeKind,
  ChatNoticeKind,
  NoticeKind,
  PaymentNoticeKind,
  PayoutNoticeKind,
  RefundNoticeKind,
  RequestNoticeKind,
  SellerNoticeKind,
} from '@/db/schema/notices';

// Imports types only: the bell's panel, mails and chats share these words.

/** What screens call the account that every person has. */
export const personalAccountName = 'Personal account';

type OrderNoticeKind = SellerNoticeKind | BuyerNoticeKind;
type MoneyNoticeKind = PayoutNoticeKind | RefundNoticeKind | PaymentNoticeKind;
type SiteNoticeKind = Exclude<NoticeKind, OrderNoticeKind | MoneyNoticeKind | RequestNoticeKind | ChatNoticeKind>;

/** News of a user's sites: "Example was approved". `status` filters the list that the item links to. */
const siteNotices: Record<SiteNoticeKind, { words: string; status: string | null }> = {
  'site.approved': { words: 'approved', status: 'Approved' },
  'site.rejected': { words: 'rejected', status: 'Rejected' },
  'site.pending': { words: 'sent back to review', status: 'Pending' },
  'site.removed': { words: 'removed by the marketplace', status: null },
  'site.wordpress_revoked': { words: 'WordPress refuses the password, please reconnect', status: null },
  'site.ownership_lost': { words: 'the proof of ownership was lost', status: null },
  'payment.disputed': { words: 'disputed', status: null },
};

/** News of orders: "Order #12, example.com: approved". */
const orderNotices: Record<OrderNoticeKind, string> = {
  'placement.offered': 'new, please answer',
  'placement.answer_due': 'expires soon without your answer',
  'placement.expired': 'expired without your answer',
  'placement.accepted': 'accepted for you by our team',
  'placement.declined': 'declined for you by our team',
  'placement.delivery_due': 'due soon',
  'placement.late': 'late',
  'placement.delivered': 'delivered for you by our team',
  'placement.revision': 'a change is requested',
  'placement.extension_granted': 'more days granted',
  'placement.extension_refused': 'more days refused',
  'placement.approved': 'approved',
  'placement.guarantee_extended': 'guarantee extended',
  'placement.change_asked': 'a paid change is requested',
  'placement.change_accepted': 'the buyer agreed to your price of the change',
  'placement.change_approved': 'the change was approved',
  'placement.change_ended': 'the change ended',
  'placement.not_delivered': 'the post is live, but not delivered',
  'placement.cancelled': 'canceled',
  'placement.taken_over': 'taken over by our team',
  'placement.disputed': 'dispute opened',
  'placement.proposal': 'new proposal in the dispute',
  'placement.settled': 'settled',
  'placement.dispute_withdrawn': 'dispute withdrawn',
  'placement.message': 'new messages',
  'placement.link_changed': 'the link changed',
  'placement.link_broken': 'the link is missing, please repair it',
  'placement.link_repaired': 'the link is in order again',
  'placement.repair_due': 'two days left to repair the link',
  'placement.lost': 'the link was lost',
  'order.accepted': 'accepted',
  'order.declined': 'declined and refunded',
  'order.expired': 'expired and refunded',
  'order.late': 'late, you can cancel it',
  'order.delivered': 'published, please review',
  'order.extension_asked': 'the seller asks for more days',
  'order.extension_granted': 'our team granted more days',
  'order.extension_refused': 'our team refused more days',
  'order.released': 'you can cancel it',
  'order.change_priced': 'the change has another price, please answer',
  'order.change_accepted': 'the change was accepted',
  'order.change_unpaid': 'the change could not be paid',
  'order.change_delivered': 'the change is online, please review',
  'order.change_approved': 'the change was approved',
  'order.change_ended': 'the change ended',
  'order.approved': 'approved',
  'order.cancelled': 'canceled and refunded',
  'order.taken_over': 'taken over by our team',
  'order.disputed': 'dispute opened',
  'order.proposal': 'new proposal in the dispute',
  'order.settled': 'settled',
  'order.dispute_withdrawn': 'dispute withdrawn',
  'order.message': 'new messages',
  'order.link_changed': 'the link changed',
  'order.link_broken': 'the link is missing',
  'order.link_repaired': 'the link is in order again',
  'order.link_lost': 'the link was lost, partly refunded',
  'order.pending': 'pending again',
  'order.processing': 'in progress',
  'order.live': 'live',
  'order.completed': 'completed',
  'order.rejected': 'rejected',
  'order.refunded': 'refunded',
  'order.recharged': 'the refund was reversed',
  'order.link': 'the live link was updated',
  'order.comment': 'new comment',
  'order.content': 'content to download',
};

/** The lists that entries about several orders lead to; by default the buyer's list of all orders. */
const orderLists: Partial<Record<OrderNoticeKind, string>> = {
  'placement.accepted': 'tab=publish',
  'placement.delivery_due': 'tab=publish',
  'placement.late': 'tab=publish',
  'placement.extension_granted': 'tab=publish',
  'placement.extension_refused': 'tab=publish',
  'placement.delivered': 'tab=review',
  'placement.approved': 'tab=guarantee',
  'placement.guarantee_extended': 'tab=guarantee',
  'placement.change_approved': 'tab=guarantee',
  'placement.change_ended': 'tab=guarantee',
  'placement.link_repaired': 'tab=guarantee',
  'placement.link_changed': 'tab=repair',
  'placement.link_broken': 'tab=repair',
  'placement.repair_due': 'tab=repair',
  'placement.expired': 'tab=closed',
  'placement.declined': 'tab=closed',
  'placement.cancelled': 'tab=closed',
  'placement.taken_over': 'tab=closed',
  'placement.lost': 'tab=closed',
  'order.accepted': 'status=Processing',
  'order.processing': 'status=Processing',
  'order.pending': 'status=Pending',
  'order.delivered': 'tab=review',
  'order.late': 'tab=late',
  'order.change_accepted': 'tab=changes',
  'order.change_delivered': 'tab=changes',
  'order.approved': 'status=Completed',
  'order.live': 'status=Completed',
  'order.completed': 'status=Completed',
  'order.link_changed': 'tab=repair',
  'order.link_broken': 'tab=repair',
  'order.rejected': 'status=Rejected',
  'order.declined': 'status=Refunded',
  'order.expired': 'status=Refunded',
  'order.cancelled': 'status=Refunded',
  'order.refunded': 'status=Refunded',
};

/** The pages that news of money link to. */
const [payouts, refunds, wallet] = ['/seller/payouts', '/user/wallet/refunds', '/user/wallet'];

/** News of payouts, refunds and payments, after their amount or account: "$120.00: paid out". */
const moneyNotices: Record<MoneyNoticeKind, { words: string; href: string }> = {
  'payout.paid': { words: 'paid out', href: payouts },
  'payout.failed': { words: 'not paid out, in your balance again', href: payouts },
  'payout.returned': { words: 'returned to your balance', href: payouts },
  'payout.method_set': { words: 'set as your payout method', href: payouts },
  'payout.method_removed': { words: 'removed as your payout method', href: payouts },
  'statement.issued': { words: 'statement issued', href: '/seller/earnings/self-billing' },
  'refund.requested': {
    words: 'refund requested by a buyer',
    href: '/dashboard/features/wallet-manager?tab=refunds',
  },
  'refund.succeeded': { words: 'refunded to your payment method', href: refunds },
  'refund.failed': { words: 'not refunded, in your wallet again', href: refunds },
  'refund.declined': { words: 'refund declined', href: refunds },
  'topup.paid': { words: 'paid and added to your wallet', href: wallet },
  'topup.failed': { words: 'payment failed, nothing was charged', href: wallet },
  'topup.review': { words: 'payment in review by our team', href: wallet },
  'topup.refunded': { words: 'refunded to your payment method', href: wallet },
  'topup.disputed': { words: 'withdrawn by your bank, taken from your wallet', href: wallet },
  'topup.reinstated': { words: 'returned to your wallet', href: wallet },
  'wallet.credited': { words: 'added to your wallet by our team', href: wallet },
};

/** News of requests, after their project and total: "example.com, $120.00: please approve or decline". */
const requestNotices: Record<RequestNoticeKind, string> = {
  'request.opened': 'please approve or decline the order',
  'request.answered': 'the client answered, please confirm the order',
  'request.approved': 'approved and ordered',
  'request.declined': 'declined',
  'request.expired': 'not answered in time',
};

const isRequestNotice = (kind: NoticeKind): kind is RequestNoticeKind => Object.hasOwn(requestNotices, kind);
const isMoneyNotice = (kind: NoticeKind): kind is MoneyNoticeKind => Object.hasOwn(moneyNotices, kind);
const isOrderNotice = (kind: NoticeKind): kind is OrderNoticeKind => Object.hasOwn(orderNotices, kind);
const isChatNotice = (kind: NoticeKind): kind is ChatNoticeKind => kind === 'chat.off';

/**
 * The kinds of which all notices of a day are one entry of the bell, because they are equal and lead to one list. Offers,
 * disputes, messages, money and questions are entries of their own.
 */
export const groupedKinds: NoticeKind[] = [
  ...(['site.approved', 'site.rejected', 'site.pending', 'site.removed', 'site.ownership_lost'] as const),
  ...(['site.wordpress_revoked', 'placement.accepted', 'placement.declined', 'placement.expired'] as const),
  ...(['placement.delivered', 'placement.approved', 'placement.cancelled', 'placement.taken_over'] as const),
  ...(['placement.delivery_due', 'placement.late', 'placement.lost', 'placement.repair_due'] as const),
  ...(['placement.extension_granted', 'placement.extension_refused', 'placement.guarantee_extended'] as const),
  ...(['placement.change_approved', 'placement.change_ended', 'placement.link_changed'] as const),
  ...(['placement.link_broken', 'placement.link_repaired', 'order.accepted', 'order.declined'] as const),
  ...(['order.expired', 'order.late', 'order.delivered', 'order.approved', 'order.cancelled'] as const),
  ...(['order.extension_granted', 'order.extension_refused', 'order.taken_over'] as const),
  ...(['order.change_accepted', 'order.change_delivered', 'order.change_approved', 'order.change_ended'] as const),
  ...(['order.link_changed', 'order.link_broken', 'order.link_repaired', 'order.link_lost'] as const),
  ...(['order.pending', 'order.processing', 'order.live', 'order.completed', 'order.rejected'] as const),
  ...(['order.refunded', 'order.recharged', 'order.link', 'order.content'] as const),
];

/** News as an entry of the bell shows it, with the first of the sites or orders and their number. */
export type News = { kind: NoticeKind; subject: string; sites: number; orderId: number | null };

/** From this number on, an entry names the number of its sites or orders instead of the first of them. */
const countedFrom = 4;

/**
 * Returns the name and the words after it, and the URL that an entry links to, if any.
 * @param sitesHref the list of the user's sites, if there is one
 * @param security the path of the user's Security page
 */
export function describeNews({ kind, subject, sites, orderId }: News, sitesHref: string | undefined, security: string) {
  const count = sites.toLocaleString('en-US');
  const nameOf = (noun: string) =>
    sites >= countedFrom ? `${count} ${noun}` : sites > 1 ? `${subject} and ${sites - 1} more` : subject;
  if (isOrderNotice(kind)) {
    const list = kind.startsWith('placement.') ? '/seller/orders' : '/user/orders';
    const query = orderLists[kind];
    const href = orderId === null ? `${list}${query ? `?${query}` : ''}` : `${list}/${orderId}`;
    return { name: nameOf('orders'), words: `: ${orderNotices[kind]}`, href };
  }
  if (isMoneyNotice(kind)) {
    const { words, href } = moneyNotices[kind];
    return { name: subject, words: `: ${words}`, href };
  }
  if (isRequestNotice(kind)) return { name: subject, words: `: ${requestNotices[kind]}`, href: '/user/requests' };
  if (isChatNotice(kind)) {
    return { name: subject, words: ': turned off, it no longer accepts your notices', href: `${security}#chats` };
  }
  const { words, status } = siteNotices[kind];
  const isCounted = sites >= countedFrom;
  const text = isCounted ? ` ${words}` : ` ${sites > 1 ? 'were' : 'was'} ${words}`;
  if (kind === 'payment.disputed') return { name: subject, words: text, href: '/dashboard/features/payments/disputes' };
  if (kind === 'site.wordpress_revoked') {
    const query = sites === 1 ? `?${new URLSearchParams({ q: subject })}` : '';
    const href = sitesHref === undefined ? null : `${sitesHref}${query}`;
    return { name: nameOf('sites'), words: `: ${words}`, href };
  }
  if (kind === 'site.ownership_lost') {
    const query = new URLSearchParams(sites === 1 ? { q: subject } : { gap: 'ownership' });
    const href = sitesHref === undefined ? null : `${sitesHref}?${query}`;
    return { name: nameOf('domains'), words: `: ${words}`, href };
  }
  const site = { name: nameOf('sites'), words: text };
  if (sitesHref === undefined) return { ...site, href: null };
  // A removed site has no page.
  if (status === null) return { ...site, href: sitesHref };
  const query = new URLSearchParams({ status, ...(sites === 1 && { q: subject }) });
  return { ...site, href: `${sitesHref}?${query}` };
}
