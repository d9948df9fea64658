import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, timestamptz } from '@/db/columns';
import { accounts } from './accounts';
import { users } from './users';

/** News of an order for its seller. */
export const sellerNoticeKinds = [
  'placement.offered',
  'placement.answer_due',
  'placement.expired',
  'placement.accepted',
  'placement.declined',
  'placement.delivery_due',
  'placement.late',
  'placement.delivered',
  'placement.revision',
  'placement.extension_granted',
  'placement.extension_refused',
  'placement.guarantee_extended',
  'placement.approved',
  'placement.cancelled',
  'placement.taken_over',
  'placement.disputed',
  'placement.proposal',
  'placement.settled',
  'placement.dispute_withdrawn',
  'placement.message',
  'placement.link_changed',
  'placement.link_broken',
  'placement.link_repaired',
  'placement.repair_due',
  'placement.not_delivered',
  'placement.lost',
  'placement.change_asked',
  'placement.change_accepted',
  'placement.change_approved',
  'placement.change_ended',
] as const;
export type SellerNoticeKind = (typeof sellerNoticeKinds)[number];

/** News of an order for its buyer. */
export const buyerNoticeKinds = [
  'order.accepted',
  'order.declined',
  'order.expired',
  'order.late',
  'order.delivered',
  'order.extension_asked',
  'order.extension_granted',
  'order.extension_refused',
  'order.released',
  'order.approved',
  'order.cancelled',
  'order.taken_over',
  'order.disputed',
  'order.proposal',
  'order.settled',
  'order.dispute_withdrawn',
  'order.message',
  'order.link_changed',
  'order.link_broken',
  'order.link_repaired',
  'order.link_lost',
  'order.change_priced',
  'order.change_accepted',
  'order.change_unpaid',
  'order.change_delivered',
  'order.change_approved',
  'order.change_ended',
  // Of an order that staff fulfill.
  'order.pending',
  'order.processing',
  'order.live',
  'order.completed',
  'order.rejected',
  'order.refunded',
  'order.recharged',
  'order.link',
  'order.comment',
  'order.content',
] as const;
export type BuyerNoticeKind = (typeof buyerNoticeKinds)[number];

/** News of a payout, of the payout method, or of a self-billed statement, for the seller. */
export const payoutNoticeKinds = [
  'payout.paid',
  'payout.failed',
  'payout.returned',
  'payout.method_set',
  'payout.method_removed',
  'statement.issued',
] as const;
export type PayoutNoticeKind = (typeof payoutNoticeKinds)[number];

/** News of a refund to source: for the buyer, and of a request for staff. */
export const refundNoticeKinds = ['refund.requested', 'refund.succeeded', 'refund.failed', 'refund.declined'] as const;
export type RefundNoticeKind = (typeof refundNoticeKinds)[number];

/** News of a payment into the buyer's wallet. */
export const paymentNoticeKinds = [
  'topup.paid',
  'topup.failed',
  'topup.review',
  'topup.refunded',
  'topup.disputed',
  'topup.reinstated',
  'wallet.credited',
] as const;
export type PaymentNoticeKind = (typeof paymentNoticeKinds)[number];

/** News of an order that needs an approval: for who may approve it, and the answer for who requested it. */
export const requestNoticeKinds = [
  'request.opened',
  'request.answered',
  'request.approved',
  'request.declined',
  'request.expired',
] as const;
export type RequestNoticeKind = (typeof requestNoticeKinds)[number];

/** A chat of the recipient (`webhook_endpoints.channel`) that was turned off. */
export const chatNoticeKinds = ['chat.off'] as const;
export type ChatNoticeKind = (typeof chatNoticeKinds)[number];

/** All kinds: beside those above the decision on a seller's site, and for staff a disputed payment. */
export const noticeKinds = [
  'site.approved',
  'site.rejected',
  'site.pending',
  'site.removed',
  'site.ownership_lost',
  'site.wordpress_revoked',
  'payment.disputed',
  ...sellerNoticeKinds,
  ...buyerNoticeKinds,
  ...payoutNoticeKinds,
  ...refundNoticeKinds,
  ...paymentNoticeKinds,
  ...requestNoticeKinds,
  ...chatNoticeKinds,
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Notifications in a user's bell, inserted in the transaction of their cause. Read by `readAt` or `bell_reads`. */
export const notices = pgTable(
  'notices',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The recipient. */
    userId: text()
      .notNull()
      .references(() => users.id),
    /** The team that it is about; null for news of a person. */
    accountId: text().references(() => accounts.id),
    kind: text({ enum: noticeKinds }).notNull(),
    /**
     * The site's name at that time, for a lost ownership its domain; for a disputed payment, the amount and the
     * provider; for a payout, a refund or a payment, its amount; for a payout method, its kind and last four
     * characters; for a statement, its number; for an order, its number and website; for a
     * request, its project and total; for a chat, its service.
     */
    subject: text().notNull(),
    /** The order that the notification is about; null for other notifications. */
    orderId: integer(),
    createdAt: createdAt(),
    /** When the user followed it; null until then. `bell_reads` marks all notifications up to a time as read. */
    readAt: timestamptz(),
  },
  (table) => [
    // The bell reads the newest of each kind, and on every page the number of unread entries.
    index('notices_user_idx').on(table.userId, table.kind, table.createdAt),
    index('notices_unread_idx').on(table.userId, table.kind, table.createdAt).where(sql`read_at is null`),
    index('notices_created_idx').on(table.createdAt),
  ],
);
