import type { Access } from '@/lib/access/authorize';

type MailKindOptions = {
  /** The users who can receive the mail; others are not offered the choice. */
  access: Exclude<Access, 'public'>;
  label: string;
  hint: string;
};

/**
 * The mails that a user can turn off, in the order of the settings. Account mails, such as a password reset, are not
 * included: they are only sent on request.
 */
export const mailKinds = {
  'new-order': {
    access: 'ManageOrders',
    label: 'New orders',
    hint: 'A buyer placed an order: one email, regardless of the number of sites.',
  },
  'payment-dispute': {
    access: 'ManagePayments',
    label: 'Payment disputes',
    hint: 'A buyer disputes a top-up: the amount, reason and evidence deadline.',
  },
  'refund-request': {
    access: 'ManageWallets',
    label: 'Refund requests',
    hint: 'A buyer requests wallet money back to the payment method.',
  },
  'wallet-refund': {
    access: 'session',
    label: 'Refunds to your payment method',
    hint: 'A refund of wallet money is sent, fails or is declined.',
  },
  'order-status': { access: 'session', label: 'Order status', hint: 'The status of one of your orders changes.' },
  'order-link': {
    access: 'session',
    label: 'Live link',
    hint: 'One of your placements goes live, or its link changes.',
  },
  'order-delivery': { access: 'session', label: 'Delivered content', hint: 'A file is ready to download.' },
  'order-refund': { access: 'session', label: 'Refunds', hint: 'An order is refunded, or a refund is reversed.' },
  'order-comment': { access: 'session', label: 'Comments', hint: 'We comment on one of your orders.' },
  'order-review': {
    access: 'session',
    label: 'Reviews and questions',
    hint: 'A placement is ready for your review, is late, or needs your answer.',
  },
  'order-dispute': {
    access: 'session',
    label: 'Order disputes',
    hint: 'A dispute about an order is opened, gets a proposal, or ends.',
  },
  'order-message': {
    access: 'session',
    label: 'Messages',
    hint: 'You have unread messages about an order: one email until you read them.',
  },
  'order-link-check': {
    access: 'session',
    label: 'Link checks',
    hint: 'A check finds a link changed, missing or repaired.',
  },
  'link-digest': {
    access: 'session',
    label: 'Weekly link report',
    hint: 'The results of the link checks of your orders, once a week.',
  },
  'seller-offer': {
    access: 'seller',
    label: 'Orders to answer',
    hint: 'One of your sites is ordered, your answer is due soon, or an order expires.',
  },
  'seller-order': {
    access: 'seller',
    label: 'Orders in progress',
    hint: 'A change is requested, more days are granted or refused, a publication is due, or an order ends.',
  },
  'seller-link': {
    access: 'seller',
    label: 'Link checks',
    hint: 'A check finds a link changed, repaired or lost, or the time for a repair ends soon.',
  },
  'seller-earning': {
    access: 'seller',
    label: 'Earnings',
    hint: 'A placement is approved, with the amount you earn.',
  },
  'seller-payout': {
    access: 'seller',
    label: 'Payouts',
    hint: 'A payout is paid, fails or is returned.',
  },
  'seller-site': {
    access: 'seller',
    label: 'Rejected sites',
    hint: 'One of your sites is rejected: the reason, and what to change.',
  },
  'seller-statement': {
    access: 'seller',
    label: 'Self-billed statements',
    hint: 'A monthly statement is issued for you.',
  },
} as const satisfies Record<string, MailKindOptions>;

export type MailKind = keyof typeof mailKinds;

/** Stored kinds that were since removed are ignored. */
export function isMailKind(value: string): value is MailKind {
  return Object.hasOwn(mailKinds, value);
}

/** The names of the catalogue. */
export const mailKindNames = Object.keys(mailKinds).filter(isMailKind);
