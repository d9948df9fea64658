'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Button, ButtonLink, buttonClass, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { redirectToSignIn } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { cancelTopupAction, settleReturnAction } from '@/lib/payments/actions';
import { cancelledNotice, type TopUpNotice, topUpNotice } from './pending-topup';

const checkingNotice: TopUpNotice = { tone: 'info', title: 'Confirming your payment…', isOpen: true };

/** The provider did not respond. */
const unknownNotice: TopUpNotice = {
  tone: 'warning',
  title: 'We couldn’t check your payment.',
  text: 'If you paid, the money is credited once the provider confirms it. You don’t need to pay again.',
  isOpen: true,
};

/** The polling intervals for an open payment, in milliseconds. After the last, only the webhook completes it. */
const waitsMs = [1_500, 2_000, 3_000, 5_000, 8_000];

/**
 * Displays the result of a payment after the buyer returns.
 * @param back the page to return to after the payment; '' if none
 */
export function TopUpReturn({ back }: { back: string }) {
  const { notice, checkAgain, dismiss } = useTopUpReturn(back);
  if (!notice) return null;
  const isChecking = notice === checkingNotice;
  return (
    <Alert
      tone={notice.tone}
      title={notice.title}
      className="mb-4"
      action={
        isChecking ? null : (
          <div className="flex items-center gap-1">
            {notice.isOpen ? (
              <Button size="sm" onClick={() => void checkAgain()}>
                Check again
              </Button>
            ) : null}
            {back ? (
              <ButtonLink href={back} size="sm">
                Back to your order
              </ButtonLink>
            ) : null}
            {notice.payerActionUrl ? (
              <a href={notice.payerActionUrl} className={buttonClass({ size: 'sm' })}>
                Go back to PayPal
              </a>
            ) : null}
            <IconButton label="Dismiss" onClick={dismiss} className="text-current">
              <Icon name="x" />
            </IconButton>
          </div>
        )
      }
    >
      {notice.text}
    </Alert>
  );
}

type Return = { topupId: string; reference: string | null; isCancelled: boolean };

/**
 * Settles a top-up when the URL indicates that the buyer returned. Displays the result and removes the parameters, so
 * that a reload or Back does not display it again. If the payment succeeded, redirects to `back`.
 * @param back the page to return to; '' if none
 */
function useTopUpReturn(back: string) {
  const router = useRouter();
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const [notice, setNotice] = useState<TopUpNotice | null>(null);
  /** The last return, for a manual retry. */
  const last = useRef<Return>(null);
  const handled = useRef('');
  const isMounted = useRef(true);

  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const checkPayment = useCallback(async ({ topupId, reference, isCancelled }: Return): Promise<TopUpNotice> => {
    const pending = isCancelled
      ? cancelTopupAction({ topupId }, pageAccount())
      : settleReturnAction({ topupId, reference }, pageAccount());
    // The connection failed.
    const response = await pending.catch(() => null);
    if (response === null) return unknownNotice;
    if (response.ok) return topUpNotice(response.data);
    if (response.status === 401 || response.status === 403) redirectToSignIn();
    if (response.status === 404 || response.status === 400)
      return { tone: 'error', title: response.error, isOpen: false };
    return isCancelled ? cancelledNotice : unknownNotice;
  }, []);

  /** @returns whether the browser navigates to the page to return to */
  const returnIfPaid = useCallback(
    ({ isPaid, title }: TopUpNotice): boolean => {
      if (!isPaid || back === '') return false;
      toast.success(title);
      router.replace(back);
      return true;
    },
    [back, router],
  );

  const poll = useCallback(
    async (from: Return, waits: readonly number[]) => {
      const [wait, ...later] = waits;
      if (wait === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (!isMounted.current) return;
      const next = await checkPayment(from);
      if (!isMounted.current) return;
      if (!returnIfPaid(next)) setNotice(next);
      if (next.isOpen) return poll(from, later);
      router.refresh();
    },
    [checkPayment, returnIfPaid, router],
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
    const clearParams = () =>
      router.replace(withParams(pathname, new URLSearchParams(searchParams), marks), { scroll: false });
    const topupId = searchParams.get('topup');
    if (!topupId) {
      clearParams();
      return;
    }
    // Stripe and PayPal add their references under different names.
    const reference = searchParams.get('session_id') ?? searchParams.get('token');
    const from = { topupId, reference, isCancelled };
    last.current = from;
    // Deferred, because an update within the effect during hydration waits until the browser is idle.
    if (isSuccess) queueMicrotask(() => setNotice(checkingNotice));
    void checkPayment(from).then((next) => {
      if (!isMounted.current) return;
      if (!returnIfPaid(next)) {
        setNotice(next);
        clearParams();
      }
      // Updates the balance in the top bar. It belongs to the layout, which a URL change does not reload.
      router.refresh();
      if (next.isOpen && isSuccess) void poll(from, waitsMs);
    });
  }, [searchParams, pathname, router, checkPayment, poll, returnIfPaid]);

  const checkAgain = async () => {
    if (!last.current) return;
    setNotice(checkingNotice);
    const next = await checkPayment(last.current);
    if (!returnIfPaid(next)) setNotice(next);
    router.refresh();
  };

  return { notice, checkAgain, dismiss: () => setNotice(null) };
}
