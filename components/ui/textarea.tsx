import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} {...rest} className={cn('control h-auto min-h-18 resize-y py-2', className)} />;
}
