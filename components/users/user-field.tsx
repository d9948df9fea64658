'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { Input } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import { userLabel } from '@/components/ui/format';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { PersonView } from '@/lib/users/contract';

/** The debounce delay of a search in milliseconds. */
const quietMs = 300;
const offered = 20;

export type ChosenUser = { id: string; label: string };

type UserFieldProps = {
  /** The name of the hidden field with the user's id; the visible field is called `userText`. */
  name?: string;
  label: string;
  /** The user selected initially. */
  chosen?: ChosenUser | null;
  error?: string;
  onChange?: (user: ChosenUser | null) => void;
  /** Called when the users could not be loaded. */
  onFailure?: (failure: ApiError) => void;
};

/**
 * Selects one of any number of users: the server searches while the user types, and a native datalist offers the
 * results. Only a result can be selected; any other text leaves the id empty.
 */
export function UserField(props: UserFieldProps) {
  const { name = 'userId', label, chosen = null, error, onChange, onFailure } = props;
  const list = useId();
  const [text, setText] = useState(chosen?.label ?? '');
  const [found, setFound] = useState<ChosenUser[]>(chosen ? [chosen] : []);
  const id = found.find((user) => user.label === text)?.id ?? '';
  const failed = useRef(onFailure);
  useEffect(() => {
    failed.current = onFailure;
  }, [onFailure]);

  useEffect(() => {
    if (id !== '') return;
    let isWanted = true;
    const ask = async () => {
      try {
        const query = new URLSearchParams({ limit: String(offered), ...(text.trim() && { q: text.trim() }) });
        const people = await apiFetch<PersonView[]>(`/api/users?${query}`);
        if (isWanted) setFound(people.map((person) => ({ id: person.id, label: userLabel(person) })));
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        if (isWanted) failed.current?.(cause);
      }
    };
    const timer = setTimeout(ask, quietMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, id]);

  const type = (typed: string) => {
    setText(typed);
    onChange?.(found.find((user) => user.label === typed) ?? null);
  };

  return (
    <Field label={label} required error={error} hint="Type part of a name or email, then choose.">
      {(control) => (
        <>
          <Input
            {...control}
            name="userText"
            list={list}
            autoComplete="off"
            placeholder="Name or email"
            value={text}
            onChange={(event) => type(event.target.value)}
          />
          <datalist id={list}>
            {found.map((user) => (
              <option key={user.id} value={user.label} />
            ))}
          </datalist>
          <input type="hidden" name={name} value={id} />
        </>
      )}
    </Field>
  );
}
