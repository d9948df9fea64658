import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';
import { Spinner } from './progress';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
type ButtonSize = 'sm' | 'md' | 'lg';

type ButtonOptions = { variant?: ButtonVariant; size?: ButtonSize; square?: boolean; className?: string };

/** Returns the classes of a button, for any element (button, link, file label). */
export function buttonClass({ variant = 'secondary', size = 'md', square = false, className }: ButtonOptions): string {
  return cn(
    'btn',
    variant !== 'secondary' && `btn-${variant}`,
    size !== 'md' && `btn-${size}`,
    square && 'btn-square',
    className,
  );
}

type ButtonProps = ComponentProps<'button'> &
  Pick<ButtonOptions, 'variant' | 'size'> & {
    /** Keeps label and width, shows a spinner and ignores further clicks. */
    pending?: boolean;
    /** A 16 px icon before the label; the spinner replaces it while pending. */
    icon?: ReactNode;
  };

/** Renders a button. `type` defaults to "button", so that it does not submit a form by accident. */
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

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> &
  Pick<ButtonOptions, 'variant' | 'size'> & { label: string; children: ReactNode; pending?: boolean };

/** Renders a square button with only an icon; `label` is its accessible name and its tooltip. */
export function IconButton(props: IconButtonProps) {
  const { label, variant = 'ghost', size = 'sm', pending = false, disabled, className, children, ...rest } = props;
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

type ButtonLinkProps = ComponentProps<typeof Link> & Pick<ButtonOptions, 'variant' | 'size'> & { icon?: ReactNode };

/** Renders a link styled as a button. For navigation, not for actions. */
export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link prefetch={false} {...rest} className={buttonClass({ variant, size, className })}>
      {icon ? <span className="-ml-0.5 inline-flex size-4 items-center">{icon}</span> : null}
      {children}
    </Link>
  );
}
