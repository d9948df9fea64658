'use client';

import { type ComponentProps, type ReactNode, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Input } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import { parseMoney, toDecimalString } from '@/lib/money';
import { type NumberField as ParsedField, parseField } from '@/lib/platform/parse-number';

/** The props of every form field besides those of its control. */
export type FieldProps = { label: ReactNode; hint?: ReactNode; error?: string; aside?: ReactNode };

export type NumberFieldProps = Omit<ComponentProps<typeof Input>, 'id'> &
  FieldProps & {
    name: string;
    /** The currency of an amount. */
    currency?: string | undefined;
    /** The field of the same form that names the currency of an amount; `currency` applies while it names none. */
    currencyField?: string | undefined;
  };

/**
 * Renders a number input that understands what a person types or pastes: "120,50", "12.5k", "$120", "2%". A browser's
 * number input drops such characters, so that "120,50" becomes 12050. With the first of them, this input becomes a text
 * input, which shows everything typed; when it is left or submitted, it becomes a number input with the number that
 * `parseField` reads. A text that is no number stays, with an error that quotes it.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, hint, error, aside, required, className, currency, currencyField, ...input } = props;
  const { ref, onBlur, onChange, onKeyDown, ...rest } = input;
  const kind = currency || currencyField ? 'money' : isWhole(input.step) ? 'count' : 'score';
  const typed = useTypedNumber(
    {
      label: typeof label === 'string' ? label : '',
      kind,
      // The form says why an amount is too small or too large.
      ...(kind !== 'money' && input.min !== undefined && { min: Number(input.min) }),
      ...(kind !== 'money' && input.max !== undefined && { max: Number(input.max) }),
      ...(currency !== undefined && { currency }),
    },
    // A form whose fields the server reads sends an ambiguous amount as it is, and the server refuses it.
    { currencyField, style: input.value === undefined ? 'typed' : 'point' },
  );
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => typed.ref.current);
  const isCurrent = input.value === undefined || String(input.value) === typed.refused?.text;
  const reason = isCurrent ? typed.refused?.reason : undefined;
  const shown = typed.isText ? (reason ?? error) : (error ?? reason);
  return (
    <Field label={label} hint={hint} error={shown} aside={aside} required={required} className={className}>
      {(control) => (
        <Input
          autoComplete="off"
          inputMode={isWhole(input.step) ? 'numeric' : 'decimal'}
          {...rest}
          {...control}
          ref={typed.ref}
          type={typed.isText ? 'text' : 'number'}
          role={typed.isText ? 'spinbutton' : undefined}
          onChange={(event) => {
            typed.forget();
            onChange?.(event);
            const { nativeEvent } = event;
            if (nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertFromPaste') typed.settle();
          }}
          onBlur={(event) => {
            typed.settle();
            onBlur?.(event);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') typed.settle();
            onKeyDown?.(event);
          }}
          // A focused number input steps with the wheel, which changes an amount while the page is scrolled.
          onWheel={(event) => event.currentTarget.blur()}
        />
      )}
    </Field>
  );
}

const isWhole = (step: number | string | undefined) => step === undefined || Number.isInteger(Number(step));

/** Holds whether the input is a text, and why what it contains is refused. */
function useTypedNumber(
  field: ParsedField,
  { currencyField, style }: { currencyField: string | undefined; style: 'typed' | 'point' },
) {
  const ref = useRef<HTMLInputElement>(null);
  const [isText, setIsText] = useState(false);
  const [refused, setRefused] = useState<{ text: string; reason: string } | null>(null);

  /** @returns what a number input shows for a text; null where it is no number */
  const read = (input: HTMLInputElement, text: string): string | null => {
    const other = currencyField ? input.form?.elements.namedItem(currencyField) : null;
    const currency = (other instanceof HTMLSelectElement && other.value) || field.currency;
    const { decimal, reason } = parseField(text, { ...field, ...(currency !== undefined && { currency }) }, style);
    const cents = field.kind === 'money' && decimal !== null ? parseMoney(decimal) : null;
    const shown = cents === null ? decimal : toDecimalString(cents);
    setRefused(reason === undefined ? null : { text: shown ?? text, reason });
    return shown;
  };

  const settle = () => {
    const input = ref.current;
    const text = input?.value.trim() ?? '';
    if (!input || (text === '' && !isText)) return;
    const shown = text === '' ? '' : read(input, text);
    // Where 1.250 is 1.25, not 1250, the cents are shown.
    const hasMills = field.kind === 'money' && /\.\d{3}/.test(text);
    if (shown === null || !(isText || hasMills)) return;
    enter(input, shown);
    if (text !== '') read(input, text);
    flushSync(() => setIsText(false));
  };

  useEffect(() => {
    const input = ref.current;
    if (!input) return;
    const onBeforeInput = (event: InputEvent) => {
      const added = event.data ?? '';
      if (event.isComposing || input.type !== 'number' || /^\d*$/.test(added)) return;
      // A number has a point of its own.
      if (added === '.' && !isWhole(input.step) && !input.value.includes('.')) return;
      event.preventDefault();
      const { text, caret } = insert(input, added);
      const isPasted = event.inputType === 'insertFromPaste' || event.inputType === 'insertFromDrop';
      const shown = isPasted ? read(input, text) : null;
      if (shown !== null) {
        enter(input, shown);
        read(input, text);
        return;
      }
      flushSync(() => setIsText(true));
      enter(input, text);
      input.setSelectionRange(caret, caret);
      if (isPasted) read(input, text);
    };
    input.addEventListener('beforeinput', onBeforeInput);
    return () => input.removeEventListener('beforeinput', onBeforeInput);
  });

  return { ref, isText, refused, settle, forget: () => setRefused(null) };
}

/** Sets the value as typing does, so that React and the form see an input event. */
function enter(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Returns the text of a number input with `typed` inserted at its caret, in place of what is selected. A number input does
 * not tell its caret, so a digit that the value does not have is inserted there and found.
 */
function insert(input: HTMLInputElement, typed: string): { text: string; caret: number } {
  const before = input.value;
  const mark = [...'0123456789'].find((digit) => !before.includes(digit));
  const stop = (event: Event) => event.stopImmediatePropagation();
  window.addEventListener('beforeinput', stop, { capture: true });
  window.addEventListener('input', stop, { capture: true });
  if (mark !== undefined) document.execCommand('insertText', false, mark);
  window.removeEventListener('beforeinput', stop, { capture: true });
  window.removeEventListener('input', stop, { capture: true });
  const at = mark === undefined ? -1 : input.value.indexOf(mark);
  if (at === -1) return { text: before + typed, caret: before.length + typed.length };
  return { text: input.value.slice(0, at) + typed + input.value.slice(at + 1), caret: at + typed.length };
}
