import type { ComponentProps, ReactNode } from 'react';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** The props of every form field besides those of its control. */
export type FieldProps = { label: ReactNode; hint?: ReactNode; error?: string; aside?: ReactNode };

type TextFieldProps = Omit<ComponentProps<typeof Input>, 'id'> & FieldProps & { name: string };

export function TextField({ label, hint, error, aside, required, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  );
}
