'use client';

import { useEffect, useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { countOf } from '@/components/ui/format';
import { ApiError } from '@/lib/browser/api-client';
import { formatMoney } from '@/lib/money';
import type { OwnBulkOutcome } from '@/lib/sites/own-bulk/schemas';
import { describeOutcome, listReasons } from './send-change';

type ChangePreviewProps = {
  outcome: OwnBulkOutcome;
  save: () => Promise<OwnBulkOutcome>;
  /** Makes the preview again. */
  refresh: () => Promise<void>;
  onBack: () => void;
  onSaved: () => void;
};

/** Renders what a change does to the selected sites, before it is saved. */
export function ChangePreview({ outcome, save, refresh, onBack, onSaved }: ChangePreviewProps) {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => summary.current?.focus(), []);
  const { count, changed, review, rejected, samples } = outcome;
  const unchanged = count - changed - rejected.length;
  const confirm = async () => {
    setPending(true);
    setError(null);
    try {
      describeOutcome(await save(), 'changed');
      onSaved();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'The server didn’t respond. Please try again.');
      if (cause.status === 409) await refresh().catch(() => undefined);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <DialogBody className="grid content-start gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        <p ref={summary} tabIndex={-1} className="text-ink text-sm outline-none">
          {changed === 0
            ? 'Nothing changes.'
            : `${countOf(changed, 'site')} of ${count.toLocaleString('en-US')} will change.`}
          {unchanged > 0
            ? ` ${countOf(unchanged, 'site')} ${unchanged === 1 ? 'has' : 'have'} this value already.`
            : null}
        </p>
        {review > 0 ? (
          <Alert tone="warning" title={`${countOf(review, 'site')} will return to review`}>
            Buyers cannot order {review === 1 ? 'it' : 'them'} until we have approved the change. Running orders go on.
          </Alert>
        ) : null}
        {rejected.length > 0 ? (
          <Alert tone="warning" title={`${countOf(rejected.length, 'site')} cannot be changed`}>
            <ul className="grid gap-0.5">
              {listReasons(rejected).map(({ reason, sites }) => (
                <li key={reason}>
                  {countOf(sites, 'site')}: {reason}
                </li>
              ))}
            </ul>
          </Alert>
        ) : null}
        {samples.length > 0 ? <Samples samples={samples} changed={changed} /> : null}
      </DialogBody>
      <DialogFooter>
        <Button disabled={pending} onClick={onBack}>
          Back
        </Button>
        {changed > 0 ? (
          <Button variant="primary" pending={pending} onClick={() => void confirm()}>
            Change {countOf(changed, 'site')}
          </Button>
        ) : null}
      </DialogFooter>
    </>
  );
}

function Samples({ samples, changed }: { samples: OwnBulkOutcome['samples']; changed: number }) {
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="pb-1 text-left text-muted text-xs">
        {changed > samples.length
          ? `The first ${samples.length} of ${changed.toLocaleString('en-US')} sites`
          : 'The sites that change'}
      </caption>
      <thead className="text-left text-subtle text-xs">
        <tr>
          <th scope="col" className="py-1 pr-2 font-medium">
            Site
          </th>
          <th scope="col" className="py-1 pr-2 font-medium">
            Now
          </th>
          <th scope="col" className="py-1 font-medium">
            New
          </th>
        </tr>
      </thead>
      <tbody>
        {samples.map(({ id, name, currency, before, after }) => (
          <tr key={id} className="border-line border-t">
            <td className="truncate py-1.5 pr-2 text-ink" data-tooltip={name}>
              {name}
            </td>
            <td className="py-1.5 pr-2 text-muted">{describeValues(before, currency)}</td>
            <td className="py-1.5 text-ink">{describeValues(after, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Describes the values of a change: "$120.00, Pending". */
const describeValues = (
  { priceCents, turnaround, language, niche, status }: OwnBulkOutcome['samples'][number]['after'],
  currency: string,
) =>
  [
    priceCents === undefined ? '' : priceCents === null ? '–' : formatMoney(priceCents, currency),
    turnaround?.toLowerCase(),
    language,
    niche,
    status,
  ]
    .filter(Boolean)
    .join(', ');
