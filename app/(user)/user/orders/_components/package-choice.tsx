import { useId } from 'react';
import { FieldError } from '@/components/ui/field';
import { Money } from '@/components/ui/money';
import { type Currency, walletCurrency } from '@/lib/money';

export type OfferedPackage = {
  id: number;
  name: string;
  description: string;
  /** Of one, in minor units of `currency`. */
  priceCents: number;
  currency: Currency;
  /** What the wallet pays for one. */
  usdCents: number;
  usdMicrosPerUnit: number;
};

type PackageChoiceProps = {
  packages: readonly OfferedPackage[];
  /** The chosen package's id. */
  value: number | null;
  error: string | undefined;
  onChange: (id: number) => void;
};

/** Every package on sale, one of which is chosen. */
export function PackageChoice({ packages, value, error, onChange }: PackageChoiceProps) {
  const errorId = useId();
  return (
    <fieldset className="grid min-w-0 gap-1.5" {...(error && { 'aria-describedby': errorId })}>
      <legend className="mb-1.5 font-medium text-ink text-sm">
        Package
        <span aria-hidden="true" className="text-red-ink">
          {' *'}
        </span>
      </legend>
      {packages.map((one) => (
        <label
          key={one.id}
          className="flex cursor-pointer items-start gap-3 rounded-lg border border-line px-4 py-3 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="packageId"
            value={one.id}
            required
            aria-invalid={error ? true : undefined}
            checked={one.id === value}
            onChange={() => onChange(one.id)}
            className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
          />
          <span className="mr-auto min-w-0">
            <span className="block wrap-anywhere font-medium text-ink text-sm">{one.name}</span>
            {one.description ? (
              <span className="mt-0.5 block whitespace-pre-line wrap-anywhere text-muted text-sm">
                {one.description}
              </span>
            ) : null}
          </span>
          <span className="shrink-0 text-right text-sm">
            <Money amountMinor={one.usdCents} className="font-medium text-ink" />
            {one.currency === walletCurrency ? null : (
              <Money amountMinor={one.priceCents} currency={one.currency} className="block text-muted text-xs" />
            )}
          </span>
        </label>
      ))}
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </fieldset>
  );
}
