'use client';

import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { UploadStatement } from '@/components/wallet/upload-statement';
import { apiFetch } from '@/lib/browser/api-client';
import type { StatementResult } from '@/lib/payouts/contract';

/** Uploads a statement of the bank, and shows which payouts it changed. */
export function UploadPayouts() {
  return (
    <UploadStatement<StatementResult>
      description="Marks the payouts of bank files that were executed or returned."
      limits="camt.053 or CSV, up to 5 MB"
      path="/api/admin/payouts/statement"
      summary={(result) => <StatementSummary result={result} />}
    />
  );
}

const count = (payouts: number) => (payouts === 1 ? '1 payout' : `${payouts.toLocaleString('en-US')} payouts`);

function StatementSummary({
  result: { paid, returned, waiting, known, skipped, refused },
}: {
  result: StatementResult;
}) {
  return (
    <div className="grid gap-3 text-sm">
      <Alert tone={refused.length > 0 ? 'warning' : 'success'}>
        {count(paid)} marked as paid, {count(returned)} as returned.
      </Alert>
      {waiting > 0 ? (
        <p>{waiting === 1 ? '1 return waits' : `${waiting} returns wait`} for a second person under Approvals.</p>
      ) : null}
      <p className="text-muted">
        {known === 1 ? '1 row was' : `${known} rows were`} recorded before. {skipped}{' '}
        {skipped === 1 ? 'payment is' : 'payments are'} not about a payout.
      </p>
      {refused.length > 0 ? (
        <ul className="grid gap-2" aria-label="Rows that were not applied">
          {refused.map(({ reference, message }) => (
            <li key={`${reference} ${message}`} className="wrap-anywhere">
              <span className="font-medium text-ink">{reference}</span>: {message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Sends or reads a batch of PayPal payouts now. */
export function RetryBatch({ id }: { id: string }) {
  const fallback = () => 'The batch couldn’t be tried again. Please try again.';
  const { pending, run } = useOperation({ fallback, onError: toast.error });
  const retry = () =>
    run(async () => {
      await apiFetch(`/api/admin/payouts/batches/${id}/retry`, { method: 'POST' });
      toast.success('PayPal is asked within seconds.');
    });
  return (
    <Button size="sm" pending={pending} onClick={retry} aria-label={`Ask PayPal about the batch ${id}`}>
      <Icon name="refresh-cw" />
      Ask PayPal
    </Button>
  );
}
