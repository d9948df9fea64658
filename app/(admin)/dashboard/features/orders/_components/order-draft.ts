import { readSession, writeSession } from '@/components/shell/browser-session';
import type { OrderEdit } from './order-edit';

/** An edit that was not saved, and the state of the order that it started from. */
export type OrderDraft = { version: number; base: OrderEdit; edit: OrderEdit };

type Status = OrderEdit['status'];

const nameOf = (orderId: number) => `order_draft_${orderId}`;

/** Keeps an unsaved edit for this tab, so that Back, a link or a reload loses nothing; null takes it out. */
export function writeDraft(orderId: number, draft: OrderDraft | null): void {
  writeSession(nameOf(orderId), draft);
}

/** What was typed into an order and not saved; null for nothing, or nothing that makes sense. */
export function readDraft(orderId: number, statuses: readonly Status[]): OrderDraft | null {
  const { version, base, edit } = fieldsOf(readSession(nameOf(orderId)));
  const [from, typed] = [readEdit(base, statuses), readEdit(edit, statuses)];
  return typeof version === 'number' && from && typed ? { version, base: from, edit: typed } : null;
}

function readEdit(value: unknown, statuses: readonly Status[]): OrderEdit | null {
  const { status, linkUrl, adminComments } = fieldsOf(value);
  const known = statuses.find((candidate) => candidate === status);
  if (!known || typeof linkUrl !== 'string' || typeof adminComments !== 'string') return null;
  return { status: known, linkUrl, adminComments };
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
