import type { ComponentProps } from 'react';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { moneyComplaint } from './money-complaint';
import type { FieldProps } from './text-field';

type MoneyFieldProps = Omit<ComponentProps<typeof Input>, 'id' | 'type' | 'value' | 'leading' | 'trailing'> &
  FieldProps & {
    name: string;
    /** As typed. */
    value: string;
    currency?: string;
  };

/**
 * An amount in major units ("12.50"), the currency beside it. Whoever sends it turns it into cents (parseMoney).
 * A text field, because a browser's number field leaves out what it does not understand: "12,5" would be 125. `min`
 * and `step` say what is expected, and whoever sends it checks them; what is no amount at all is told here.
 */
export function MoneyField({ currency = 'USD', ...props }: MoneyFieldProps) {
  const { label, hint, error, aside, required, className, ...input } = props;
  const complaint = moneyComplaint(input.value) ?? error;
  return (
    <Field label={label} hint={hint} error={complaint} aside={aside} required={required} className={className}>
      {(control) => (
        <Input
          autoComplete="off"
          step="0.01"
          {...input}
          {...control}
          type="text"
          inputMode="decimal"
          leading={currency === 'USD' ? '$' : undefined}
          trailing={currency}
        />
      )}
    </Field>
  );
}
