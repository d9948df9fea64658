'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, SelectField, TextareaField, TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { UploadCsv } from '@/components/sites/upload-csv';
import {
  createRowSelection,
  PageCheckbox,
  RowCheckbox,
  SelectionBar,
  useSelectedIds,
} from '@/components/table/row-selection';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { type RejectionReason, rejectionReasons } from '@/db/enums';
import { ApiError, callAction, saveFailure } from '@/lib/browser/api-client';
import { bulkSitesAction } from '@/lib/sites/actions';
import { rejectionReasonOptions } from '@/lib/sites/rejection-reasons';

type Change = Parameters<typeof bulkSitesAction>[0]['change'];

const done = { approve: 'approved', reject: 'rejected', delete: 'deleted', price: 'priced' } as const;
const count = (sites: number) => (sites === 1 ? '1 site' : `${sites.toLocaleString('en-US')} sites`);

/** The bulk actions for the selected sites. Displayed at the bottom of the screen while sites are selected. */
export function BulkBar() {
  const router = useRouter();
  const ids = useSelectedIds(siteSelection);
  if (ids.length === 0) return null;

  const apply = async (change: Change) => {
    const outcome = await callAction(() => bulkSitesAction({ ids: [...ids], change }));
    const rest = [
      outcome.unchanged > 0 ? `${count(outcome.unchanged)} needed no change` : '',
      outcome.unpriced > 0 ? `${count(outcome.unpriced)} without a seller price skipped` : '',
    ].filter(Boolean);
    toast.success(`${count(outcome.changed)} ${done[change.kind]}.`, { description: rest.join('; ') || undefined });
    siteSelection.write([]);
    router.refresh();
  };
  /** @throws Error with the message that the dialog displays */
  const confirm = (kind: 'approve' | 'delete') => async () => {
    try {
      await apply({ kind });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const failed = kind === 'delete' ? 'Delete failed' : 'Save failed';
      throw new Error(`${failed} (HTTP ${cause.status}): ${cause.message || 'no response was received.'}`);
    }
  };

  return (
    <SelectionBar count={count(ids.length)} onClear={() => siteSelection.write([])}>
      <ConfirmDialog
        trigger={
          <Button size="sm" variant="ghost" className="text-red-ink">
            Delete
          </Button>
        }
        title={`Delete ${count(ids.length)}?`}
        description="They’re removed from every list. Existing orders won’t change."
        confirmLabel={`Delete ${count(ids.length)}`}
        onConfirm={confirm('delete')}
      />
      <RejectDialog sites={count(ids.length)} onReject={(reason, note) => apply({ kind: 'reject', reason, note })} />
      <MarginDialog sites={count(ids.length)} onPrice={(margin) => apply({ kind: 'price', margin })} />
      <ConfirmDialog
        trigger={
          <Button size="sm" variant="primary">
            Approve
          </Button>
        }
        title={`Approve ${count(ids.length)}?`}
        description="Sites with a public price go on sale immediately, the others once they have one."
        confirmLabel="Approve"
        tone="primary"
        onConfirm={confirm('approve')}
      />
    </SelectionBar>
  );
}

type RejectDialogProps = {
  /** The count with its noun, e.g. "3 sites". */
  sites: string;
  onReject: (reason: RejectionReason, note: string) => Promise<void>;
};

/** Rejects the selected sites for one reason. */
function RejectDialog({ sites, onReject }: RejectDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button size="sm">Reject</Button>}
      title={`Reject ${sites}?`}
      description="Hidden from buyers; sellers are notified."
      size="sm"
    >
      <RejectForm onReject={onReject} />
    </Dialog>
  );
}

function RejectForm({ onReject }: Pick<RejectDialogProps, 'onReject'>) {
  const chosen = (data: FormData) => rejectionReasons.find((known) => known === getFormText(data, 'change.reason'));
  const form = useApiForm({
    validate: (data): FieldErrors => (chosen(data) ? {} : { 'change.reason': 'Choose a reason.' }),
    submit: async (data) => {
      const reason = chosen(data);
      if (reason) await onReject(reason, getFormText(data, 'change.note')).catch(saveFailure);
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <DialogForm form={form} submitLabel="Reject">
      <RejectionFields
        reason={{ name: 'change.reason', error: form.fields['change.reason'] }}
        note={{ name: 'change.note', error: form.fields['change.note'] }}
      />
    </DialogForm>
  );
}

type MarginDialogProps = {
  /** The count with its noun, e.g. "3 sites". */
  sites: string;
  /** @param margin percentage, as typed */
  onPrice: (margin: string) => Promise<void>;
};

/** Sets the public prices of the selected sites to their seller prices plus a margin. */
function MarginDialog({ sites, onPrice }: MarginDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={<Button size="sm">Set price</Button>}
      title={`Price ${sites} by margin`}
      description="Public price = seller price plus the margin, rounded to the cent."
      size="sm"
    >
      <MarginForm onPrice={onPrice} />
    </Dialog>
  );
}

function MarginForm({ onPrice }: Pick<MarginDialogProps, 'onPrice'>) {
  const form = useApiForm({
    submit: (data) => onPrice(getFormText(data, 'change.margin')).catch(saveFailure),
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <DialogForm form={form} submitLabel="Set price">
      <TextField
        name="change.margin"
        label="Margin"
        hint="0 to 1,000 percent, with up to two decimals."
        inputMode="decimal"
        autoComplete="off"
        trailing="%"
        defaultValue="25"
        error={form.fields['change.margin']}
      />
    </DialogForm>
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

/** Why a site is rejected: a reason of the list, and words for the seller. */
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
      failure={(status, message) => message || `Upload failed (HTTP ${status})`}
    />
  );
}
