'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';

export type FieldErrors = Record<string, string>;

type ApiFormOptions<Result> = {
  /**
   * Sends the form. @throws ApiError, as apiFetch does
   * @param version the version on which the edits are based
   */
  submit: (data: FormData, version: number) => Promise<Result>;
  /**
   * The stored version. One that another user saved replaces the form's values, unless this user has edited them: the
   * save is then refused as stale.
   */
  version?: number;
  /** Whether the sent texts and choices are emptied after a success. Text typed in the meantime stays. */
  clears?: boolean;
  /** Validation errors by field name. Any error prevents the request. */
  validate?: (data: FormData) => FieldErrors;
  onSuccess?: (result: Result, form: HTMLFormElement) => void;
  /** The message where the server sent no text. `status` 0: no response. */
  fallback?: (status: number) => string;
};

const requestFailure = (status: number) =>
  status === 0 ? 'No connection to the server. Try again.' : `The request failed (HTTP ${status}). Try again.`;

export type ApiForm = {
  pending: boolean;
  /** The error for an Alert above the form; null when there is none, or when every error has its field. */
  error: string | null;
  fields: FieldErrors;
  reset: () => void;
  /** The React key of the fields: another one shows the values that another user saved. */
  round: number;
  /** Spread on the `<form>`. */
  formProps: {
    noValidate: true;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onInput: (event: FormEvent<HTMLFormElement>) => void;
  };
};

/**
 * Holds the state of a form that is sent to this app: pending, the error above the form, errors under fields, and the
 * focus on the first invalid field. The input stays after every error.
 */
export function useApiForm<Result>(options: ApiFormOptions<Result>): ApiForm {
  const { submit, validate, onSuccess, fallback = requestFailure, version, clears } = options;
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [fields, setFields] = useState<FieldErrors>({});
  const [base, setBase] = useState(version);
  const [round, setRound] = useState(0);
  const [isEdited, setEdited] = useState(false);
  /** The version that this form saved last. */
  const [own, setOwn] = useState<number>();
  if (version !== base && (version === own || !isEdited)) {
    setBase(version);
    if (version !== own) setRound(round + 1);
  }
  /** The form whose first invalid field receives the focus after its error has rendered. */
  const focusIn = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const form = focusIn.current;
    focusIn.current = null;
    if (form) firstInvalid(form, fields)?.focus();
  }, [fields]);

  const refuse = (form: HTMLFormElement, messages: FieldErrors) => {
    focusIn.current = form;
    setFields(messages);
  };

  const send = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const errors = validate?.(data) ?? {};
    setError(null);
    if (Object.keys(errors).length > 0) {
      refuse(form, errors);
      return;
    }
    setFields({});
    setPending(true);
    setEdited(false);
    try {
      const result = await submit(data, base ?? 0);
      setOwn((base ?? 0) + 1);
      if (clears) clearSent(form, data);
      onSuccess?.(result, form);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setEdited(true);
      const shown = Object.keys(cause.fields).some((name) => form.elements.namedItem(name));
      if (shown) refuse(form, cause.fields);
      const isRepeated = shown && (!cause.message || Object.values(cause.fields).includes(cause.message));
      if (!isRepeated) setError(cause.message || fallback(cause.status));
    } finally {
      setPending(false);
    }
  };

  return {
    pending,
    error,
    fields,
    round,
    reset: () => {
      setError(null);
      setFields({});
    },
    formProps: {
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        if (!pending) void send(event.currentTarget);
      },
      onInput: (event) => {
        setEdited(true);
        const name = event.target instanceof Element ? event.target.getAttribute('name') : null;
        if (name && fields[name]) setFields(({ [name]: _mended, ...others }) => others);
      },
    },
  };
}

/** Finds the first invalid field in the order of the document, not of the response. */
function firstInvalid(form: HTMLFormElement, fields: FieldErrors): HTMLElement | undefined {
  for (const element of form.elements) {
    const name = element.getAttribute('name');
    if (name && fields[name] && element instanceof HTMLElement) return element;
  }
  return undefined;
}

/** Empties the fields that still have the value that was sent. */
function clearSent(form: HTMLFormElement, sent: FormData): void {
  for (const field of form.elements) {
    const isText = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    if (isText && field.value === sent.get(field.name)) field.value = '';
  }
}
