import type { ComponentProps, ReactNode } from 'react';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

/** What every field of a form takes besides its control's own properties. */
export type FieldProps = { label: ReactNode; hint?: ReactNode; error?: string; aside?: ReactNode };

type TextFieldProps = Omit<ComponentProps<typeof Input>, 'id'> & FieldProps & { name: string };

export function TextField({ label, hint, error, aside, required, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  );
}
