'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { Input } from '../ui/input';
import { useParamChange } from './use-param-change';

/** Milliseconds of quiet before the address follows: a year is typed digit by digit, and each is a day of its own. */
const quietMs = 600;

type FilterDateProps = {
  /** The parameter of the address: a day as YYYY-MM-DD. */
  param: string;
  /** Stands before the field, e.g. "From". */
  label: string;
};

/** One end of a list's span of days. */
export function FilterDate({ param, label }: FilterDateProps) {
  const inAddress = useSearchParams().get(param) ?? '';
  const { pending, change } = useParamChange();
  const id = useId();
  const [text, setText] = useState(inAddress);
  const [followed, setFollowed] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The address changed: by us, or by other means (Back, "Clear filters").
  if (inAddress !== followed) {
    setFollowed(inAddress);
    setText(inAddress);
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (value: string) => {
    clearTimeout(timer.current);
    if (value !== inAddress) change({ [param]: value });
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
