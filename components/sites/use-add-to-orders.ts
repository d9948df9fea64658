'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '@/components/ui/toast';
import { leaveIfSignedOut } from '@/lib/http/leave-if-signed-out';
import { checkBasket } from './check-basket';
import { type OrderFailure, orderFailure, placeOrder } from './place-order';
import type { Selection } from './use-selection';

/** Spec 001, section 9. */
const toastMs = 2800;

type AddToOrders = {
  pending: boolean;
  failure: OrderFailure | null;
  /** What changed since the sites were ticked. */
  notice: string | null;
  /** Ids of sites that are no longer on sale. */
  gone: readonly number[];
  send: (choice: { projectId: string; hasProjects: boolean }) => Promise<void>;
  /** Takes the failure away once what it was about has changed. */
  forget: () => void;
};

/** The workings of the order dialog, one instance an opening. */
export function useAddToOrders({ selection, onDone }: { selection: Selection; onDone: () => void }): AddToOrders {
  const { sites, write, attemptKey, endAttempt } = selection;
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<OrderFailure | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [gone, setGone] = useState<readonly number[]>([]);
  const isChecked = useRef(false);

  const check = useCallback(async () => {
    const now = await checkBasket(sites);
    setGone(now.gone);
    setNotice((before) => now.notice ?? before);
    if (now.sites) write(now.sites);
  }, [sites, write]);

  // Once an opening; later changes of the selection are made in the dialog.
  useEffect(() => {
    if (isChecked.current) return;
    isChecked.current = true;
    void check();
  }, [check]);

  const send: AddToOrders['send'] = async ({ projectId, hasProjects }) => {
    const complaint = complaintAbout(sites.length, hasProjects, projectId);
    setFailure(complaint ? { kind: 'refused', text: complaint, topUpUrl: null } : null);
    if (complaint) return;
    setPending(true);
    try {
      // Sorted, so that ticking the same sites in another order is the same order.
      const ids = sites.map(({ id }) => id).sort((a, b) => a - b);
      await placeOrder(projectId, ids, attemptKey(projectId, ids)).catch(leaveIfSignedOut);
      endAttempt();
      write([]);
      toast.success('Added to orders successfully.', { durationMs: toastMs });
      onDone();
      router.refresh();
    } catch (cause) {
      const told = orderFailure(cause);
      setFailure(told);
      if (told.kind === 'used') endAttempt();
      if (told.kind === 'stale') await check();
    } finally {
      setPending(false);
    }
  };

  return { pending, failure, notice, gone, send, forget: () => setFailure(null) };
}

function complaintAbout(siteCount: number, hasProjects: boolean, projectId: string): string | null {
  if (siteCount === 0) return 'No site selected.';
  if (!hasProjects) return 'Create a project first.';
  return projectId === '' ? 'Select a project.' : null;
}
