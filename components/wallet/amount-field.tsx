import { useEffect, useRef } from 'react';
import { NumberField, type NumberFieldProps } from '@/components/form/number-field';
import { Button } from '@/components/ui/button';
import { parseMoney, toDecimalString } from '@/lib/money';
import { parseField } from '@/lib/platform/parse-number';

/** Returns why a text is no amount; undefined for an amount, and for an empty text. */
export function getAmountError(typed: string, label: string): string | undefined {
  if (typed.trim() === '' || parseMoney(typed) !== null) return undefined;
  const { decimal, reason } = parseField(typed, { label, kind: 'money' });
  return reason ?? `Enter ${label} as ${decimal}.`;
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

type MoneyFieldProps = Omit<NumberFieldProps, 'type' | 'value' | 'leading' | 'trailing' | 'currencyField'> & {
  /** The input text. */
  value: string;
};

/** Renders an amount in major units ("12.50") with its currency. The caller converts it to cents (parseMoney). */
export function MoneyField({ currency = 'USD', min = '0.01', step = '0.01', ...props }: MoneyFieldProps) {
  return (
    <NumberField
      {...props}
      type="number"
      min={min}
      step={step}
      inputMode="decimal"
      currency={currency}
      leading={currency === 'USD' ? '$' : undefined}
      trailing={currency}
    />
  );
}
