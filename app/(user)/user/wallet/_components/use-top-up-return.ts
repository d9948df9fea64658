'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { withParams } from '@/components/table/url';
import { redirectToSignIn } from '@/lib/browser/redirect-if-signed-out';
import { cancelTopupAction, settleReturnAction } from '../actions';
import { cancelledNotice, checkingNotice, type TopUpNotice, topUpNotice, unknownNotice } from './top-up-outcome';

/** A payment that is still open is asked for again, a little later each time; then the webhook has the word. */
const waitsMs = [1_500, 2_000, 3_000, 5_000, 8_000];

type Return = { topupId: string; reference: string | null; isCancelled: boolean };

/**
 * Settles a top-up when the address says that its buyer is back, tells what came of it, and takes the marks out of the
 * address, so that a reload or Back does not tell it again. With the money there, it goes on to the page that waits.
 * @param back that page; '' for none
 */
export function useTopUpReturn(back: string) {
  const router = useRouter();
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const [notice, setNotice] = useState<TopUpNotice | null>(null);
  /** The last return, for asking again by hand. */
  const last = useRef<Return>(null);
  const handled = useRef('');
  const isHere = useRef(true);

  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  const ask = useCallback(async ({ topupId, reference, isCancelled }: Return): Promise<TopUpNotice> => {
    const asked = isCancelled ? cancelTopupAction({ topupId }) : settleReturnAction({ topupId, reference });
    // No answer at all: the connection broke.
    const answer = await asked.catch(() => null);
    if (answer === null) return unknownNotice;
    if (answer.ok) return topUpNotice(answer.data);
    if (answer.status === 401 || answer.status === 403) redirectToSignIn();
    if (answer.status === 404 || answer.status === 400) return { tone: 'error', title: answer.error, isOpen: false };
    return isCancelled ? cancelledNotice : unknownNotice;
  }, []);

  /** @returns whether the browser is on its way to the page that waits for the money */
  const goOn = useCallback(
    ({ isPaid, title }: TopUpNotice): boolean => {
      if (!isPaid || back === '') return false;
      toast.success(title);
      router.replace(back);
      return true;
    },
    [back, router],
  );

  const follow = useCallback(
    async (from: Return, waits: readonly number[]) => {
      const [wait, ...later] = waits;
      if (wait === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (!isHere.current) return;
      const next = await ask(from);
      if (!isHere.current) return;
      if (!goOn(next)) setNotice(next);
      if (next.isOpen) return follow(from, later);
      router.refresh();
    },
    [ask, goOn, router],
  );

  useEffect(() => {
    const isSuccess = searchParams.get('success') === '1';
    const isCancelled = searchParams.get('cancelled') === '1';
    if (!isSuccess && !isCancelled) {
      handled.current = '';
      return;
    }
    if (handled.current === searchParams.toString()) return;
    handled.current = searchParams.toString();
    const marks = { success: null, cancelled: null, topup: null, session_id: null, token: null, PayerID: null };
    const tidy = () =>
      router.replace(withParams(pathname, new URLSearchParams(searchParams), marks), { scroll: false });
    const topupId = searchParams.get('topup');
    if (!topupId) {
      tidy();
      return;
    }
    // Stripe and PayPal add their own reference, each under its own name.
    const reference = searchParams.get('session_id') ?? searchParams.get('token');
    const from = { topupId, reference, isCancelled };
    last.current = from;
    // Not within the effect: as the page is still being hydrated, that would wait until the browser is idle.
    if (isSuccess) queueMicrotask(() => setNotice(checkingNotice));
    void ask(from).then((next) => {
      if (!isHere.current) return;
      if (!goOn(next)) {
        setNotice(next);
        tidy();
      }
      // The balance in the top bar belongs to the layout, which a change of the address alone leaves as it is.
      router.refresh();
      if (next.isOpen && isSuccess) void follow(from, waitsMs);
    });
  }, [searchParams, pathname, router, ask, follow, goOn]);

  const again = async () => {
    if (!last.current) return;
    setNotice(checkingNotice);
    const next = await ask(last.current);
    if (!goOn(next)) setNotice(next);
    router.refresh();
  };

  return { notice, again, dismiss: () => setNotice(null) };
}
