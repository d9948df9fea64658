import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  /** The text beside the box; without it pass an aria-label. */
  label?: ReactNode;
};

/** A native checkbox styled with the design tokens. The whole label is clickable, at least 24 px high. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={cn('inline-flex min-h-6 min-w-6 items-start gap-2 leading-6', className)}>
      <input {...rest} type="checkbox" className="checkbox" />
      {label ? <span className="min-w-0">{label}</span> : null}
    </label>
  );
}
