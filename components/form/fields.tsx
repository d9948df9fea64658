import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Input, Select } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';

/** The text of a form field; '' when it is missing or a file. */
export function getFormText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

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

type SelectFieldProps = Omit<ComponentProps<typeof Select>, 'id' | 'children'> &
  FieldProps & {
    name: string;
    options: readonly { value: string; label: string }[];
    /** The empty first option, e.g. "Choose a country". Without it the first option is selected. */
    placeholder?: string;
  };

export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, aside, required, className, options, placeholder, ...select } = props;
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => (
        <Select {...select} {...control}>
          {placeholder ? <option value="">{placeholder}</option> : null}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
