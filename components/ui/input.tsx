import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

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
