'use client';

import Link from 'next/link';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText, SelectField, TextareaField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { UploadCsv } from '@/components/sites/upload-csv';
import {
  createRowSelection,
  PageCheckbox,
  RowCheckbox,
  SelectionBar,
  useSelectedIds,
} from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { rejectionReasons } from '@/db/enums';
import { ApiError, callAction, httpFailure, saveFailure } from '@/lib/browser/api-client';
import { bulkSitesAction } from '@/lib/sites/actions';
import { rejectionReasonOptions } from '@/lib/sites/rejection-reasons';
import { ApplyRulesDialog } from './apply-rules-dialog';

type Change = Parameters<typeof bulkSitesAction>[0]['change'];

const done = { approve: 'approved', reject: 'rejected', delete: 'deleted', price: 'priced' } as const;
const count = (sites: number) => (sites === 1 ? '1 site' : `${sites.toLocaleString('en-US')} sites`);

/** Renders the bulk actions for the selected sites. Displayed at the bottom of the screen while sites are selected. */
export function BulkBar() {
  const ids = useSelectedIds(siteSelection);
  if (ids.length === 0) return null;

  const apply = async (change: Change) => {
    const outcome = await callAction(() => bulkSitesAction({ ids: [...ids], change }));
    const rest = [
      outcome.unchanged > 0 ? `${count(outcome.unchanged)} needed no change` : '',
      outcome.unpriced > 0 ? `${count(outcome.unpriced)} without a seller price skipped` : '',
      outcome.awaitingPrice > 0 ? `${count(outcome.awaitingPrice)} go on sale once they have a public price` : '',
    ].filter(Boolean);
    toast.success(`${count(outcome.changed)} ${done[change.kind]}.`, { description: rest.join('; ') || undefined });
    siteSelection.write([]);
  };
  /** @throws Error with the message that the dialog displays */
  const confirm = (kind: 'approve' | 'delete') => async () => {
    try {
      await apply({ kind });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const failed = kind === 'delete' ? 'Delete failed' : 'Save failed';
      throw new Error(httpFailure(failed, cause));
    }
  };

  return (
    <SelectionBar count={count(ids.length)} onClear={() => siteSelection.write([])}>
      <ConfirmAction
        trigger={
          <Button size="sm" variant="ghost" className="text-red-ink">
            Delete
          </Button>
        }
        title={`Delete ${count(ids.length)}?`}
        description="They’re removed from every list. Existing orders won’t change."
        confirmLabel={`Delete ${count(ids.length)}`}
        action={confirm('delete')}
      />
      <RejectDialog sites={count(ids.length)} apply={apply} />
      <MarginDialog sites={count(ids.length)} apply={apply} />
      <ApplyRulesDialog ids={ids} onDone={() => siteSelection.write([])} />
      <ConfirmAction
        trigger={
          <Button size="sm" variant="primary">
            Approve
          </Button>
        }
        title={`Approve ${count(ids.length)}?`}
        description="Sites without a public price get one by the commission rules. Where no rule applies, a site goes on sale once it has a price."
        confirmLabel="Approve"
        tone="primary"
        action={confirm('approve')}
      />
    </SelectionBar>
  );
}

const chosenReason = (data: FormData) => rejectionReasons.find((known) => known === getFormText(data, 'change.reason'));

const saveFailed = (status: number) => `Save failed (HTTP ${status})`;

type BulkDialogProps = {
  /** The count with its noun, e.g. "3 sites". */
  sites: string;
  apply: (change: Change) => Promise<void>;
};

/** Rejects the selected sites for one reason. */
function RejectDialog({ sites, apply }: BulkDialogProps) {
  return (
    <FormDialog
      trigger={<Button size="sm">Reject</Button>}
      title={`Reject ${sites}?`}
      description="Hidden from buyers; sellers are notified."
      size="sm"
      validate={(data): FieldErrors => (chosenReason(data) ? {} : { 'change.reason': 'Choose a reason.' })}
      submitLabel="Reject"
      submit={async (data) => {
        const reason = chosenReason(data);
        if (reason) await apply({ kind: 'reject', reason, note: getFormText(data, 'change.note') }).catch(saveFailure);
      }}
      fallback={saveFailed}
    >
      {(errors) => (
        <RejectionFields
          reason={{ name: 'change.reason', error: errors['change.reason'] }}
          note={{ name: 'change.note', error: errors['change.note'] }}
        />
      )}
    </FormDialog>
  );
}

/** Sets the public prices of the selected sites to their seller prices plus a margin. */
function MarginDialog({ sites, apply }: BulkDialogProps) {
  return (
    <FormDialog
      trigger={<Button size="sm">Set price</Button>}
      title={`Price ${sites} by margin`}
      description="Public price = seller price plus the margin, rounded to the cent."
      size="sm"
      fields={[
        {
          name: 'change.margin',
          label: 'Margin',
          hint: '0 to 1,000 percent, with up to two decimals.',
          type: 'number',
          min: 0,
          max: 1_000,
          step: '0.01',
          trailing: '%',
          defaultValue: '25',
        },
      ]}
      submitLabel="Set price"
      submit={(data) => apply({ kind: 'price', margin: getFormText(data, 'change.margin') }).catch(saveFailure)}
      fallback={saveFailed}
    />
  );
}

/** The selected sites. */
export const siteSelection = createRowSelection<number>();

export const SiteCheckbox = ({ id, name }: { id: number; name: string }) => (
  <RowCheckbox selection={siteSelection} id={id} label={`Select ${name}`} />
);

/** Selects all sites of the page. */
export const SitesCheckbox = ({ ids }: { ids: readonly number[] }) => (
  <PageCheckbox selection={siteSelection} ids={ids} label="Select every site on this page" />
);

type RejectionField = { name: string; value?: string | undefined; error: string | undefined };

/** Renders the fields of why a site is rejected: a reason of the list, and words for the seller. */
export function RejectionFields({ reason, note }: { reason: RejectionField; note: RejectionField }) {
  return (
    <div className="grid gap-4">
      <SelectField
        name={reason.name}
        label="Reason"
        defaultValue={reason.value ?? ''}
        placeholder="Choose a reason"
        options={rejectionReasonOptions}
        hint="The seller sees it, with what to change."
        error={reason.error}
      />
      <TextareaField
        name={note.name}
        label="Note to the seller"
        defaultValue={note.value ?? ''}
        rows={3}
        maxLength={1_000}
        hint="What exactly to change. Sent to the seller by email."
        error={note.error}
      />
    </div>
  );
}

export function UploadSites() {
  return (
    <UploadCsv
      path="/api/guest-posts/upload"
      templateHref="/dashboard/features/guest-posts/template"
      success="CSV uploaded."
      newNiches={
        <>
          Buyers can filter by new niches once you accept them in{' '}
          <Link prefetch={false} href="/dashboard/features/niches-types" className="rounded-sm underline">
            Niches & Types
          </Link>
          .
        </>
      }
      failure={(status, message) => message || `Upload failed (HTTP ${status})`}
    />
  );
}
