import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';
import { Icon } from './icon';

type InputProps = Omit<ComponentProps<'input'>, 'size'> & {
  /** Shown inside the field before the text, e.g. a currency sign or an icon. */
  leading?: ReactNode;
  /** Shown inside the field after the text, e.g. a unit. */
  trailing?: ReactNode;
  size?: 'sm' | 'md';
};

export function Input({ leading, trailing, size = 'md', className, ...rest }: InputProps) {
  const control = cn(
    'control',
    size === 'sm' && 'control-sm',
    Boolean(leading) && 'pl-8',
    Boolean(trailing) && 'pr-12',
  );
  if (!leading && !trailing) return <input {...rest} className={cn(control, className)} />;
  const inset = 'pointer-events-none absolute inset-y-0 flex items-center text-sm text-subtle';
  return (
    <span className={cn('relative block', className)}>
      {leading ? <span className={cn(inset, 'left-3')}>{leading}</span> : null}
      <input {...rest} className={control} />
      {trailing ? <span className={cn(inset, 'right-3')}>{trailing}</span> : null}
    </span>
  );
}

/** The options of a select: a list, in which a text is its own label, or the labels by value. */
export type SelectOptions =
  | readonly (string | { value: string; label: string; disabled?: boolean })[]
  | Readonly<Record<string, string>>;

const isList = (options: SelectOptions): options is Extract<SelectOptions, readonly unknown[]> =>
  Array.isArray(options);

/** Lists the values and labels of options. */
export function listOptions(options: SelectOptions): { value: string; label: string; disabled?: boolean }[] {
  if (!isList(options)) return Object.entries(options).map(([value, label]) => ({ value, label }));
  return options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option));
}

type SelectProps = Omit<ComponentProps<'select'>, 'size' | 'multiple'> & {
  size?: 'sm' | 'md';
  options?: SelectOptions;
  /** The empty first option, e.g. "Choose a country". Without it the first option is selected. */
  placeholder?: string;
};

/**
 * Renders a styled native select: it opens the platform's picker on phones, supports type-ahead, and needs no
 * JavaScript.
 */
export function Select({ size = 'md', className, options = [], placeholder, children, ...rest }: SelectProps) {
  return (
    <span className={cn('relative block', className)}>
      <select {...rest} className={cn('control appearance-none truncate pr-8', size === 'sm' && 'control-sm')}>
        {placeholder ? <option value="">{placeholder}</option> : null}
        {listOptions(options).map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
        {children}
      </select>
      <Icon name="chevron-down" className="select-arrow" />
    </span>
  );
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  /** The text beside the box; without it pass an aria-label. */
  label?: ReactNode;
};

/** Renders a native checkbox styled with the design tokens. The whole label is clickable, at least 24 px high. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={cn('inline-flex min-h-6 min-w-6 items-start gap-2 leading-6', className)}>
      <input {...rest} type="checkbox" className="checkbox" />
      {label ? <span className="min-w-0">{label}</span> : null}
    </label>
  );
}
