'use client';

import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Field } from '@/components/ui/field';
import type { FieldProps } from './text-field';

type PasswordFieldProps = Omit<ComponentProps<typeof PasswordInput>, 'id'> &
  FieldProps & { name: string; autoComplete: 'current-password' | 'new-password' };

export function PasswordField({ label, hint, error, aside, required, className, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <PasswordInput {...input} {...control} />}
    </Field>
  );
}

/**
 * A password field with a show/hide toggle. It allows pasting, and its autocomplete value identifies it to password
 * managers.
 */
function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type' | 'size'>) {
  const [shown, setShown] = useState(false);
  return (
    <span className={cn('relative block', className)}>
      <input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
        className={'control pr-10'}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-1 my-auto grid size-7 place-items-center rounded-sm text-subtle transition-colors hover:text-ink"
      >
        {shown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
      </button>
    </span>
  );
}
