'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { useRecordClose } from '@/components/table/record-dialog';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { SendFile } from '@/lib/browser/upload';
import type { ImportCheck, KeyField } from './import-check-view';
import type { UploadResult } from './import-report';

const ImportSteps = dynamic(
  retryChunk(() => import('./import-steps').then((module) => module.ImportSteps)),
  { ssr: false, loading: () => <div className="h-48" /> },
);

/** The endpoint of an import, which differs by what is imported. */
export type ImportEndpoint = {
  check: (file: File, columns: string, options: SendFile) => Promise<ImportCheck>;
  commit: (file: File, columns: string, options: SendFile) => Promise<UploadResult>;
  /** The address that returns the rejected rows of the file that is posted to it. */
  rejectedPath?: (columns: string) => string;
  /** Absent for files that are recognized by their content. */
  keyField?: KeyField;
  /** The files that can be chosen; by default those with the ending .csv. */
  accept?: string;
  /** The maximum size of a file. */
  megabytes: number;
  /** What the second step says, where it does not import. */
  words?: ImportWords;
};

/** The words of an import: "Import", "Importing…", "Import another file". */
type ImportWords = { verb: string; working: string; again: string };

export type UploadCsvProps = {
  /** The title of the dialog, and of the button that opens it. */
  title?: string;
  description?: string;
  /** The upload endpoint. */
  path: string;
  /** How the endpoint is called; by default as those of the site import. */
  callEndpoint?: (path: string) => ImportEndpoint;
  /** The screen's message for a success. */
  success: string;
  /** The screen's message for a failure; `message` is the server's, or ''. Status 0: no response. */
  failure: (status: number, message: string) => string;
  /** The URL of a template file. */
  templateHref?: string;
  /** Which files are read, where there is no template. */
  help?: ReactNode;
  /** Called with every error before it is shown; it may redirect. */
  onRefused?: (cause: unknown) => never;
  /** What happens to niches of the file that are not in the list. */
  newNiches?: ReactNode;
};

type UploadDialogProps = UploadCsvProps & {
  /** The URL of the list with the dialog closed, where the URL opened it. Without it, the dialog has a button. */
  closeHref?: string | undefined;
};

/** Imports a CSV file: choose, check, import, summary. The code of the steps is loaded with the first opening. */
export function UploadCsv({ closeHref, title = 'Upload CSV', description, ...props }: UploadDialogProps) {
  const [isOpened, setOpened] = useState(false);
  const address = useRecordClose(closeHref ?? '');
  const hasAddress = closeHref !== undefined;
  const close = () => (hasAddress ? address.close() : setOpened(false));
  return (
    <Dialog
      open={hasAddress ? address.open : isOpened}
      onOpenChange={(next) => (next ? setOpened(true) : close())}
      trigger={hasAddress ? undefined : <Button icon={<Icon name="upload" />}>{title}</Button>}
      title={title}
      description={description ?? 'Preview before importing.'}
      size="lg"
    >
      <ImportSteps {...props} onClose={close} />
    </Dialog>
  );
}
