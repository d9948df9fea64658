'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';

export type FieldErrors = Record<string, string>;

type ApiFormOptions<Result> = {
  /** Sends the form. @throws ApiError, as apiFetch does */
  submit: (data: FormData, form: HTMLFormElement) => Promise<Result>;
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
  const { submit, validate, onSuccess, fallback = requestFailure } = options;
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [fields, setFields] = useState<FieldErrors>({});
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
    try {
      const result = await submit(data, form);
      onSuccess?.(result, form);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
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
