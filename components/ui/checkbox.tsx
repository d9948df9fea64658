import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  /** Beside the box; without it give an aria-label. */
  label?: ReactNode;
};

/** A native checkbox drawn with the tokens. The whole label is its target, at least 24 px high. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={cn('inline-flex min-h-6 min-w-6 items-start gap-2 leading-6', className)}>
      <input {...rest} type="checkbox" className="checkbox" />
      {label ? <span className="min-w-0">{label}</span> : null}
    </label>
  );
}
