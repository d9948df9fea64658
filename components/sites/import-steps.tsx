'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { FileDrop } from '@/components/ui/file-drop';
import { countOf, formatBytes } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Progress } from '@/components/ui/progress';
import { ApiError, newIdempotencyKey } from '@/lib/browser/api-client';
import { accountHeaders } from '@/lib/browser/page-account';
import { type SendFile, sendFile, sendToBucket } from '@/lib/browser/upload';
import {
  assignColumn,
  type Choices,
  columnsParam,
  type ImportCheck,
  ImportCheckView,
  urlField,
} from './import-check-view';
import { type UploadResult, UploadSummary } from './import-report';
import type { ImportEndpoint, UploadCsvProps } from './upload-csv';

/** Calls the endpoints of the site import. */
const callSiteEndpoint = (path: string): ImportEndpoint => {
  const at = (mode: string, columns: string) => `${path}?${new URLSearchParams({ mode, columns })}`;
  return {
    check: (file, columns, options) => sendFile(at('check', columns), file, options),
    commit: (file, columns, options) => sendFile(at('import', columns), file, options),
    rejectedPath: (columns) => at('rejected', columns),
    keyField: urlField,
    megabytes: 50,
  };
};

const importWords = { verb: 'Import', working: 'Importing…', again: 'Import another file' };

/** Renders the content of the upload dialog, step by step. */
export function ImportSteps(props: UploadCsvProps & { onClose: () => void }) {
  const {
    path,
    callEndpoint = callSiteEndpoint,
    success,
    failure,
    templateHref,
    help,
    onRefused,
    newNiches,
    onClose,
  } = props;
  const endpoint = callEndpoint(path);
  const { keyField, megabytes, words = importWords } = endpoint;
  const upload = useImport(endpoint, failure, onRefused);
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
              accept={endpoint.accept ?? '.csv'}
              aria-label={keyField ? 'CSV file' : 'File'}
              prompt={`Choose a ${keyField ? 'CSV file' : 'file'} or drop it here`}
              limits={
                keyField
                  ? `CSV up to ${megabytes} MB with the column ${keyField.label}`
                  : `Up to ${megabytes.toLocaleString('en-US')} MB`
              }
              onFile={upload.choose}
            />
            {templateHref ? (
              <p className="text-muted text-sm">
                Headers in any order and spelling, separated by commas, semicolons or tabs.{' '}
                <a href={templateHref} download className="rounded-sm text-accent-ink underline">
                  Download the template
                </a>
              </p>
            ) : null}
            {help}
          </>
        ) : null}
        {step.name === 'sending' && file ? <Sending file={file} {...step} working={words.working} /> : null}
        {step.name === 'checked' && file ? (
          <>
            <p className="wrap-anywhere text-muted text-sm">
              {step.check.format ? `${step.check.format}: ` : ''}
              <span className="font-medium text-ink">{file.name}</span>, {formatBytes(file.size)},{' '}
              {countOf(step.check.rows, 'row')}
            </p>
            <ImportCheckView
              check={step.check}
              choices={choices}
              keyField={keyField}
              newNiches={newNiches}
              onChoose={(index, field) => upload.edit(assignColumn(step.check, choices, index, field))}
            />
          </>
        ) : null}
        {step.name === 'done' ? <UploadSummary title={success} result={step.result} newNiches={newNiches} /> : null}
      </DialogBody>
      <DialogFooter>
        {endpoint.rejectedPath && skipped > 0 && file && !edited ? (
          <RejectedRows
            path={endpoint.rejectedPath(columnsParam(upload.choices))}
            {...{ file, failure }}
            onFailure={upload.fail}
          />
        ) : null}
        {step.name === 'sending' ? <Button onClick={upload.cancel}>Cancel</Button> : null}
        {step.name === 'choose' ? <Button onClick={onClose}>Cancel</Button> : null}
        {step.name === 'checked' ? (
          <>
            <Button onClick={upload.reset}>Choose another file</Button>
            {edited ? (
              <Button variant="primary" onClick={upload.checkAgain}>
                Check again
              </Button>
            ) : (
              <Button variant="primary" disabled={ready === 0} onClick={() => void upload.commit()}>
                {ready === 0
                  ? `Nothing to ${words.verb.toLowerCase()}`
                  : `${words.verb} ${step.check.subject ?? countOf(ready, 'site')}`}
              </Button>
            )}
          </>
        ) : null}
        {step.name === 'done' ? (
          <>
            <Button onClick={upload.reset}>{words.again}</Button>
            <Button variant="primary" onClick={onClose}>
              OK
            </Button>
          </>
        ) : null}
      </DialogFooter>
    </>
  );
}

type SendingProps = { file: File; purpose: 'check' | 'import'; share: number; working: string };

function Sending({ file, purpose, share, working }: SendingProps) {
  const isSent = share >= 1;
  return (
    <div className="grid gap-3 py-4">
      <p className="flex items-baseline justify-between gap-4 text-sm">
        <span role="status" className="wrap-anywhere min-w-0 text-ink">
          {isSent ? (purpose === 'check' ? 'Checking every row…' : working) : `Uploading ${file.name}`}
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

type RejectedRowsProps = Pick<UploadCsvProps, 'path' | 'failure'> & {
  file: File;
  onFailure: (text: string) => void;
};

function RejectedRows({ path, file, failure, onFailure }: RejectedRowsProps) {
  const [pending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      await saveRejected(path, file);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      onFailure(failure(cause.status, cause.message));
    } finally {
      setPending(false);
    }
  };
  return (
    <Button pending={pending} icon={<Icon name="download" />} className="mr-auto" onClick={() => void save()}>
      Download rejected rows
    </Button>
  );
}

/**
 * Downloads the rejected rows of a file, each with its reason. The file is sent again, because the server does not
 * store it.
 * @throws ApiError with the server's status
 */
async function saveRejected(path: string, file: File): Promise<void> {
  const [sent] = (await sendToBucket([file])) ?? [];
  const form = new FormData();
  if (!sent) form.append('file', file);
  const response = await fetch(path, {
    method: 'POST',
    headers: { ...accountHeaders(), ...(sent && { 'Content-Type': 'application/json' }) },
    body: sent ? JSON.stringify(sent) : form,
  }).catch(() => null);
  const rows = response?.ok ? await response.blob().catch(() => null) : null;
  if (!rows) throw new ApiError(response?.ok ? 0 : (response?.status ?? 0), '');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(rows);
  link.download = `rejected-${file.name}`;
  link.click();
  // The browser reads the URL after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

type ImportStep =
  | { name: 'choose' }
  | { name: 'sending'; purpose: 'check' | 'import'; share: number }
  | { name: 'checked'; check: ImportCheck; key: string }
  | { name: 'done'; result: UploadResult };

/**
 * Runs the steps of an import: choose, check, import, summary. Each step sends the file again, so that the server keeps
 * no state and any instance can respond. An import keeps its Idempotency-Key until the next check, so that a retry
 * after a lost response does not import twice.
 * @param failure the screen's message; status 0: no response
 * @param onRefused called first with every error; it may redirect
 */
function useImport(
  endpoint: ImportEndpoint,
  failure: UploadCsvProps['failure'],
  onRefused: UploadCsvProps['onRefused'],
) {
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [step, setStep] = useState<ImportStep>({ name: 'choose' });
  /** The mapping sent with the last check and the user's changes since; null for none. */
  const [choices, setChoices] = useState<Choices>({});
  const [edited, setEdited] = useState<Choices | null>(null);
  const [error, setError] = useState<string | null>(null);
  const sending = useRef<AbortController>(null);
  const hasImported = useRef(false);
  useEffect(() => () => sending.current?.abort(), []);
  // With the dialog closed: a page that is refreshed below it may remove the dialog, and with it the summary.
  useEffect(
    () => () => {
      if (hasImported.current) router.refresh();
    },
    [router],
  );

  /** @returns null when the request failed or was canceled; the screen then returns to the step `back` */
  const send = async <T,>(
    purpose: 'check' | 'import',
    back: ImportStep,
    call: (options: SendFile) => Promise<T>,
  ): Promise<T | null> => {
    const controller = new AbortController();
    sending.current?.abort();
    sending.current = controller;
    setError(null);
    setStep({ name: 'sending', purpose, share: 0 });
    try {
      return await call({
        signal: controller.signal,
        onProgress: (share) => setStep({ name: 'sending', purpose, share }),
      }).catch(onRefused);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (sending.current !== controller) return null;
      setStep(back);
      if (!controller.signal.aborted) setError(failure(cause.status, cause.message));
      return null;
    }
  };

  const check = async (chosen: File, how: Choices, back: ImportStep) => {
    const found = await send('check', back, (options) => endpoint.check(chosen, columnsParam(how), options));
    if (!found) return;
    setChoices(how);
    setEdited(null);
    setStep({ name: 'checked', check: found, key: newIdempotencyKey() });
  };

  const reset = () => {
    sending.current?.abort();
    sending.current = null;
    setFile(null);
    setChoices({});
    setEdited(null);
    setError(null);
    setStep({ name: 'choose' });
  };

  return {
    file,
    step,
    choices,
    edited,
    edit: setEdited,
    error,
    reset,
    fail: setError,
    cancel: () => sending.current?.abort(),
    choose: (chosen: File | null) => {
      setFile(chosen);
      setChoices({});
      setError(null);
      if (!chosen) return;
      if (!endpoint.accept && !/\.csv$/i.test(chosen.name)) setError(failure(400, 'Choose a .csv file.'));
      else if (chosen.size > endpoint.megabytes * 1_000_000)
        setError(failure(413, `The file is larger than ${endpoint.megabytes} MB.`));
      else void check(chosen, {}, { name: 'choose' });
    },
    checkAgain: () => {
      if (file && edited) void check(file, edited, step);
    },
    commit: async () => {
      if (!file || step.name !== 'checked') return;
      const { key } = step;
      const result = await send('import', step, (options) =>
        endpoint.commit(file, columnsParam(choices), { ...options, headers: { 'Idempotency-Key': key } }),
      );
      if (!result) return;
      setStep({ name: 'done', result });
      hasImported.current = true;
    },
  };
}
