import type { ComponentProps, ReactNode } from 'react';
import { type ButtonOptions, buttonClass } from './button-class';
import { Spinner } from './spinner';

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> &
  Pick<ButtonOptions, 'variant' | 'size'> & { label: string; children: ReactNode; pending?: boolean };

/** A square button with only an icon; `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  variant = 'ghost',
  size = 'sm',
  pending = false,
  disabled,
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      data-tooltip={label}
      {...rest}
      aria-label={label}
      aria-busy={pending || undefined}
      disabled={disabled || pending}
      className={buttonClass({ variant, size, square: true, className })}
    >
      {pending ? <Spinner /> : children}
    </button>
  );
}
