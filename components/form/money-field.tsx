import type { ComponentProps } from 'react';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import type { FieldProps } from './text-field';

type MoneyFieldProps = Omit<ComponentProps<typeof Input>, 'id' | 'type' | 'leading' | 'trailing'> &
  FieldProps & { name: string; currency?: string };

/** An amount in major units ("12.50"), the currency beside it. Whoever sends it turns it into cents (parseMoney). */
export function MoneyField({ currency = 'USD', ...props }: MoneyFieldProps) {
  const { label, hint, error, aside, required, className, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => (
        <Input
          inputMode="decimal"
          autoComplete="off"
          step="0.01"
          {...input}
          {...control}
          type="number"
          leading={currency === 'USD' ? '$' : undefined}
          trailing={currency}
        />
      )}
    </Field>
  );
}
