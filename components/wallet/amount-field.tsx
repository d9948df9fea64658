import { type ComponentProps, useEffect, useRef } from 'react';
import type { FieldProps } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import { parseMoney, toDecimalString } from '@/lib/money';

/** Returns the error for an amount in the wrong format; undefined for a valid one. */
export function getAmountError(typed: string): string | undefined {
  if (typed.trim() === '' || parseMoney(typed) !== null) return undefined;
  if (/^-?[\d.,\s]*,[\d.,\s]*$/.test(typed.trim())) return 'Enter the amount without a comma, e.g. 1250.50.';
  return /^-?\d*\.?\d*$/.test(typed.trim()) && /\d/.test(typed)
    ? 'This amount is too large.'
    : 'Enter an amount in digits, e.g. 12.50.';
}

/** Quick amounts in USD. */
const quickAmounts = [25, 50, 100, 250];

type AmountFieldProps = {
  /** The input text, in major units. */
  value: string;
  error: string | undefined;
  disabled: boolean;
  /** The step of the spin buttons. */
  step: '0.01' | '1';
  onChange: (value: string) => void;
};

/**
 * Renders the amount of a top-up, rounded to cents on blur, with buttons that add to it. An error moves the focus to
 * it.
 */
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
    /** The input text. */
    value: string;
    currency?: string;
  };

/**
 * Renders an amount in major units ("12.50") with its currency. The caller converts it to cents (parseMoney). A text
 * field, because a number field drops characters it does not accept: "12,5" would become 125. `min` and `step` are
 * hints that the caller validates; this field reports an amount in the wrong format.
 */
export function MoneyField({ currency = 'USD', ...props }: MoneyFieldProps) {
  const { label, hint, error, aside, required, className, ...input } = props;
  const complaint = getAmountError(input.value) ?? error;
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
