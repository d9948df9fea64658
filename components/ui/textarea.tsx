import type { ComponentProps } from 'react';
import { cn } from './cn';
import { controlClass } from './control-class';

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} {...rest} className={cn(controlClass, 'min-h-18 resize-y py-2', className)} />;
}
