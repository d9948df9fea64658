import type { ComponentProps } from 'react';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';
import type { FieldProps } from './text-field';

type TextareaFieldProps = Omit<ComponentProps<typeof Textarea>, 'id'> & FieldProps & { name: string };

export function TextareaField({ label, hint, error, aside, required, className, ...input }: TextareaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <Textarea {...input} {...control} />}
    </Field>
  );
}
