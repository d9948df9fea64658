'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { Input } from '@/components/ui/controls';
import { useParamChange } from './use-param-change';

/** The debounce delay in milliseconds. While the user types a year, each digit yields another valid date. */
const quietMs = 600;

type FilterDateProps = {
  /** The URL parameter: a date as YYYY-MM-DD. */
  param: string;
  /** Shown before the field, e.g. "From". */
  label: string;
  /** The date that applies without the parameter. */
  fallback?: string;
};

/** Renders the start or end date of a list's date range. */
export function FilterDate({ param, label, fallback = '' }: FilterDateProps) {
  const urlValue = useSearchParams().get(param) ?? fallback;
  const { pending, change } = useParamChange();
  const id = useId();
  const [text, setText] = useState(urlValue);
  const [lastUrlValue, setLastUrlValue] = useState(urlValue);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The URL changed, by this field or otherwise (Back, "Clear filters").
  if (urlValue !== lastUrlValue) {
    setLastUrlValue(urlValue);
    setText(urlValue);
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (value: string) => {
    clearTimeout(timer.current);
    if (value !== urlValue) change({ [param]: value });
  };

  return (
    <span className="flex gap-1.5 text-muted text-sm max-sm:w-[calc(50%-0.25rem)] max-sm:flex-col max-sm:gap-0.5 sm:items-center">
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        type="date"
        size="sm"
        name={param}
        aria-busy={pending || undefined}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(value), quietMs);
        }}
        onBlur={() => send(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
        }}
      />
    </span>
  );
}
