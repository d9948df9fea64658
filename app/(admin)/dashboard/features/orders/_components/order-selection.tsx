'use client';

import { createRowSelection, PageCheckbox, RowCheckbox } from '@/components/table/row-selection';

/** The numbers of the selected orders. */
export const orderSelection = createRowSelection<number>();

export const OrderCheckbox = ({ id }: { id: number }) => (
  <RowCheckbox selection={orderSelection} id={id} label={`Select order #${id}`} />
);

/** Selects all orders of the page. */
export const OrdersCheckbox = ({ ids }: { ids: readonly number[] }) => (
  <PageCheckbox selection={orderSelection} ids={ids} label="Select every order on this page" />
);
