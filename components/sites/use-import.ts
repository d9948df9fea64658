'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';
import { newIdempotencyKey } from '@/lib/browser/idempotency-key';
import { sendFile } from '@/lib/browser/upload';
import { columnsParam } from './choose-column';
import type { Choices, ImportCheck } from './import-types';
import type { UploadResult } from './upload-summary';

/** The server's limit (decision 18), told before anything is sent. */
const maxBytes = 50_000_000;

export type ImportStep =
  | { name: 'choose' }
  | { name: 'sending'; purpose: 'check' | 'import'; share: number }
  | { name: 'checked'; check: ImportCheck; key: string }
  | { name: 'done'; result: UploadResult };

/**
 * The steps of an import: choose, check, import, summary. Each sends the file anew, so that the server has nothing to
 * remember and any instance can answer. An import keeps its key until the next check: tried again after a lost answer,
 * it does not happen twice.
 * @param failure the screen's words; status 0: no answer came
 * @param onRefused sees every failed call first, and may lead away
 */
export function useImport(
  path: string,
  failure: (status: number, message: string) => string,
  onRefused?: (cause: unknown) => never,
) {
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [step, setStep] = useState<ImportStep>({ name: 'choose' });
  /** What the last check was told about the columns, and what was chosen since; null: nothing. */
  const [choices, setChoices] = useState<Choices>({});
  const [edited, setEdited] = useState<Choices | null>(null);
  const [error, setError] = useState<string | null>(null);
  const sending = useRef<AbortController>(null);
  useEffect(() => () => sending.current?.abort(), []);

  /** @returns null when it failed or was cancelled; what stands on the screen then is `back` */
  const send = async <T>(chosen: File, purpose: 'check' | 'import', how: Choices, back: ImportStep, key?: string) => {
    const controller = new AbortController();
    sending.current?.abort();
    sending.current = controller;
    setError(null);
    setStep({ name: 'sending', purpose, share: 0 });
    const query = new URLSearchParams({ mode: purpose, columns: columnsParam(how) });
    try {
      return await sendFile<T>(`${path}?${query}`, chosen, {
        signal: controller.signal,
        onProgress: (share) => setStep({ name: 'sending', purpose, share }),
        ...(key && { headers: { 'Idempotency-Key': key } }),
      }).catch(onRefused);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (sending.current !== controller) return null;
      setStep(back);
      if (!controller.signal.aborted) setError(failure(cause.status, cause.message));
      return null;
    }
  };

  const check = async (chosen: File, how: Choices, back: ImportStep) => {
    const found = await send<ImportCheck>(chosen, 'check', how, back);
    if (!found) return;
    setChoices(how);
    setEdited(null);
    setStep({ name: 'checked', check: found, key: newIdempotencyKey() });
  };

  const reset = () => {
    sending.current?.abort();
    sending.current = null;
    setFile(null);
    setChoices({});
    setEdited(null);
    setError(null);
    setStep({ name: 'choose' });
  };

  return {
    file,
    step,
    choices,
    edited,
    edit: setEdited,
    error,
    reset,
    fail: setError,
    cancel: () => sending.current?.abort(),
    choose: (chosen: File | null) => {
      setFile(chosen);
      setChoices({});
      setError(null);
      if (!chosen) return;
      if (!/\.csv$/i.test(chosen.name)) setError(failure(400, 'Choose a .csv file.'));
      else if (chosen.size > maxBytes) setError(failure(413, 'The file is larger than 50 MB.'));
      else void check(chosen, {}, { name: 'choose' });
    },
    checkAgain: () => {
      if (file && edited) void check(file, edited, step);
    },
    commit: async () => {
      if (!file || step.name !== 'checked') return;
      const result = await send<UploadResult>(file, 'import', choices, step, step.key);
      if (!result) return;
      setStep({ name: 'done', result });
      router.refresh();
    },
  };
}
