import type { ComponentProps, ReactNode } from 'react';
import { type ButtonOptions, buttonClass } from './button-class';
import { cn } from './cn';
import { Spinner } from './spinner';

type ButtonProps = ComponentProps<'button'> &
  Pick<ButtonOptions, 'variant' | 'size'> & {
    /** Keeps label and width, shows a spinner and ignores further clicks. */
    pending?: boolean;
    /** A 16 px icon before the label; the spinner replaces it while pending. */
    icon?: ReactNode;
  };

/** A button. `type` defaults to "button", so that it does not submit a form by accident. */
export function Button({ variant, size, pending = false, icon, className, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={buttonClass({ variant, size, className })}
    >
      {icon ? <span className="-ml-0.5 inline-flex size-4 items-center">{pending ? <Spinner /> : icon}</span> : null}
      <span className={cn('relative inline-flex items-center gap-2', !icon && pending && 'translate-x-2')}>
        {!icon && pending ? <Spinner className="absolute -left-4 size-3" /> : null}
        {children}
      </span>
    </button>
  );
}
