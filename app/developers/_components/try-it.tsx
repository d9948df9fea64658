'use client';

import { type FormEvent, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Input } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import { CodeBlock } from './code-block';

type ConsoleParameter = { name: string; place: 'path' | 'query' | 'header'; required: boolean };

type Operation = { method: string; path: string; parameters: readonly ConsoleParameter[] };

/**
 * Builds a request of an operation. Empty parameters are omitted. With a token the request has no cookie, so that it does
 * exactly what a program with that token can do.
 * @param fieldOf the value of a field: "query limit", "body" or "token"
 */
export function buildRequest(
  { method, path, parameters }: Operation,
  fieldOf: (field: string) => string,
): { url: string; init: RequestInit } {
  const input = parameters
    .map(({ name, place }) => ({ name, place, value: fieldOf(`${place} ${name}`).trim() }))
    .filter(({ value }) => value !== '');
  const of = (requested: ConsoleParameter['place']) =>
    input.filter(({ place }) => place === requested).map(({ name, value }): [string, string] => [name, value]);
  // A browser resolves dots as folders, which would be another address.
  const inPath = new Map(of('path').filter(([, value]) => !/^\.{1,2}$/.test(value)));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? `{${name}}`));
  const query = new URLSearchParams(of('query'));
  const [token, body] = [fieldOf('token').trim(), fieldOf('body')];
  const headers = new Headers(of('header'));
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (body) headers.set('Content-Type', 'application/json');
  return {
    url: filled + (query.size > 0 ? `?${query}` : ''),
    init: { method, headers, credentials: token ? 'omit' : 'same-origin', ...(body && { body }) },
  };
}

type TryItProps = {
  method: string;
  /** In OpenAPI's notation: /api/orders/{id}. */
  path: string;
  parameters: ConsoleParameter[];
  /** A sample of the JSON body; null for a request without one. */
  body: string | null;
  /** The request has a form with a file, which the console does not send. */
  needsFile: boolean;
  /** The email address of the signed-in user; null without a session. */
  caller: string | null;
  isPublic: boolean;
};

type Answer = { status: string; headers: string; body: string };

/**
 * Sends a request of one operation from the page: with the session, or with a token that stays in the memory of the page
 * and is never stored.
 */
export function TryIt({ method, path, parameters, body, needsFile, caller, isPublic }: TryItProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const request = buildRequest({ method, path, parameters }, (name) => String(form.get(name) ?? ''));
    setPending(true);
    setError(null);
    try {
      setAnswer(await readAnswer(await fetch(request.url, request.init)));
    } catch (thrown) {
      setAnswer(null);
      setError(thrown instanceof TypeError ? 'The request could not be sent. Check its values.' : String(thrown));
    } finally {
      setPending(false);
    }
  }

  const isRead = method === 'GET';
  return (
    <Card>
      <CardHeader
        title="Try it"
        description={caller ? `Signed in as ${caller}.` : 'Sign in, or paste a token. It is not stored.'}
      />
      <CardBody>
        {needsFile ? (
          <p className="text-muted text-sm">This request uploads a file. Send it with a program of your own.</p>
        ) : (
          <form onSubmit={submit} className="grid gap-4" autoComplete="off">
            {parameters.map(({ name, place, required }) => (
              <Field key={`${place} ${name}`} label={name} hint={place} required={required}>
                {(control) => <Input {...control} name={`${place} ${name}`} size="sm" className="font-mono" />}
              </Field>
            ))}
            {body === null ? null : (
              <Field label="Body" hint="JSON">
                {(control) => (
                  <textarea
                    {...control}
                    name="body"
                    rows={Math.min(14, body.split('\n').length + 1)}
                    defaultValue={body}
                    spellCheck={false}
                    className="control h-auto py-2 font-mono text-xs"
                  />
                )}
              </Field>
            )}
            {isPublic ? null : (
              <Field label="Token" hint={caller ? 'Leave empty to use your session.' : 'A session or API token.'}>
                {(control) => <Input {...control} name="token" type="password" size="sm" autoComplete="off" />}
              </Field>
            )}
            {isRead ? null : (
              <p className="text-muted text-xs">This changes real data, and can spend the balance of the wallet.</p>
            )}
            <Button type="submit" variant="primary" pending={isPending}>
              Send request
            </Button>
          </form>
        )}
        {error ? (
          <Alert tone="error" className="mt-4">
            {error}
          </Alert>
        ) : null}
        <div role="status" className="mt-4 grid gap-2 empty:hidden">
          {answer ? (
            <>
              <p className="font-mono text-ink text-sm">{answer.status}</p>
              <CodeBlock label="the headers of the response" text={answer.headers} />
              {answer.body ? <CodeBlock label="the body of the response" text={answer.body} /> : null}
            </>
          ) : null}
        </div>
      </CardBody>
    </Card>
  );
}

/** The maximum number of characters that the console shows of a body. */
const maxCharacters = 50_000;

async function readAnswer(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? '';
  const text = /json|text|xml|csv/.test(type) ? await response.text() : '';
  const shown = format(text);
  const rest = shown.length > maxCharacters ? `\n… and ${shown.length - maxCharacters} more characters` : '';
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: text === '' && type !== '' ? `A file: ${type}` : shown.slice(0, maxCharacters) + rest,
  };
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
