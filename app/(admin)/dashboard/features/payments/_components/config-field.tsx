import { TriangleAlert } from 'lucide-react';
import { TextField } from '@/components/form/text-field';
import { TextareaField } from '@/components/form/textarea-field';
import { secretMask } from '@/lib/payments/config/fields';
import type { ProviderField } from './provider-fields';

type ConfigFieldProps = {
  field: ProviderField;
  value: string;
  warning: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** One value of a provider. A warning stands under it and keeps nobody from saving. */
export function ConfigField({ field, value, warning, error, onChange }: ConfigFieldProps) {
  const { name, label, kind, placeholder } = field;
  const isStored = kind === 'secret' && value === secretMask;
  const hint = isStored ? 'Stored. Type over it to replace it, or empty it to remove it.' : field.hint;
  const shared = {
    name,
    label,
    placeholder,
    value,
    error,
    spellCheck: false,
    autoCapitalize: 'none',
    hint: warning ? <Warning text={warning} /> : hint,
  };
  if (kind === 'area') {
    return (
      <TextareaField
        {...shared}
        autoComplete="off"
        rows={4}
        className="[&_textarea]:font-mono [&_textarea]:text-xs"
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <TextField
      {...shared}
      type={kind === 'secret' ? 'password' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      // The mask is replaced as a whole: half of it with a key behind it would be a wrong key.
      onFocus={(event) => isStored && event.target.select()}
      onChange={(event) => onChange(isStored ? event.target.value.replaceAll('*', '') : event.target.value)}
    />
  );
}

function Warning({ text }: { text: string }) {
  return (
    <span className="flex items-start gap-1.5 text-yellow-ink">
      <TriangleAlert className="mt-0.5 size-3" />
      {text}
    </span>
  );
}
