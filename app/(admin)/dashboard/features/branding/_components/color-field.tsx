import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

type ColorFieldProps = {
  name: string;
  label: string;
  hint: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** A colour to type or to pick; the browser's picker and the text are the same value. */
export function ColorField({ name, label, hint, value, error, onChange }: ColorFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} required>
      {(control) => (
        <span className="flex items-center gap-2">
          <input
            type="color"
            aria-label={`Pick the ${label.toLowerCase()}`}
            value={isHex(value) ? value.toLowerCase() : '#000000'}
            onChange={(event) => onChange(event.target.value)}
            className="h-9 w-11 shrink-0 cursor-pointer rounded-md border border-control bg-surface p-1"
          />
          <Input
            {...control}
            name={name}
            value={value}
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            placeholder="#5547e0"
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  );
}

export const isHex = (text: string) => /^#[0-9a-f]{6}$/i.test(text);
