'use client';

import { OptionChoice } from '@/components/orders/option-choice';
import { parseWordCount, splitIds } from '@/lib/orders/options/offered-price';
import type { CartSnapshot } from './cart-editor';
import type { CartRow } from './cart-rows';
import { isUnavailable } from './cell-notes';

type CartOptionsProps = {
  snapshot: CartSnapshot;
  isReadOnly: boolean;
  onChange: (rows: readonly CartRow[]) => void;
};

/** Renders the options of the sites of a cart that offer some, below its table. */
export function CartOptions({ snapshot, isReadOnly, onChange }: CartOptionsProps) {
  const { rows } = snapshot.history;
  const offering = rows.flatMap((row) => {
    const item = snapshot.items.get(row.siteId);
    const isShown = item && !isUnavailable(item) && (item.options.length > 0 || row.brief.options !== '');
    return isShown ? [{ row, item }] : [];
  });
  if (offering.length === 0) return null;
  const choose = (siteId: number, ids: string[]) =>
    onChange(
      rows.map((row) => (row.siteId === siteId ? { ...row, brief: { ...row.brief, options: ids.join(',') } } : row)),
    );
  return (
    <section aria-label="Options" className="mt-4 rounded-lg border border-line bg-surface">
      <h3 className="border-line border-b px-4 py-3 text-ink text-sm">Options of the sites</h3>
      <ul className="divide-y divide-line">
        {offering.map(({ row: { siteId, brief }, item }) => {
          const problem = item.problems.find(({ field }) => field === 'options')?.message;
          const ids = splitIds(brief.options);
          const gone = ids.filter((id) => item.options.every((option) => option.id !== id));
          return (
            <li key={siteId} className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
              <p className="truncate font-medium text-ink text-sm">{item.name}</p>
              <OptionChoice
                legend={`Options, ${item.name}`}
                offered={item.options}
                ids={ids}
                words={parseWordCount(brief.words) ?? (item.words > 0 ? item.words : null)}
                writer={brief.writer}
                error={problem}
                disabled={isReadOnly}
                onChange={(next) => choose(siteId, next)}
              />
              {gone.length > 0 && !isReadOnly ? (
                <button
                  type="button"
                  className="justify-self-start rounded-sm text-accent-ink text-sm hover:underline"
                  onClick={() =>
                    choose(
                      siteId,
                      ids.filter((id) => !gone.includes(id)),
                    )
                  }
                >
                  Remove what is no longer offered
                </button>
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
