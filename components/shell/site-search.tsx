'use client';

import { Search } from 'lucide-react';
import Form from 'next/form';
import { useRef } from 'react';
import { useSlashFocus } from '@/components/table/use-slash-focus';

/** The search of the top bar. It opens My Sites with the search applied. */
export function SiteSearch({ action }: { action: string }) {
  const input = useRef<HTMLInputElement>(null);
  useSlashFocus(input);
  return (
    <search className="w-full max-w-md">
      <Form action={action} className="relative">
        <Search className="absolute inset-y-0 left-2.5 my-auto size-4 text-subtle" />
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search your sites"
          placeholder="Search your sites…"
          autoComplete="off"
          className={'control control-sm pl-8'}
        />
      </Form>
    </search>
  );
}
