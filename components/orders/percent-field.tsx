import { type ReactNode, useState } from 'react';
import { type FilledField, TextField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { parsePercent } from '@/lib/orders/placements/shares';

type PercentFieldProps = FilledField & {
  className?: string;
  /** @param percent the typed share; null where it is not a whole number from 0 to 100 */
  children: (percent: number | null) => ReactNode;
};

/** Renders the share of the price that returns to the buyer, with a preview that follows it. */
export function PercentField({ children, ...field }: PercentFieldProps) {
  const [typed, setTyped] = useState('50');
  return (
    <>
      <TextField
        {...field}
        required
        type="number"
        min={0}
        max={100}
        defaultValue={undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {children(parsePercent(typed))}
    </>
  );
}

/** Checks the field `buyerPercent`. */
export const percentErrors = (text: string): FieldErrors =>
  parsePercent(text) === null ? { buyerPercent: 'Enter a whole number from 0 to 100.' } : {};
