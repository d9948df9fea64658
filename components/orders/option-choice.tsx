'use client';

import { Checkbox } from '@/components/ui/controls';
import { FieldError } from '@/components/ui/field';
import { formatUsd } from '@/lib/money';
import type { OfferedOption } from '@/lib/orders/options/contract';
import { priceOffered, toggleOption } from '@/lib/orders/options/offered-price';
import { nameOption } from '@/lib/sites/options/names';

type OptionChoiceProps = {
  /** The accessible name of the group. */
  legend: string;
  offered: readonly OfferedOption[];
  ids: readonly string[];
  /** The words of the article; null for an unknown number. */
  words: number | null;
  /** Who writes the article. */
  writer: string;
  error?: string | undefined;
  disabled?: boolean;
  onChange: (ids: string[]) => void;
};

/** Renders the options of a site with their prices. One guarantee, one mention and one article can be chosen. */
export function OptionChoice(props: OptionChoiceProps) {
  const { legend, offered, ids, words, writer, error, disabled = false, onChange } = props;
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{legend}</legend>
      <ul className="grid gap-1 text-sm">
        {offered.map((option) => {
          const isRefused = option.isRefused === true;
          const isForPublisher = option.kind === 'writing' && writer !== 'seller';
          const isChosen = ids.includes(option.id);
          return (
            <li key={option.id} className="flex items-start justify-between gap-3">
              <Checkbox
                label={
                  <span className="wrap-anywhere text-ink">
                    {nameOption(option)}
                    <span className="block text-muted text-xs empty:hidden">
                      {isForPublisher
                        ? 'Only for an article that the publisher writes.'
                        : describeOption(option, words)}
                    </span>
                  </span>
                }
                checked={isChosen}
                disabled={disabled || (!isChosen && (isRefused || isForPublisher))}
                onChange={() => onChange(toggleOption(offered, ids, option.id))}
              />
              <span className="shrink-0 text-ink leading-6 tabular-nums">
                {isRefused ? (
                  <span className="text-muted">Not accepted</span>
                ) : (
                  `+${formatUsd(priceOffered(option, words))}`
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {error ? (
        <div role="alert" className="mt-1.5">
          <FieldError>{error}</FieldError>
        </div>
      ) : null}
    </fieldset>
  );
}

function describeOption({ kind, surchargeCents, minimumCents = 0 }: OfferedOption, words: number | null): string {
  if (kind === 'guarantee') return 'Replaces the guarantee that every order has.';
  if (kind !== 'writing' || surchargeCents === null) return '';
  const least = minimumCents > 0 ? `, at least ${formatUsd(minimumCents)}` : '';
  const length = words === null ? ' Enter the number of words.' : '';
  return `${formatUsd(surchargeCents)} for 100 words${least}.${length}`;
}
