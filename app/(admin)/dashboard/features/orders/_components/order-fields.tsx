'use client';

import { SelectField, TextareaField, TextField } from '@/components/form/fields';
import type { AdminOrderDetails } from '@/lib/orders/contract';
import { describeStatus, findObstacle } from './describe-status-change';
import type { OrderEdit } from './use-order-edit';

type OrderFieldsProps = {
  base: AdminOrderDetails;
  edit: OrderEdit;
  /** Error messages by field name. */
  fields: Record<string, string>;
  statuses: readonly AdminOrderDetails['status'][];
  /** Whether a file to upload is chosen. */
  hasFile: boolean;
  onChange: (changes: Partial<OrderEdit>) => void;
};

/** Renders the fields of the View / Edit dialog. */
export function OrderFields({ base, edit, fields, statuses, hasFile, onChange }: OrderFieldsProps) {
  const options = statuses.map((status) => {
    const obstacle = findObstacle(base, edit, status, hasFile);
    return { value: status, label: obstacle ? `${status} (${obstacle})` : status, disabled: obstacle !== undefined };
  });
  return (
    <>
      <SelectField
        label="Status"
        name="status"
        value={edit.status}
        error={fields.status}
        hint={describeStatus(base, edit, hasFile)}
        options={options}
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
