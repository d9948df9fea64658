'use client';

import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { readSession, writeSession } from '@/components/shell/browser-storage';
import { Button, buttonClass, IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { formatBytes } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { ApiError, apiFetch, newIdempotencyKey } from '@/lib/browser/api-client';
import { sendToBucket } from '@/lib/browser/upload';
import type { MessageView } from '@/lib/orders/messages/contract';
import { maxMessageFiles, maxMessageLength } from '@/lib/orders/messages/limits';

type ComposerProps = {
  /** The path of the messages in the API; also names the draft. */
  path: string;
  placeholder: string;
  onSent: (message: MessageView) => void;
};

/** From this length on the rest is displayed. */
const countFrom = maxMessageLength - 500;

/**
 * Renders the field for a new message. The text is kept in this tab until it is sent, also over a reload; an error
 * keeps text and files. Ctrl+Enter or ⌘+Enter sends.
 */
export function Composer({ path, placeholder, onSent }: ComposerProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  /** The key of the message as it is now, so that a repeated attempt posts it once. */
  const key = useRef<string | null>(null);
  const draftName = `message ${path}`;

  useEffect(() => {
    const draft = readSession(draftName);
    if (typeof draft === 'string') setText(draft);
  }, [draftName]);

  const change = (next: { text?: string; files?: File[] }) => {
    key.current = null;
    setError(null);
    if (next.files) setFiles(next.files);
    if (next.text === undefined) return;
    setText(next.text);
    writeSession(draftName, next.text || null);
  };

  const attach = (chosen: FileList | null) => {
    const all = [...files, ...(chosen ?? [])];
    change({ files: all.slice(0, maxMessageFiles) });
    if (all.length > maxMessageFiles) setError(`Attach at most ${maxMessageFiles} files.`);
    if (chooser.current) chooser.current.value = '';
  };

  const send = async () => {
    if (pending) return;
    if (text.trim() === '' && files.length === 0) {
      setError('Enter a message or attach a file.');
      field.current?.focus();
      return;
    }
    setPending(true);
    setError(null);
    key.current ??= newIdempotencyKey();
    try {
      const headers = { 'Idempotency-Key': key.current };
      const uploads = await sendToBucket(files);
      const body = uploads ? { text, uploads } : buildBody(text, files);
      const message = await apiFetch<MessageView>(path, { method: 'POST', headers, body });
      // Text typed in the meantime stays.
      const typed = field.current?.value ?? '';
      change({ text: typed.startsWith(text) ? typed.slice(text.length).trimStart() : typed });
      setFiles((now) => now.filter((file) => !files.includes(file)));
      onSent(message);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'The message couldn’t be sent. Check your connection and try again.');
    } finally {
      setPending(false);
      field.current?.focus();
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };

  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-2 border-line border-t p-3 sm:p-4">
      <label htmlFor={id} className="sr-only">
        Message
      </label>
      <textarea
        ref={field}
        id={id}
        name="text"
        rows={2}
        maxLength={maxMessageLength}
        value={text}
        placeholder={placeholder}
        aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
        aria-invalid={error ? true : undefined}
        onChange={(event) => change({ text: event.target.value })}
        onKeyDown={sendByKey}
        className="control field-sizing-content h-auto max-h-64 min-h-16 resize-none py-2"
      />
      {error ? (
        <div role="alert">
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      ) : null}
      {files.length > 0 ? (
        <>
          <ChosenFiles files={files} onChange={(left) => change({ files: left })} />
          <p className="text-muted text-xs">Files are sent unchanged. They may contain the name of their author.</p>
        </>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <label className={buttonClass({ size: 'sm', className: 'cursor-pointer focus-within:outline-2' })}>
          <Icon name="paperclip" className="-ml-0.5" />
          Attach files
          <input
            ref={chooser}
            type="file"
            multiple
            disabled={pending}
            onChange={(event) => attach(event.target.files)}
            className="sr-only"
          />
        </label>
        <p id={`${id}-hint`} className="text-muted text-xs max-sm:sr-only">
          {text.length > countFrom ? (
            <span className="tabular-nums">
              {(maxMessageLength - text.length).toLocaleString('en-US')} characters left
            </span>
          ) : (
            'Ctrl+Enter or ⌘+Enter sends'
          )}
        </p>
        <Button
          type="submit"
          variant="primary"
          size="sm"
          pending={pending}
          icon={<Icon name="send" />}
          className="ml-auto"
        >
          Send
        </Button>
      </div>
    </form>
  );
}

/** Returns JSON without files, otherwise a form. */
function buildBody(text: string, files: readonly File[]): FormData | { text: string } {
  if (files.length === 0) return { text };
  const form = new FormData();
  form.append('text', text);
  for (const file of files) form.append('files', file);
  return form;
}

function ChosenFiles({ files, onChange }: { files: File[]; onChange: (files: File[]) => void }) {
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-1.5">
      {files.map((file) => (
        <li
          key={`${file.name} ${file.size} ${file.lastModified}`}
          className="flex min-w-0 max-w-full items-center gap-1 rounded-md border border-line bg-sunken pl-2.5 text-ink text-sm"
        >
          <span className="truncate">{file.name}</span>
          <span className="shrink-0 text-muted text-xs">{formatBytes(file.size)}</span>
          <IconButton label={`Remove ${file.name}`} onClick={() => onChange(files.filter((one) => one !== file))}>
            <Icon name="x" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
