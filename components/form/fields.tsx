import { type ComponentProps, Fragment, type ReactNode, useId } from 'react';
import { cn } from '@/components/ui/cn';
import { Input, Select, type SelectOptions } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import { type FieldProps, NumberField, type NumberFieldProps } from './number-field';
import type { FieldErrors } from './use-api-form';

/** Returns the text of a form field; '' when it is missing or a file. */
export function getFormText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

type TextFieldProps = Omit<ComponentProps<typeof Input>, 'id' | 'list'> &
  FieldProps & { name: string; suggestions?: readonly string[] } & Pick<NumberFieldProps, 'currency' | 'currencyField'>;

/** Renders a field of one line. With the type `number` it understands numbers as people write them. */
export function TextField({ currency, currencyField, ...props }: TextFieldProps) {
  if (props.type === 'number') return <NumberField {...props} currency={currency} currencyField={currencyField} />;
  return <LineField {...props} />;
}

function LineField(props: Omit<TextFieldProps, 'currency' | 'currencyField'>) {
  const { label, hint, error, aside, required, className, suggestions, ...input } = props;
  const list = useId();
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => (
        <>
          <Input {...input} {...control} list={suggestions && list} />
          {suggestions ? (
            <datalist id={list}>
              {suggestions.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          ) : null}
        </>
      )}
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
  FieldProps & { name: string; options: SelectOptions };

export function SelectField({ label, hint, error, aside, required, className, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  );
}

export type FilledField = { name: string; label: string; defaultValue?: string; error?: string };

/** A field as data: `options` makes a select, `rows` a textarea, `columns` a group of fields; otherwise it is an input. */
export type FieldSpec =
  | (Omit<TextFieldProps, 'label'> & { label: string })
  | (Omit<TextareaFieldProps, 'label'> & { label: string; rows: number })
  | (Omit<SelectFieldProps, 'label'> & { label: string })
  | { name: string; label: string; render: (field: FilledField) => ReactNode }
  | { columns: string; legend?: string; fields: readonly FieldSpec[] };

type FieldsProps = {
  fields: readonly FieldSpec[];
  /** The value of a field; without it the field has its own `defaultValue`. */
  textOf?: (name: string) => string | undefined;
  errors: FieldErrors;
};

/** Renders declared fields. A text field has no autocompletion unless it declares one. */
export function Fields({ fields, textOf = () => undefined, errors }: FieldsProps) {
  return fields.map((field) => {
    if ('columns' in field) {
      const Group = field.legend ? 'fieldset' : 'div';
      return (
        <Group key={listLabels([field])[0]?.[0]} className={cn('grid content-start gap-4', field.columns)}>
          {field.legend ? <legend className="mb-3 text-ink text-sm">{field.legend}</legend> : null}
          <Fields fields={field.fields} textOf={textOf} errors={errors} />
        </Group>
      );
    }
    const { name, label } = field;
    const [value, error] = [textOf(name), errors[name]];
    if ('render' in field) {
      return <Fragment key={name}>{field.render({ name, label, defaultValue: value, error })}</Fragment>;
    }
    const filled = { defaultValue: value ?? field.defaultValue, error };
    if ('options' in field) return <SelectField key={name} {...field} {...filled} />;
    if ('rows' in field) return <TextareaField key={name} {...field} {...filled} />;
    return <TextField key={name} autoComplete="off" {...field} {...filled} />;
  });
}

/** Lists the names and labels of declared fields. */
export const listLabels = (fields: readonly FieldSpec[]): [string, string][] =>
  fields.flatMap((field) => ('columns' in field ? listLabels(field.fields) : [[field.name, field.label]]));
