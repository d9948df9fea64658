import type { AdminOrderView } from '@/lib/orders/views';

/** The editable fields of an order. */
export type OrderEdit = Pick<AdminOrderView, 'status' | 'linkUrl' | 'adminComments'>;

export const editOf = ({ status, linkUrl, adminComments }: OrderEdit): OrderEdit => ({
  status,
  linkUrl,
  adminComments,
});

/** Merges two edits. Fields that the user changed keep the typed value; the others take the stored value. */
export const mergeEdits = (base: OrderEdit, typed: OrderEdit, theirs: OrderEdit): OrderEdit => ({
  status: typed.status === base.status ? theirs.status : typed.status,
  linkUrl: typed.linkUrl === base.linkUrl ? theirs.linkUrl : typed.linkUrl,
  adminComments: typed.adminComments === base.adminComments ? theirs.adminComments : typed.adminComments,
});

export const isSameEdit = (a: OrderEdit, b: OrderEdit) =>
  a.status === b.status && a.linkUrl === b.linkUrl && a.adminComments === b.adminComments;
