'use client';

import { type ReactNode, useId } from 'react';
import { cn } from './cn';

type SwitchProps = {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  label: ReactNode;
  /** Hides the label visually. */
  labelHidden?: boolean;
  disabled?: boolean;
  className?: string;
};

/** Renders a switch that takes effect at once. In a form with a submit button, use a checkbox. */
export function Switch({ checked, onCheckedChange, label, labelHidden, disabled, className }: SwitchProps) {
  const id = useId();
  return (
    <span className={cn('inline-flex min-h-6 items-center gap-3 text-sm', className)}>
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        disabled={disabled}
        onClick={() => onCheckedChange(!checked)}
        className="relative inline-flex h-6 w-10 shrink-0 rounded-full border-4 border-transparent bg-control bg-clip-padding transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-checked:bg-accent"
      >
        <span
          aria-hidden="true"
          className={cn('m-0.5 size-3 rounded-full bg-white transition-transform', checked && 'translate-x-4')}
        />
      </button>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'min-w-0'}>
        {label}
      </label>
    </span>
  );
}
