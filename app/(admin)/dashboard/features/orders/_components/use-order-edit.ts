'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from '@/components/ui/toast';
import { ApiError, apiFetch } from '@/lib/http/client';
import type { AdminOrderView } from '@/lib/orders/views';

export type OrderEdit = Pick<AdminOrderView, 'status' | 'linkUrl' | 'adminComments'>;

const editOf = ({ status, linkUrl, adminComments }: AdminOrderView): OrderEdit => ({ status, linkUrl, adminComments });
/** What is typed wins; a field nobody typed in follows what the order became in the meantime. */
const merge = (base: OrderEdit, typed: OrderEdit, theirs: OrderEdit): OrderEdit => ({
  status: typed.status === base.status ? theirs.status : typed.status,
  linkUrl: typed.linkUrl === base.linkUrl ? theirs.linkUrl : typed.linkUrl,
  adminComments: typed.adminComments === base.adminComments ? theirs.adminComments : typed.adminComments,
});
const isSame = (a: OrderEdit, b: OrderEdit) =>
  a.status === b.status && a.linkUrl === b.linkUrl && a.adminComments === b.adminComments;

/**
 * The edit of one order: what stands in the form, what it started from, and what somebody else made of the order in
 * the meantime. Whatever the server answers, what was typed stays.
 */
export function useOrderEdit(order: AdminOrderView) {
  const router = useRouter();
  const [base, setBase] = useState(order);
  const [edit, setEdit] = useState(editOf(order));
  const [theirs, setTheirs] = useState<AdminOrderView | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});
  const [pending, setPending] = useState(false);
  const isDirty = !isSame(edit, editOf(base));

  // The page was loaded anew and nothing is typed: show what is true now.
  if (order.version > base.version && !isDirty && !theirs) {
    setBase(order);
    setEdit(editOf(order));
  }

  const send = async (changes: Partial<OrderEdit> & { isRejection?: boolean }) => {
    const saved = await apiFetch<AdminOrderView>(`/api/admin/orders/${order.id}`, {
      method: 'PATCH',
      body: { ...edit, ...changes, version: base.version },
    });
    setBase(saved);
    setEdit(editOf(saved));
    setTheirs(null);
    setFields({});
    toast.success('Changes saved and visible to the user.');
    router.refresh();
  };

  /** Is it that somebody else was faster? Then their state is shown beside ours. */
  const isStale = async (cause: ApiError): Promise<boolean> => {
    if (cause.status !== 409) return false;
    const latest = await apiFetch<AdminOrderView>(`/api/admin/orders/${order.id}`);
    if (latest.version === base.version) return false;
    setTheirs(latest);
    setEdit(merge(editOf(base), edit, editOf(latest)));
    return true;
  };

  /** @returns what went wrong, unless a field or the notice about somebody else's change says so already */
  const run = async (work: () => Promise<void>): Promise<string | null> => {
    setPending(true);
    setFields({});
    try {
      await work();
      return null;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const stale = await isStale(cause).catch(() => false);
      if (stale) return null;
      setFields(cause.fields);
      const hasField = Object.keys(cause.fields).some((name) => name in edit);
      return hasField ? null : cause.message || 'Failed to update order';
    } finally {
      setPending(false);
    }
  };

  return {
    base,
    edit,
    theirs,
    fields,
    pending,
    isDirty,
    change: (changes: Partial<OrderEdit>) => {
      setEdit({ ...edit, ...changes });
      setFields({});
    },
    save: async () => {
      const failure = await run(() => send({}));
      if (failure) toast.error(failure);
    },
    /** @throws Error with the text to show */
    rejectAndRefund: async () => {
      const failure = await run(() => send({ status: 'Refunded', isRejection: true }));
      if (failure) throw new Error(failure);
    },
    takeTheirs: () => {
      if (!theirs) return;
      setBase(theirs);
      setEdit(editOf(theirs));
      setTheirs(null);
      router.refresh();
    },
    /** What was typed stays in the form; the next saving starts from theirs. */
    keepMine: () => {
      if (!theirs) return;
      setBase(theirs);
      setTheirs(null);
    },
  };
}
