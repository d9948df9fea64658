import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';
import { Field } from '@/components/ui/field';
import type { FieldProps } from './text-field';

type TextareaFieldProps = Omit<ComponentProps<typeof Textarea>, 'id'> & FieldProps & { name: string };

export function TextareaField({ label, hint, error, aside, required, className, ...input }: TextareaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <Textarea {...input} {...control} />}
    </Field>
  );
}

function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} {...rest} className={cn('control h-auto min-h-18 resize-y py-2', className)} />;
}
