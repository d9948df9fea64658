import { SelectField, TextareaField } from '@/components/form/fields';
import { rejectionReasonOptions } from '@/lib/sites/rejection-reasons';

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
