'use client';

import { Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { ApiError, apiFetch } from '@/lib/http/client';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '../ui/dialog';
import { type UploadResult, UploadSummary } from './upload-summary';

type UploadCsvProps = {
  /** Where the file is sent. */
  path: string;
  /** The screen's own words for a success. */
  success: string;
  /** The screen's own words for a failure; `message` is the server's, or ''. Status 0: no answer came. */
  failure: (status: number, message: string) => string;
};

/** Chooses a CSV file, sends it, and tells what became of its rows. */
export function UploadCsv({ path, success, failure }: UploadCsvProps) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<UploadResult | string | null>(null);
  const [open, setOpen] = useState(false);

  const send = async (file: File) => {
    const form = new FormData();
    form.append('file', file);
    setPending(true);
    try {
      setOutcome(await apiFetch<UploadResult>(path, { method: 'POST', body: form }));
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setOutcome(failure(cause.status, cause.message));
    } finally {
      setPending(false);
      setOpen(true);
    }
  };

  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv"
        aria-label="CSV file"
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // So that the same file can be chosen again once it is mended.
          event.target.value = '';
          if (file) void send(file);
        }}
      />
      <Button
        pending={pending}
        icon={<Upload aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      >
        Upload CSV
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="CSV upload" role="alertdialog" size="md">
        <DialogBody>
          {typeof outcome === 'string' ? <Alert tone="error">{outcome}</Alert> : null}
          {outcome !== null && typeof outcome === 'object' ? <UploadSummary title={success} result={outcome} /> : null}
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button variant="primary">OK</Button>
          </DialogClose>
        </DialogFooter>
      </Dialog>
    </>
  );
}
