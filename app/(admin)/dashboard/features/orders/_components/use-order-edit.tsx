'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { readSession, writeSession } from '@/components/shell/browser-storage';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { AdminOrderDetails, AdminOrderView } from '@/lib/orders/contract';

/** Returns the name of a draft in this tab's session storage, so that Back, a link or a reload does not lose it. */
const nameOf = (orderId: number) => `order_draft_${orderId}`;

/**
 * Manages the edit of an order: the form values, the version that the edit is based on, and concurrent changes by other
 * users. A failed request keeps the form values. Unsaved values are stored as a draft.
 */
export function useOrderEdit(order: AdminOrderDetails, statuses: readonly Status[], requested: Status) {
  const router = useRouter();
  const [base, setBase] = useState(order);
  const [edit, setEdit] = useState({ ...editOf(order), status: requested });
  const [theirs, setTheirs] = useState<AdminOrderDetails | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [draft, setDraft] = useState(() => readDraft(order.id, statuses));
  const isDirty = !isSameEdit(edit, editOf(base));
  const restored = draft && mergeEdits(draft.base, draft.edit, edit);

  /** Stores unsaved values as a draft. Deletes the draft if nothing is unsaved. */
  const keep = (typed: OrderEdit, from: AdminOrderDetails) => {
    const isUnsaved = !isSameEdit(typed, editOf(from));
    writeSession(nameOf(order.id), isUnsaved ? { version: from.version, base: editOf(from), edit: typed } : null);
  };

  // The page was refreshed and the form has no edits: show the current order.
  if (order.version > base.version && !isDirty && !theirs) {
    setBase(order);
    setEdit(editOf(order));
  }

  const send = async (changes: Partial<OrderEdit> & { isRejection?: boolean }) => {
    const saved = await apiFetch<AdminOrderDetails>(`/api/admin/orders/${order.id}`, {
      method: 'PATCH',
      body: { ...edit, ...changes, version: base.version },
    });
    setBase(saved);
    setEdit(editOf(saved));
    writeSession(nameOf(order.id), null);
    setTheirs(null);
    setFields({});
    toast.success('Changes saved and visible to the user.');
    router.refresh();
  };

  /** Returns whether a request failed because of a concurrent change. If so, merges the current order into the form. */
  const isStale = async (cause: ApiError): Promise<boolean> => {
    if (cause.status !== 409) return false;
    const latest = await apiFetch<AdminOrderDetails>(`/api/admin/orders/${order.id}`);
    if (latest.version === base.version) return false;
    setTheirs(latest);
    setEdit(mergeEdits(editOf(base), edit, editOf(latest)));
    return true;
  };

  /** @returns the error; null on success, or if a field or the conflict notice already displays the error */
  const run = async (work: () => Promise<void>): Promise<{ message: string; isRefusal: boolean } | null> => {
    setPending(true);
    setFields({});
    setRefusal(null);
    try {
      await work();
      return null;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const stale = await isStale(cause).catch(() => false);
      if (stale) return null;
      setFields(cause.fields);
      const hasField = Object.keys(cause.fields).some((name) => name in edit);
      if (hasField) return null;
      return { message: cause.message || 'Failed to update order', isRefusal: cause.status === 409 };
    } finally {
      setPending(false);
    }
  };

  /** Saves after a confirmation. @throws Error with the message to display */
  const confirm = async (changes: Parameters<typeof send>[0]) => {
    const failure = await run(() => send(changes));
    if (failure) throw new Error(failure.message);
  };

  return {
    base,
    edit,
    theirs,
    fields,
    pending,
    isDirty,
    /** Why the server refused to save; null after another change. */
    refusal,
    /** The draft to offer; null if there is none, or if it equals the form values. */
    offered: draft && restored && !isSameEdit(restored, edit) ? { isOlder: draft.version !== base.version } : null,
    restore: () => {
      if (!restored) return;
      setEdit(restored);
      keep(restored, base);
      setDraft(null);
    },
    /** Deletes only the draft; the form values remain. */
    dropDraft: () => {
      setDraft(null);
      keep(edit, base);
    },
    /** Deletes the draft before the user leaves. */
    forget: () => writeSession(nameOf(order.id), null),
    change: (changes: Partial<OrderEdit>) => {
      const typed = { ...edit, ...changes };
      setEdit(typed);
      keep(typed, base);
      setFields({});
      setRefusal(null);
    },
    save: async () => {
      const failure = await run(() => send({}));
      if (failure?.isRefusal) setRefusal(failure.message);
      else if (failure) toast.error(failure.message);
    },
    saveConfirmed: () => confirm({}),
    rejectAndRefund: () => confirm({ status: 'Refunded', isRejection: true }),
    takeTheirs: () => {
      if (!theirs) return;
      setBase(theirs);
      setEdit(editOf(theirs));
      writeSession(nameOf(order.id), null);
      setTheirs(null);
      router.refresh();
    },
    /** Keeps the typed values and bases the next save on the stored version. */
    keepMine: () => {
      if (!theirs) return;
      setBase(theirs);
      keep(edit, theirs);
      setTheirs(null);
    },
  };
}

/** An unsaved edit and the version of the order that it is based on. */
type OrderDraft = { version: number; base: OrderEdit; edit: OrderEdit };

type Status = OrderEdit['status'];

/** Reads a draft. Returns null if there is none or if it is invalid. */
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

/** The editable fields of an order. */
export type OrderEdit = Pick<AdminOrderView, 'status' | 'linkUrl' | 'adminComments'>;

const editOf = ({ status, linkUrl, adminComments }: OrderEdit): OrderEdit => ({ status, linkUrl, adminComments });

/** Merges two edits. Fields that the user changed keep the typed value; the others take the stored value. */
const mergeEdits = (base: OrderEdit, typed: OrderEdit, theirs: OrderEdit): OrderEdit => ({
  status: typed.status === base.status ? theirs.status : typed.status,
  linkUrl: typed.linkUrl === base.linkUrl ? theirs.linkUrl : typed.linkUrl,
  adminComments: typed.adminComments === base.adminComments ? theirs.adminComments : typed.adminComments,
});

const isSameEdit = (a: OrderEdit, b: OrderEdit) =>
  a.status === b.status && a.linkUrl === b.linkUrl && a.adminComments === b.adminComments;

type DraftNoticeProps = {
  /** The order changed after the draft was created. */
  isOlder: boolean;
  onRestore: () => void;
  onDiscard: () => void;
};

/** Offers to restore an unsaved draft. */
export function DraftNotice({ isOlder, onRestore, onDiscard }: DraftNoticeProps) {
  return (
    <Alert tone="info" title="You have unsaved changes to this order.">
      <p>
        {isOlder
          ? 'The order has changed since. Restoring brings back only the fields you edited.'
          : 'You left without saving. Restore your changes to continue editing.'}
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="sm" onClick={onRestore}>
          Restore
        </Button>
        <Button size="sm" variant="ghost" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Alert>
  );
}
