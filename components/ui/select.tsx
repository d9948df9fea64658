import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './cn';

type SelectProps = Omit<ComponentProps<'select'>, 'size' | 'multiple'> & { size?: 'sm' | 'md' };

/** A styled native select: it opens the platform's picker on phones, supports type-ahead, and needs no JavaScript. */
export function Select({ size = 'md', className, children, ...rest }: SelectProps) {
  return (
    <span className={cn('relative block', className)}>
      <select {...rest} className={cn('control appearance-none truncate pr-8', size === 'sm' && 'control-sm')}>
        {children}
      </select>
      <ChevronDown className="select-arrow" />
    </span>
  );
}
