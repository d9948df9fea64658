import type { Access } from '../access/authorize';

type KindFacts = {
  /** Who can get it at all; nobody else is offered the choice. */
  access: Exclude<Access, 'public'>;
  label: string;
  hint: string;
};

/**
 * The mails that a person can turn off, in the order they are offered. Those of an account itself (a new password, a
 * confirmation) are none of these: they come only when asked for.
 */
export const mailKinds = {
  'new-order': {
    access: 'ManageOrders',
    label: 'New orders',
    hint: 'Somebody ordered: one mail, however many sites they chose.',
  },
  'payment-dispute': {
    access: 'ManagePayments',
    label: 'Payment disputes',
    hint: 'A buyer disputes a top-up: the amount, the reason and the deadline for evidence.',
  },
  'order-status': { access: 'session', label: 'Status of an order', hint: 'One of your orders moves on.' },
  'order-link': { access: 'session', label: 'Live link', hint: 'A placement of yours went live, or its link changed.' },
  'order-delivery': { access: 'session', label: 'Delivered content', hint: 'A file is ready to download.' },
  'order-refund': { access: 'session', label: 'Refunds', hint: 'Money of an order comes back, or is taken again.' },
  'order-comment': { access: 'session', label: 'Comments', hint: 'We write something to one of your orders.' },
} as const satisfies Record<string, KindFacts>;

export type MailKind = keyof typeof mailKinds;

/** A row of a kind that was since removed turns nothing off. */
export function isMailKind(value: string): value is MailKind {
  return Object.hasOwn(mailKinds, value);
}

/** The catalogue's names; never empty, as zod wants it said. */
export const mailKindNames = Object.keys(mailKinds).filter(isMailKind);
