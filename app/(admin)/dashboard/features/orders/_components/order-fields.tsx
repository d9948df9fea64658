import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import { TextareaField } from '@/components/form/textarea-field';
import type { AdminOrderView } from '@/lib/orders/views';
import { moneyNotice } from './money-notice';
import type { OrderEdit } from './order-edit';

type OrderFieldsProps = {
  base: AdminOrderView;
  edit: OrderEdit;
  /** Messages by field. */
  fields: Record<string, string>;
  statuses: readonly AdminOrderView['status'][];
  onChange: (changes: Partial<OrderEdit>) => void;
};

export function OrderFields({ base, edit, fields, statuses, onChange }: OrderFieldsProps) {
  return (
    <>
      <SelectField
        label="Status"
        name="status"
        value={edit.status}
        error={fields.status}
        hint={moneyNotice(base, edit.status)}
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
        hint="https:// is added when it is missing. A new link with the status left as it is makes the order Live."
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
