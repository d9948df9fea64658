'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { useSlashFocus } from '@/components/ui/keyboard';
import { Spinner } from '@/components/ui/progress';
import { useParamChange } from './use-param-change';

/** The debounce delay in milliseconds before the URL changes. */
const quietMs = 300;

type SearchInputProps = { param?: string; placeholder: string; label?: string; className?: string };

/** Renders the search field of a list: writes its text into the URL. "/" focuses it, Escape clears it. */
export function SearchInput({ param = 'q', placeholder, label = 'Search', className = 'sm:w-80' }: SearchInputProps) {
  const urlValue = useSearchParams().get(param) ?? '';
  const { pending, change } = useParamChange();
  const [text, setText] = useState(urlValue);
  const [lastUrlValue, setLastUrlValue] = useState(urlValue);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [sent, setSent] = useState(urlValue);
  useSlashFocus(input);

  // The URL changed otherwise (Back, "Clear filters"): the field follows. A change by this field is skipped, because
  // the user may have typed on since.
  if (urlValue !== lastUrlValue) {
    setLastUrlValue(urlValue);
    if (urlValue !== sent) {
      setSent(urlValue);
      setText(urlValue);
    }
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (value: string) => {
    clearTimeout(timer.current);
    const requested = value.trim();
    if (requested === sent) return;
    setSent(requested);
    change({ [param]: requested }, 'replace');
  };

  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(value), quietMs);
  };

  return (
    <search className={cn('relative block w-full', className)}>
      {pending ? <Spinner className="search-icon" /> : <Icon name="search" className="search-icon" />}
      <input
        ref={input}
        type="search"
        name={param}
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        aria-busy={pending || undefined}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault();
            setText('');
            send('');
          }
        }}
        className="control control-sm list-search"
      />
      <span aria-hidden="true" className="kbd search-key">
        /
      </span>
    </search>
  );
}
