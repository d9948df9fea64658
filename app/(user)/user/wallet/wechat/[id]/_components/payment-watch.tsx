'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Spinner } from '@/components/ui/progress';
import { redirectToSignIn } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { settleReturnAction } from '@/lib/payments/actions';

/** The polling intervals. Most buyers scan the code within the first minutes; polling slows down after that. */
const quickMs = 3_000;
const slowMs = 10_000;
const quickForMs = 180_000;

type PaymentWatchProps = {
  topupId: string;
  expiresAt: string;
  /** The time until the code expires, by the server's clock. It makes the first render match the server's. */
  leftMs: number;
  doneHref: string;
};

/** Polls the payment while the page is visible, redirects once it is decided, and displays the time left. */
export function PaymentWatch({ topupId, expiresAt, leftMs: atFirstMs, doneHref }: PaymentWatchProps) {
  const router = useRouter();
  const [leftMs, setLeftMs] = useState(atFirstMs);

  useEffect(() => {
    const update = () => setLeftMs(Math.max(Date.parse(expiresAt) - Date.now(), 0));
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [expiresAt]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isHere = true;
    const startedAt = Date.now();
    const checkPayment = async () => {
      // If the connection fails, the next poll retries.
      const response = document.hidden
        ? null
        : await settleReturnAction({ topupId, reference: null }, pageAccount()).catch(() => null);
      if (!isHere) return;
      if (response && !response.ok && (response.status === 401 || response.status === 403)) return redirectToSignIn();
      const isOpen = !response?.ok || response.data.status === 'created' || response.data.status === 'pending';
      if (!isOpen) return router.replace(doneHref);
      timer = setTimeout(checkPayment, Date.now() - startedAt < quickForMs ? quickMs : slowMs);
    };
    timer = setTimeout(checkPayment, quickMs);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [topupId, doneHref, router]);

  if (leftMs === 0) {
    return (
      <p role="status" className="text-center text-ink text-sm">
        This code has expired and nothing was charged. Start again from your wallet.
      </p>
    );
  }
  return (
    <p role="status" className="flex items-center gap-2 text-muted text-sm">
      <Spinner />
      <span>
        Waiting for your payment
        <span aria-hidden="true" className="tabular-nums">
          {` · ${clock(leftMs)} left`}
        </span>
      </span>
    </p>
  );
}

const clock = (ms: number) => {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
