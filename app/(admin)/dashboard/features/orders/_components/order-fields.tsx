import { SelectField, TextareaField, TextField } from '@/components/form/fields';
import type { AdminOrderDetails } from '@/lib/orders/views';
import { describeStatus } from './describe-status';
import type { OrderEdit } from './order-edit';

type OrderFieldsProps = {
  base: AdminOrderDetails;
  edit: OrderEdit;
  /** Error messages by field name. */
  fields: Record<string, string>;
  statuses: readonly AdminOrderDetails['status'][];
  onChange: (changes: Partial<OrderEdit>) => void;
};

/** The fields of the View / Edit dialog. */
export function OrderFields({ base, edit, fields, statuses, onChange }: OrderFieldsProps) {
  return (
    <>
      <SelectField
        label="Status"
        name="status"
        value={edit.status}
        error={fields.status}
        hint={describeStatus(base, edit)}
        options={statuses.map((status) => ({ value: status, label: status }))}
        onChange={(event) => {
          const status = statuses.find((known) => known === event.target.value);
          if (status) onChange({ status });
        }}
      />
      <TextField
        label="Live link"
        name="linkUrl"
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="example.com/article"
        value={edit.linkUrl}
        error={fields.linkUrl}
        hint="https:// is added if missing. Adding a link sets the order Live, unless you change the status."
        onChange={(event) => onChange({ linkUrl: event.target.value })}
      />
      <TextareaField
        label="Comments to the buyer"
        name="adminComments"
        maxLength={5000}
        value={edit.adminComments}
        error={fields.adminComments}
        onChange={(event) => onChange({ adminComments: event.target.value })}
      />
    </>
  );
}
