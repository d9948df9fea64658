'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { ImportProblems } from '@/components/sites/import-report';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { FileDrop } from '@/components/ui/file-drop';
import { formatBytes } from '@/components/ui/format';
import { Progress } from '@/components/ui/progress';
import { ApiError, redirectIfSignedOut } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import type { LinkedDomainsImport } from '@/lib/projects/linked-domains/contract';
import { formatNames } from './linked-words';

type Step =
  | { name: 'choose' }
  | { name: 'sending'; purpose: 'check' | 'import'; share: number }
  | { name: 'checked' | 'done'; found: LinkedDomainsImport };

type LinkedImportProps = {
  path: string;
  /** The server's limit, checked before the upload. */
  maxBytes: number;
  onClose: () => void;
};

/** Renders the content of the import dialog: choose a file, preview what it says, import it, summary. */
export function LinkedImportSteps({ path, maxBytes, onClose }: LinkedImportProps) {
  const { file, step, error, choose, commit, cancel, reset } = useLinkedImport(path, maxBytes);
  return (
    <>
      <DialogBody className="grid content-start gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        {step.name === 'choose' ? (
          <>
            <FileDrop
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              aria-label="File of links"
              prompt="Choose a file or drop it here"
              limits={`CSV or text, up to ${formatBytes(maxBytes)}`}
              onFile={choose}
            />
            <ul className="grid list-disc gap-1 pl-5 text-muted text-sm">
              <li>Search Console: Links → Top linking sites or Latest links → Export as CSV</li>
              <li>Ahrefs: Backlinks, Referring domains or Anchors</li>
              <li>Semrush: Backlinks or Referring domains</li>
              <li>Majestic: Backlinks. Moz: Inbound links</li>
              <li>A list of your own: one domain or address a line</li>
            </ul>
          </>
        ) : null}
        {step.name === 'sending' && file ? <Sending file={file} {...step} /> : null}
        {step.name === 'checked' || step.name === 'done' ? (
          <>
            {step.name === 'done' ? <Alert tone="success">{describeImport(step.found)}</Alert> : null}
            <Findings found={step.found} file={file} />
          </>
        ) : null}
      </DialogBody>
      <DialogFooter>
        {step.name === 'choose' ? <Button onClick={onClose}>Cancel</Button> : null}
        {step.name === 'sending' ? <Button onClick={cancel}>Cancel</Button> : null}
        {step.name === 'checked' ? (
          <>
            <Button onClick={reset}>Choose another file</Button>
            <Button variant="primary" disabled={isEmpty(step.found)} onClick={() => void commit()}>
              {importLabel(step.found)}
            </Button>
          </>
        ) : null}
        {step.name === 'done' ? (
          <>
            <Button onClick={reset}>Import another file</Button>
            <Button variant="primary" onClick={onClose}>
              OK
            </Button>
          </>
        ) : null}
      </DialogFooter>
    </>
  );
}

const isEmpty = ({ domains, anchors }: LinkedDomainsImport) => domains === 0 && anchors === 0;

const countOf = (count: number, one: string) => `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;

const importedThings = ({ domains, anchors }: LinkedDomainsImport) =>
  domains > 0 ? countOf(domains, 'domain') : `the anchors of ${countOf(anchors, 'link')}`;

const importLabel = (found: LinkedDomainsImport) =>
  isEmpty(found) ? 'Nothing to import' : `Import ${importedThings(found)}`;

const describeImport = (found: LinkedDomainsImport) => `Imported ${importedThings(found)}.`;

/** Renders what a file says: its format, its domains by state, and the rows that are skipped. */
function Findings({ found, file }: { found: LinkedDomainsImport; file: File | null }) {
  const { format, rows, domains, live, lost, unknown, anchors, skipped, moreSkipped } = found;
  const figures: [name: string, value: number][] =
    format === 'ahrefs_anchors'
      ? [['Links with an anchor', anchors]]
      : [
          ['Domains', domains],
          ['Link now', live],
          ['Linked before', lost],
          ['Not stated', unknown],
        ];
  return (
    <>
      <p className="wrap-anywhere text-muted text-sm">
        <span className="font-medium text-ink">{formatNames[format]}</span>
        {file ? `: ${file.name}, ${formatBytes(file.size)}` : ''}, {countOf(rows, 'row')}
      </p>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-flow-col sm:auto-cols-fr sm:grid-cols-none">
        {figures.map(([name, value]) => (
          <div key={name} className="min-w-0 bg-surface px-4 py-3">
            <dt className="truncate text-muted text-xs">{name}</dt>
            <dd className="mt-0.5 text-ink text-xl">{value.toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
      {anchors > 0 && format !== 'ahrefs_anchors' ? (
        <p className="text-muted text-sm">The anchors of {countOf(anchors, 'link')} count in the anchor plan.</p>
      ) : null}
      {skipped.length > 0 ? (
        <ImportProblems
          errors={skipped.map((problem) => ({ ...problem, column: '' }))}
          total={skipped.length + moreSkipped}
        />
      ) : null}
    </>
  );
}

function Sending({ file, purpose, share }: { file: File; purpose: 'check' | 'import'; share: number }) {
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

/** Runs the steps of an import. Each sends the file again, so that the server keeps no state. */
function useLinkedImport(path: string, maxBytes: number) {
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [step, setStep] = useState<Step>({ name: 'choose' });
  const [error, setError] = useState<string | null>(null);
  const sending = useRef<AbortController>(null);
  useEffect(() => () => sending.current?.abort(), []);

  /** @returns null when the request failed or was canceled; the screen then returns to the step `back` */
  const send = async (chosen: File, purpose: 'check' | 'import', back: Step) => {
    const controller = new AbortController();
    sending.current?.abort();
    sending.current = controller;
    setError(null);
    setStep({ name: 'sending', purpose, share: 0 });
    try {
      return await sendFile<LinkedDomainsImport>(`${path}?dryRun=${purpose === 'check' ? 1 : 0}`, chosen, {
        signal: controller.signal,
        onProgress: (share) => setStep({ name: 'sending', purpose, share }),
      }).catch(redirectIfSignedOut);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (sending.current !== controller) return null;
      setStep(back);
      if (!controller.signal.aborted) setError(cause.message || 'The file could not be sent. Try again.');
      return null;
    }
  };

  const reset = () => {
    sending.current?.abort();
    sending.current = null;
    setFile(null);
    setError(null);
    setStep({ name: 'choose' });
  };

  return {
    file,
    step,
    error,
    reset,
    cancel: () => sending.current?.abort(),
    choose: async (chosen: File | null) => {
      setFile(chosen);
      setError(null);
      if (!chosen) return;
      if (chosen.size > maxBytes) return setError(`The file is larger than ${formatBytes(maxBytes)}.`);
      const found = await send(chosen, 'check', { name: 'choose' });
      if (found) setStep({ name: 'checked', found });
    },
    commit: async () => {
      if (!file || step.name !== 'checked') return;
      const found = await send(file, 'import', step);
      if (!found) return;
      setStep({ name: 'done', found });
      router.refresh();
    },
  };
}
