import type { ComponentProps } from 'react';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { FieldProps } from './text-field';

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
