'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { DialogBody, DialogFooter } from '../ui/dialog';
import { FileDrop } from '../ui/file-drop';
import { formatBytes } from '../ui/format-bytes';
import { Progress } from '../ui/progress';
import { chooseColumn } from './choose-column';
import { ImportCheckView } from './import-check-view';
import type { Choices } from './import-types';
import { saveRejected } from './save-rejected';
import type { UploadCsvProps } from './upload-csv';
import { UploadSummary } from './upload-summary';
import { useImport } from './use-import';

/** The inside of the upload dialog, step by step. */
export function ImportSteps({
  path,
  success,
  failure,
  templateHref,
  onRefused,
  onClose,
}: UploadCsvProps & { onClose: () => void }) {
  const upload = useImport(path, failure, onRefused);
  const { step, file, error, edited } = upload;
  const choices = upload.edited ?? upload.choices;
  const ready = step.name === 'checked' ? step.check.ready : 0;
  const skipped = step.name === 'checked' ? step.check.skipped : step.name === 'done' ? (step.result.skipped ?? 0) : 0;

  return (
    <>
      <DialogBody className="grid content-start gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        {step.name === 'choose' ? (
          <>
            <FileDrop
              accept=".csv"
              aria-label="CSV file"
              prompt="Choose a CSV file or drop it here"
              limits="CSV up to 50 MB, with a column for the URL"
              onFile={upload.choose}
            />
            <p className="text-muted text-sm">
              Headers in any order and spelling, commas, semicolons or tabs.{' '}
              <a href={templateHref} download className="rounded-sm text-accent-ink underline">
                Download the template
              </a>
            </p>
          </>
        ) : null}
        {step.name === 'sending' && file ? <Sending file={file} {...step} /> : null}
        {step.name === 'checked' && file ? (
          <>
            <p className="wrap-anywhere text-muted text-sm">
              <span className="font-medium text-ink">{file.name}</span>, {formatBytes(file.size)},{' '}
              {step.check.rows === 1 ? '1 row' : `${step.check.rows.toLocaleString('en-US')} rows`}
            </p>
            <ImportCheckView
              check={step.check}
              choices={choices}
              onChoose={(index, field) => upload.edit(chooseColumn(step.check, choices, index, field))}
            />
          </>
        ) : null}
        {step.name === 'done' ? <UploadSummary title={success} result={step.result} /> : null}
      </DialogBody>
      <DialogFooter>
        {skipped > 0 && file && !edited ? (
          <RejectedRows path={path} file={file} choices={upload.choices} onFailure={upload.fail} failure={failure} />
        ) : null}
        {step.name === 'sending' ? <Button onClick={upload.cancel}>Cancel</Button> : null}
        {step.name === 'choose' ? <Button onClick={onClose}>Cancel</Button> : null}
        {step.name === 'checked' ? (
          <>
            <Button onClick={upload.reset}>Another file</Button>
            {edited ? (
              <Button variant="primary" onClick={upload.checkAgain}>
                Check again
              </Button>
            ) : (
              <Button variant="primary" disabled={ready === 0} onClick={() => void upload.commit()}>
                {importLabel(ready)}
              </Button>
            )}
          </>
        ) : null}
        {step.name === 'done' ? (
          <Button variant="primary" onClick={onClose}>
            OK
          </Button>
        ) : null}
      </DialogFooter>
    </>
  );
}

function importLabel(sites: number): string {
  if (sites === 0) return 'Nothing to import';
  return sites === 1 ? 'Import 1 site' : `Import ${sites.toLocaleString('en-US')} sites`;
}

type SendingProps = { file: File; purpose: 'check' | 'import'; share: number };

function Sending({ file, purpose, share }: SendingProps) {
  const isSent = share >= 1;
  const working = purpose === 'check' ? 'Checking every row…' : 'Importing…';
  return (
    <div className="grid gap-3 py-4">
      <p className="flex items-baseline justify-between gap-4 text-sm">
        <span role="status" className="wrap-anywhere min-w-0 text-ink">
          {isSent ? working : `Uploading ${file.name}`}
        </span>
        <span className="shrink-0 text-muted tabular-nums">{Math.floor(share * 100)} %</span>
      </p>
      <Progress
        label={`Upload of ${file.name}`}
        value={share}
        max={1}
        className={isSent ? 'animate-pulse' : undefined}
      />
    </div>
  );
}

type RejectedRowsProps = {
  path: string;
  file: File;
  choices: Choices;
  failure: UploadCsvProps['failure'];
  onFailure: (text: string) => void;
};

function RejectedRows({ path, file, choices, failure, onFailure }: RejectedRowsProps) {
  const [pending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      await saveRejected(path, file, choices);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      onFailure(failure(cause.status, cause.message));
    } finally {
      setPending(false);
    }
  };
  return (
    <Button pending={pending} icon={<Download className="size-4" />} className="mr-auto" onClick={() => void save()}>
      Rejected rows
    </Button>
  );
}
