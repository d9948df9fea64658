import { and, eq, type SQL, sql } from 'drizzle-orm';
import { invoices } from '@/db/schema/invoices';
import { orders } from '@/db/schema/orders';
import { hasAccountRight, isInScope } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';

/** Who reads documents of an account. */
export type DocumentReader = Pick<Actor, 'userId' | 'accountRole' | keyof AccountScope>;

/** Without this right a member reads the documents of the own orders only, and no receipts: they tell what was paid in. */
const readsAll = ({ accountRole }: DocumentReader): boolean => hasAccountRight(accountRole, 'account:balance');

/** Checks whether a member reads the receipts of the account. */
export const readsReceipts = readsAll;

/** Builds the condition that a member reads the documents of an order. For queries that select from `orders`. */
export const hasReadableDocuments = (reader: DocumentReader): SQL => {
  if (!hasAccountRight(reader.accountRole, 'account:documents')) return sql`false`;
  const own = readsAll(reader) ? undefined : eq(orders.orderedBy, reader.userId);
  return and(isInScope(reader, orders), own) ?? sql`true`;
};

/** Builds the condition that a member reads an invoice or a credit note. For queries that select from `invoices`. */
export const isReadableInvoice = (reader: DocumentReader): SQL => {
  const isOwn = sql`${invoices.accountId} = ${reader.accountId}`;
  if (readsAll(reader) && reader.projectIds === null) return isOwn;
  // A subquery for each invoice, so that the invoices are read along their index.
  return sql`${isOwn} and (select ${hasReadableDocuments(reader)} from ${orders} where ${orders.id} = ${invoices.orderId})`;
};

/** Checks whether a member reads the documents of an order in the own projects. */
export const readsDocumentsOf = (reader: DocumentReader, { orderedBy }: { orderedBy: string }): boolean =>
  readsAll(reader) || orderedBy === reader.userId;
