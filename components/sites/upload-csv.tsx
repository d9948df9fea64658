'use client';

import { Upload } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { retryChunk } from '@/components/ui/retry-chunk';

const ImportSteps = dynamic(
  retryChunk(() => import('./import-steps').then((module) => module.ImportSteps)),
  { ssr: false, loading: () => <div className="h-48" /> },
);

export type UploadCsvProps = {
  /** The upload endpoint. */
  path: string;
  /** The screen's message for a success. */
  success: string;
  /** The screen's message for a failure; `message` is the server's, or ''. Status 0: no response. */
  failure: (status: number, message: string) => string;
  /** The URL of a template file. */
  templateHref: string;
  /** Called with every error before it is shown; it may redirect. */
  onRefused?: (cause: unknown) => never;
};

/** Imports a CSV file: choose, check, import, summary. The code of the steps is loaded with the first opening. */
export function UploadCsv(props: UploadCsvProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Upload className="size-4" />}>Upload CSV</Button>}
      title="Upload CSV"
      description="Preview before importing."
      size="lg"
    >
      <ImportSteps {...props} onClose={() => setOpen(false)} />
    </Dialog>
  );
}
