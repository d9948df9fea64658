'use client';

import { Dices } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { newKey } from './new-key';

/** The key, typed or made. */
export function KeyField({ label, value, error }: { label: string; value: string | undefined; error?: string }) {
  const input = useRef<HTMLInputElement>(null);
  const generate = () => {
    if (!input.current) return;
    input.current.value = newKey();
    // The form hears of it as of typing: it has something unsaved, and a complaint goes.
    for (const type of ['input', 'change']) input.current.dispatchEvent(new Event(type, { bubbles: true }));
    input.current.focus();
  };
  return (
    <Field label={label} error={error} required>
      {(control) => (
        <span className="flex gap-2">
          <Input
            {...control}
            ref={input}
            name="key"
            defaultValue={value}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
          <Button onClick={generate} icon={<Dices className="size-4" />}>
            Generate
          </Button>
        </span>
      )}
    </Field>
  );
}
