'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { PersonView } from '@/lib/users/views';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

/** Milliseconds of quiet before the server is asked (design/interface.md). */
const quietMs = 300;
const offered = 20;

export type ChosenUser = { id: string; label: string };

type UserFieldProps = {
  /** The hidden field with the person's id; the visible one is called `userText`. */
  name?: string;
  label: string;
  /** Whose it is already. */
  chosen?: ChosenUser | null;
  error?: string;
  onChange?: (user: ChosenUser | null) => void;
  /** Told when the people could not be loaded. */
  onFailure?: (failure: ApiError) => void;
};

export const userLabel = ({ name, email }: { name: string; email: string }) => (name ? `${name} (${email})` : email);

/**
 * Chooses one person of any number: the server is asked while somebody types, and the browser's own list offers what it
 * found. Only what was found is chosen; anything else leaves the id empty.
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
    <Field label={label} required error={error} hint="Type a part of the name or the email, then choose.">
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
