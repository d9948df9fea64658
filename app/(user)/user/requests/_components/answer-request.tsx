'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { Alert } from '@/components/ui/alert';
import { Button, ButtonLink } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/controls';
import { countOf } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { withReturnUrl } from '@/components/wallet/return-url';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import type { RequestView } from '@/lib/orders/requests/contract';
import { RequestLines } from './request-lines';

type Failure = { text: string; topUpUrl: string | null };

/**
 * Approves the ticked lines of a request, or declines it. The answer of the client is ticked first. When the total has
 * changed, the page shows the new one and the approver decides again.
 */
export function AnswerRequest({ request: { id, lines } }: { request: Pick<RequestView, 'id' | 'lines'> }) {
  const router = useRouter();
  const [struck, setStruck] = useState<ReadonlySet<string>>(
    () => new Set(lines.flatMap((line) => (line.state === 'declined' ? [line.id] : []))),
  );
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const ticked = lines.filter((line) => !struck.has(line.id));
  const totalCents = ticked.reduce((sum, { cents, taxCents }) => sum + (cents ?? 0) + (taxCents ?? 0), 0);
  const path = `/api/user/requests/${id}`;

  const approve = async () => {
    setPending(true);
    setFailure(null);
    const lineIds = ticked.map((line) => line.id);
    try {
      await apiFetch(`${path}/approve`, { method: 'POST', body: { lineIds, shownTotalCents: totalCents } }).catch(
        redirectIfSignedOut,
      );
      toast.success(`${countOf(lineIds.length, 'order')} placed.`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const { status, message, url } = cause;
      const text =
        message || (status === 0 ? 'No connection to the server. Try again.' : `The request failed (HTTP ${status}).`);
      setFailure({ text, topUpUrl: url && withReturnUrl(url, `/user/requests/${id}`) });
    } finally {
      setPending(false);
      // Also after a refusal: the prices may have changed.
      router.refresh();
    }
  };

  return (
    <div className="grid gap-4">
      <RequestLines
        lines={lines}
        hasOrders={false}
        control={(line) => (
          <Checkbox
            label={<span className="sr-only">Order {line.name}</span>}
            checked={!struck.has(line.id)}
            disabled={pending}
            onChange={({ target }) => {
              const next = new Set(struck);
              if (target.checked) next.delete(line.id);
              else next.add(line.id);
              setStruck(next);
            }}
          />
        )}
      />
      {failure ? (
        <Alert
          tone="error"
          action={
            failure.topUpUrl ? (
              <ButtonLink href={failure.topUpUrl} size="sm">
                Add money
              </ButtonLink>
            ) : null
          }
        >
          {failure.text}
        </Alert>
      ) : null}
      <div className="flex flex-wrap items-center gap-2 border-line border-t pt-4">
        <p aria-live="polite" className="mr-auto text-sm">
          <span className="text-muted">{`${countOf(ticked.length, 'item')} of ${lines.length} · `}</span>
          <Money amountMinor={totalCents} className="font-medium text-ink" />
        </p>
        <DeclineRequest id={id} isOwn={false} />
        <Button variant="primary" pending={pending} disabled={ticked.length === 0} onClick={() => void approve()}>
          {ticked.length === lines.length
            ? `Approve ${formatUsd(totalCents)}`
            : `Approve selected ${formatUsd(totalCents)}`}
        </Button>
      </div>
    </div>
  );
}

/** Declines a request with a reason, or withdraws the own one. */
export function DeclineRequest({ id, isOwn }: { id: string; isOwn: boolean }) {
  const verb = isOwn ? 'Withdraw' : 'Decline';
  return (
    <FormDialog
      trigger={<Button>{verb}</Button>}
      title={`${verb} this request?`}
      description={isOwn ? 'Nothing is ordered.' : 'Nothing is ordered. The requester reads your reason.'}
      submitLabel={`${verb} request`}
      submit={(data) => {
        const reason = getFormText(data, 'reason').trim();
        return apiFetch(`/api/user/requests/${id}/decline`, { method: 'POST', body: reason ? { reason } : {} }).catch(
          redirectIfSignedOut,
        );
      }}
      done={isOwn ? 'The request was withdrawn.' : 'The request was declined.'}
      fields={isOwn ? [] : [{ name: 'reason', label: 'Reason', rows: 3, maxLength: 1_000, hint: 'Optional.' }]}
    />
  );
}
