'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { readSession, writeSession } from '@/components/shell/browser-session';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { AdminOrderView } from '@/lib/orders/views';
import { editOf, isSameEdit, mergeEdits, type OrderEdit } from './order-edit';

const nameOf = (orderId: number) => `order_draft_${orderId}`;

/**
 * The edit of one order: what stands in the form, what it started from, and what somebody else made of the order in
 * the meantime. Whatever the server answers, what was typed stays; what is left without saving is offered again.
 */
export function useOrderEdit(order: AdminOrderView, statuses: readonly AdminOrderView['status'][]) {
  const router = useRouter();
  const [base, setBase] = useState(order);
  const [edit, setEdit] = useState(editOf(order));
  const [theirs, setTheirs] = useState<AdminOrderView | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});
  const [pending, setPending] = useState(false);
  const [draft, setDraft] = useState(() => readDraft(order.id, statuses));
  const isDirty = !isSameEdit(edit, editOf(base));
  const restored = draft && mergeEdits(draft.base, draft.edit, edit);

  /** What stands in the form, with what it started from; nothing unsaved leaves no draft. */
  const keep = (typed: OrderEdit, from: AdminOrderView) => {
    const isUnsaved = !isSameEdit(typed, editOf(from));
    writeDraft(order.id, isUnsaved ? { version: from.version, base: editOf(from), edit: typed } : null);
  };

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
    writeDraft(order.id, null);
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
    setEdit(mergeEdits(editOf(base), edit, editOf(latest)));
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
    /** What was left unsaved before and is worth offering; null for nothing. */
    offered: draft && restored && !isSameEdit(restored, edit) ? { isOlder: draft.version !== base.version } : null,
    restore: () => {
      if (!restored) return;
      setEdit(restored);
      keep(restored, base);
      setDraft(null);
    },
    /** Of the draft only: what stands in the form stays. */
    dropDraft: () => {
      setDraft(null);
      keep(edit, base);
    },
    /** Before leaving: nothing is offered again. */
    forget: () => writeDraft(order.id, null),
    change: (changes: Partial<OrderEdit>) => {
      const typed = { ...edit, ...changes };
      setEdit(typed);
      keep(typed, base);
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
      writeDraft(order.id, null);
      setTheirs(null);
      router.refresh();
    },
    /** What was typed stays in the form; the next saving starts from theirs. */
    keepMine: () => {
      if (!theirs) return;
      setBase(theirs);
      keep(edit, theirs);
      setTheirs(null);
    },
  };
}

/** An edit that was not saved, and the state of the order that it started from. */
type OrderDraft = { version: number; base: OrderEdit; edit: OrderEdit };

type Status = OrderEdit['status'];

/** Keeps an unsaved edit for this tab, so that Back, a link or a reload loses nothing; null takes it out. */
function writeDraft(orderId: number, draft: OrderDraft | null): void {
  writeSession(nameOf(orderId), draft);
}

/** What was typed into an order and not saved; null for nothing, or nothing that makes sense. */
function readDraft(orderId: number, statuses: readonly Status[]): OrderDraft | null {
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
