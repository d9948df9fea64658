import { type ComponentProps, useEffect, useRef } from 'react';
import { parseMoney, toDecimalString } from '@/lib/money';
import { moneyComplaint } from '../form/money-complaint';
import type { FieldProps } from '../form/text-field';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

/** Spec 001, section 9. */
const quickAmounts = [25, 50, 100, 250];

type AmountFieldProps = {
  /** As typed, in major units. */
  value: string;
  error: string | undefined;
  disabled: boolean;
  /** Of the arrows beside the number. */
  step: '0.01' | '1';
  onChange: (value: string) => void;
};

/** An amount of a top-up, rounded to cents on leaving the field, with buttons that add to it. An error takes the focus. */
export function AmountField({ value, error, disabled, step, onChange }: AmountFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const cents = parseMoney(value);
  const add = (dollars: number) => onChange(toDecimalString(Math.max(cents ?? 0, 0) + dollars * 100));

  useEffect(() => {
    if (error) input.current?.focus();
  }, [error]);

  return (
    <div className="grid gap-2">
      <MoneyField
        ref={input}
        label="Amount"
        name="amount"
        min="1"
        step={step}
        placeholder="0.00"
        required
        disabled={disabled}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => cents !== null && onChange(toDecimalString(cents))}
      />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Add to the amount</legend>
        {quickAmounts.map((dollars) => (
          <Button key={dollars} size="sm" disabled={disabled} onClick={() => add(dollars)}>
            +{dollars}
          </Button>
        ))}
        <Button size="sm" variant="ghost" disabled={disabled || value === ''} onClick={() => onChange('')}>
          Clear
        </Button>
      </fieldset>
    </div>
  );
}

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
function MoneyField({ currency = 'USD', ...props }: MoneyFieldProps) {
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
