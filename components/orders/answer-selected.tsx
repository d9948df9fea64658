'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { type RowSelection, useSelectedIds } from '@/components/table/row-selection';
import { Alert } from '@/components/ui/alert';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { maxAnswered } from '@/lib/orders/order/amounts';
import type { OrderAnswer } from '@/lib/orders/order/answer-orders';

/** An order with the version of its placement that the list shows. */
export type Answerable = { id: number; version: number };

type Answer = {
  /** The address of the request for several orders. */
  path: string;
  body?: object;
  /** Returns the text of the toast for a number of answered orders. */
  summarize: (count: number) => string;
};

/**
 * Returns the selected orders, those that refused the last answer, and the function that answers the selected ones. An order
 * that was answered leaves the selection.
 */
export function useAnswerSelected(selection: RowSelection<number>, orders: readonly Answerable[]) {
  const selected = useSelectedIds(selection);
  const [refused, setRefused] = useState<readonly OrderAnswer[]>([]);
  const answerSome = async (ids: readonly number[], { path, body, summarize }: Answer) => {
    const versions = Object.fromEntries(
      orders.filter(({ id }) => ids.includes(id)).map(({ id, version }) => [id, version]),
    );
    const request = { method: 'POST', body: { ids, versions, ...body } };
    const { results } = await apiFetch<{ results: OrderAnswer[] }>(path, request).catch(redirectIfSignedOut);
    const done = new Set(results.flatMap(({ id, ok }) => (ok ? [id] : [])));
    setRefused((before) => [...before, ...results.filter(({ ok }) => !ok)]);
    selection.write(selection.read().filter((id) => !done.has(id)));
    if (done.size > 0) toast.success(summarize(done.size));
  };
  /** @throws ApiError for a request that failed; the orders before it are answered */
  const answer = async (how: Answer) => {
    setRefused([]);
    for (let start = 0; start < selected.length; start += maxAnswered)
      await answerSome(selected.slice(start, start + maxAnswered), how);
  };
  return { selected, refused: refused.filter(({ id }) => selected.includes(id)), answer };
}

/** Renders why selected orders were not answered. */
export function RefusedOrders({ label, refused }: { label: string; refused: readonly OrderAnswer[] }) {
  if (refused.length === 0) return null;
  return (
    <Alert tone="error" className="max-h-40 basis-full overflow-y-auto">
      <ul aria-label={label} className="grid gap-1">
        {refused.map(({ id, error }) => (
          <li key={id}>{error}</li>
        ))}
      </ul>
    </Alert>
  );
}
