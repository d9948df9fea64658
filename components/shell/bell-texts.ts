import {
  BadgeCheck,
  Ban,
  Banknote,
  CalendarClock,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  CreditCard,
  FileText,
  Hammer,
  Handshake,
  Landmark,
  Link2,
  type LucideIcon,
  MessageSquare,
  PencilLine,
  Scale,
  ShoppingBag,
  Trash2,
  TriangleAlert,
  Undo2,
  Unlink2,
  WalletCards,
} from 'lucide-react';
import type {
  BuyerNoticeKind,
  NoticeKind,
  PaymentNoticeKind,
  PayoutNoticeKind,
  RefundNoticeKind,
  SellerNoticeKind,
} from '@/db/schema/notices';

type OrderNoticeKind = SellerNoticeKind | BuyerNoticeKind;
type SiteNoticeKind = Exclude<NoticeKind, OrderNoticeKind | PayoutNoticeKind | RefundNoticeKind | PaymentNoticeKind>;
type NoticeText = { icon: LucideIcon; words: string };

/** News of a user's sites: "Example was approved". `status` filters the list that the item links to. */
export const siteNotices: Record<SiteNoticeKind, NoticeText & { status: string | null }> = {
  'site.approved': { icon: CircleCheck, words: 'approved', status: 'Approved' },
  'site.rejected': { icon: CircleX, words: 'rejected', status: 'Rejected' },
  'site.pending': { icon: Clock, words: 'sent back to review', status: 'Pending' },
  'site.removed': { icon: Trash2, words: 'removed by the marketplace', status: null },
  'payment.disputed': { icon: TriangleAlert, words: 'disputed', status: null },
};

/** News of orders: "Order #12, example.com: approved". */
export const orderNotices: Record<OrderNoticeKind, NoticeText> = {
  'placement.offered': { icon: ShoppingBag, words: 'new, please answer' },
  'placement.answer_due': { icon: Clock, words: 'expires soon without your answer' },
  'placement.expired': { icon: Clock, words: 'expired without your answer' },
  'placement.accepted': { icon: CircleCheck, words: 'accepted for you by our team' },
  'placement.declined': { icon: CircleX, words: 'declined for you by our team' },
  'placement.delivery_due': { icon: CalendarClock, words: 'due soon' },
  'placement.late': { icon: CircleAlert, words: 'late' },
  'placement.delivered': { icon: Link2, words: 'delivered for you by our team' },
  'placement.revision': { icon: PencilLine, words: 'a change is requested' },
  'placement.extension_granted': { icon: CalendarClock, words: 'more days granted' },
  'placement.extension_refused': { icon: CalendarClock, words: 'more days refused' },
  'placement.approved': { icon: BadgeCheck, words: 'approved' },
  'placement.cancelled': { icon: Ban, words: 'canceled' },
  'placement.taken_over': { icon: Handshake, words: 'taken over by our team' },
  'placement.disputed': { icon: Scale, words: 'dispute opened' },
  'placement.proposal': { icon: Scale, words: 'new proposal in the dispute' },
  'placement.settled': { icon: Scale, words: 'settled' },
  'placement.dispute_withdrawn': { icon: Scale, words: 'dispute withdrawn' },
  'placement.message': { icon: MessageSquare, words: 'new messages' },
  'placement.link_changed': { icon: CircleAlert, words: 'the link changed' },
  'placement.link_broken': { icon: Unlink2, words: 'the link is missing, please repair it' },
  'placement.link_repaired': { icon: Link2, words: 'the link is in order again' },
  'placement.repair_due': { icon: Clock, words: 'two days left to repair the link' },
  'placement.lost': { icon: Unlink2, words: 'the link was lost' },
  'order.accepted': { icon: CircleCheck, words: 'accepted' },
  'order.declined': { icon: CircleX, words: 'declined and refunded' },
  'order.expired': { icon: Clock, words: 'expired and refunded' },
  'order.late': { icon: CircleAlert, words: 'late, you can cancel it' },
  'order.delivered': { icon: Link2, words: 'published, please review' },
  'order.extension_asked': { icon: CalendarClock, words: 'the seller asks for more days' },
  'order.extension_granted': { icon: CalendarClock, words: 'our team granted more days' },
  'order.extension_refused': { icon: CalendarClock, words: 'our team refused more days' },
  'order.released': { icon: Ban, words: 'you can cancel it' },
  'order.approved': { icon: BadgeCheck, words: 'approved' },
  'order.cancelled': { icon: Ban, words: 'canceled and refunded' },
  'order.taken_over': { icon: Handshake, words: 'taken over by our team' },
  'order.disputed': { icon: Scale, words: 'dispute opened' },
  'order.proposal': { icon: Scale, words: 'new proposal in the dispute' },
  'order.settled': { icon: Scale, words: 'settled' },
  'order.dispute_withdrawn': { icon: Scale, words: 'dispute withdrawn' },
  'order.message': { icon: MessageSquare, words: 'new messages' },
  'order.link_changed': { icon: CircleAlert, words: 'the link changed' },
  'order.link_broken': { icon: Unlink2, words: 'the link is missing' },
  'order.link_repaired': { icon: Link2, words: 'the link is in order again' },
  'order.link_lost': { icon: Unlink2, words: 'the link was lost, partly refunded' },
  'order.pending': { icon: Clock, words: 'pending again' },
  'order.processing': { icon: Hammer, words: 'in progress' },
  'order.live': { icon: Link2, words: 'live' },
  'order.completed': { icon: BadgeCheck, words: 'completed' },
  'order.rejected': { icon: CircleX, words: 'rejected' },
  'order.refunded': { icon: Undo2, words: 'refunded' },
  'order.recharged': { icon: CreditCard, words: 'the refund was reversed' },
  'order.link': { icon: Link2, words: 'the live link was updated' },
  'order.comment': { icon: MessageSquare, words: 'new comment' },
  'order.content': { icon: FileText, words: 'content to download' },
};

/** News of payouts: "$120.00: paid out", "Bank account •••• 1234: removed as your payout method". */
export const payoutNotices: Record<PayoutNoticeKind, NoticeText> = {
  'payout.paid': { icon: Banknote, words: 'paid out' },
  'payout.failed': { icon: CircleX, words: 'not paid out, in your balance again' },
  'payout.returned': { icon: CircleAlert, words: 'returned to your balance' },
  'payout.method_set': { icon: Landmark, words: 'set as your payout method' },
  'payout.method_removed': { icon: Landmark, words: 'removed as your payout method' },
  'statement.issued': { icon: FileText, words: 'statement issued' },
};

/** News of refunds to the payment method: "$40.00: refunded to your payment method". */
export const refundNotices: Record<RefundNoticeKind, NoticeText & { href: string }> = {
  'refund.requested': {
    icon: Undo2,
    words: 'refund requested by a buyer',
    href: '/dashboard/features/wallet-manager?tab=refunds',
  },
  'refund.succeeded': { icon: Undo2, words: 'refunded to your payment method', href: '/user/wallet/refunds' },
  'refund.failed': { icon: CircleX, words: 'not refunded, in your wallet again', href: '/user/wallet/refunds' },
  'refund.declined': { icon: CircleX, words: 'refund declined', href: '/user/wallet/refunds' },
};

/** News of payments into the wallet: "$50.00: added to your wallet". */
export const paymentNotices: Record<PaymentNoticeKind, NoticeText> = {
  'topup.paid': { icon: WalletCards, words: 'paid and added to your wallet' },
  'topup.failed': { icon: CircleX, words: 'payment failed, nothing was charged' },
  'topup.review': { icon: Clock, words: 'payment in review by our team' },
  'topup.refunded': { icon: Undo2, words: 'refunded to your payment method' },
  'topup.disputed': { icon: TriangleAlert, words: 'withdrawn by your bank, taken from your wallet' },
  'topup.reinstated': { icon: WalletCards, words: 'returned to your wallet' },
  'wallet.credited': { icon: WalletCards, words: 'added to your wallet by our team' },
};

export const isPaymentNotice = (kind: NoticeKind): kind is PaymentNoticeKind => Object.hasOwn(paymentNotices, kind);

export const isRefundNotice = (kind: NoticeKind): kind is RefundNoticeKind => Object.hasOwn(refundNotices, kind);

export const isPayoutNotice = (kind: NoticeKind): kind is PayoutNoticeKind => Object.hasOwn(payoutNotices, kind);

export const isOrderNotice = (kind: NoticeKind): kind is OrderNoticeKind => Object.hasOwn(orderNotices, kind);

/** The page that news of an order links to: the order, or the list for several orders. */
export function orderNoticeHref(kind: OrderNoticeKind, orderId: number | null): string {
  const list = kind.startsWith('placement.') ? '/seller/orders' : '/user/orders';
  return orderId === null ? list : `${list}/${orderId}`;
}
