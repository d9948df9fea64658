'use client';

import { RefreshCw, Upload } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { FileDrop } from '@/components/ui/file-drop';
import { apiFetch } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import type { StatementResult } from '@/lib/payouts/contract';

/** Uploads a bank statement and shows what it changed. */
export function StatementUpload() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Upload className="size-4" />}>Upload statement</Button>}
      title="Upload a bank statement"
      description="Marks the payouts of bank files that were executed or returned."
    >
      <StatementForm />
    </Dialog>
  );
}

function StatementForm() {
  const [file, setFile] = useState<File | null>(null);
  const [result, setResult] = useState<StatementResult | null>(null);
  const { pending, error, setError, run } = useOperation({
    fallback: () => 'The statement couldn’t be uploaded. Please try again.',
  });
  const send = () =>
    file
      ? run(async () => setResult(await sendFile<StatementResult>('/api/admin/payouts/statement', file)))
      : setError('Choose a file.');

  return (
    <>
      <DialogBody className="grid gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        {result ? (
          <StatementSummary result={result} />
        ) : (
          <FileDrop
            prompt="Choose a statement or drop it here"
            limits="camt.053 or CSV, up to 5 MB"
            accept=".xml,.csv,.txt"
            aria-label="Bank statement"
            disabled={pending}
            onFile={(chosen) => {
              setFile(chosen);
              setError(null);
            }}
          />
        )}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={pending}>{result ? 'Close' : 'Cancel'}</Button>
        </DialogClose>
        {result ? null : (
          <Button variant="primary" pending={pending} onClick={send}>
            Upload
          </Button>
        )}
      </DialogFooter>
    </>
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
      <RefreshCw className="size-4" />
      Ask PayPal
    </Button>
  );
}
