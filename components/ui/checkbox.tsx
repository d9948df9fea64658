import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  /** Beside the box; without it give an aria-label. */
  label?: ReactNode;
};

/** A native checkbox drawn with the tokens. The whole label is its target, at least 24 px high. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={cn('inline-flex min-h-6 min-w-6 items-start gap-2 text-sm leading-6', className)}>
      <span className="relative mt-1 grid size-4 shrink-0 place-items-center">
        <input
          {...rest}
          type="checkbox"
          className="peer size-4 cursor-pointer appearance-none rounded-sm border border-control bg-surface transition-colors checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-red"
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute hidden size-3 text-on-accent peer-checked:block"
        />
      </span>
      {label ? <span className="min-w-0">{label}</span> : null}
    </label>
  );
}
