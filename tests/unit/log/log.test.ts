import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { captureConsole } from '@/lib/platform/lifecycle/start-server-process';
import { log, readableLine } from '@/lib/platform/log/log';
import { logRequestError } from '@/lib/platform/log/log-request-error';
import { beginRequest, markActionStarted } from '@/lib/platform/log/open-requests';
import { redactText } from '@/lib/platform/log/redact';

afterEach(() => vi.restoreAllMocks());

/** The text that a call writes to a stream. */
function written(stream: 'stdout' | 'stderr', call: () => void): string[] {
  const write = vi.spyOn(process[stream], 'write').mockReturnValue(true);
  call();
  return write.mock.calls.map(([line]) => String(line));
}

describe('the log', () => {
  it('writes one JSON object per line with level, time and message', () => {
    const [line = '', ...more] = written('stdout', () => log().info({ requestId: 'r1' }, 'A\nthing'));
    expect(more).toEqual([]);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual({ level: 'info', time: expect.any(String), requestId: 'r1', msg: 'A\nthing' });
  });

  it('writes errors to stderr with stack and cause', () => {
    const thrown = new Error('It broke', { cause: new Error('the wire was cut') });
    const [line = ''] = written('stderr', () => log().error({ err: thrown }, 'No job.'));
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      msg: 'No job.',
      err: { message: 'Error: It broke', cause: 'Error: the wire was cut', stack: expect.stringContaining('log.test') },
    });
  });

  it('redacts fields by name at any depth, and the parameters of a failed query', () => {
    // Thrown by another bundle of the server, so its class is not the imported one.
    const query = Object.assign(new Error('Failed query: select $1\nparams: hunter2'), {
      query: 'select $1',
      params: ['hunter2'],
      cause: new Error('no connection'),
    });
    const [line = ''] = written('stderr', () =>
      log().error(
        { err: query, user: { password: 'hunter2', headers: { Cookie: 'hunter2' } }, tokens: ['hunter2'] },
        'x',
      ),
    );
    expect(line).not.toContain('hunter2');
    expect(line).toContain('no connection');
  });

  it("redacts an error's message and stack", () => {
    const [line = ''] = written('stderr', () =>
      log().error({ err: new Error('postgres://linkmarket:hunter2@db/x, asked by buyer@example.com') }, 'x'),
    );
    expect(line).not.toMatch(/hunter2|buyer@example/);
    expect(line).toContain('postgres://linkmarket:[redacted]@db/x');
  });
});

describe('output of libraries', () => {
  it('is redacted in its text and in an attached error', () => {
    const [line = ''] = written('stderr', () => {
      const { debug, log: printed, info, warn, error } = console;
      captureConsole();
      console.error('No session of %s', { token: 'eyJhbGciOiJk.hunter2' }, new Error('of buyer@example.com'));
      Object.assign(console, { debug, log: printed, info, warn, error });
    });
    expect(JSON.parse(line)).toMatchObject({ level: 'error', msg: expect.stringContaining('No session of') });
    expect(line).not.toMatch(/hunter2|buyer@example/);
  });

  it('has no stack for a warning', () => {
    const [line = '', ...more] = written('stdout', () => {
      const { debug, log: printed, info, warn, error } = console;
      captureConsole();
      console.warn(new Error('Failed to find Server Action "x".'));
      Object.assign(console, { debug, log: printed, info, warn, error });
    });
    expect(more).toEqual([]);
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.any(String),
      msg: 'Error: Failed to find Server Action "x".',
    });
  });

  it('omits the parameters of a nested failed query', () => {
    const query = 'Failed query: insert into users values ($1)\nparams: hunter2,hunter3\n    at run (db.js:1:2)';
    expect(redactText(query)).toBe(
      'Failed query: insert into users values ($1)\nparams: [redacted]\n    at run (db.js:1:2)',
    );
    expect(redactText(inspect({ message: 'Failed query: select $1\nparams: hunter2' }))).not.toContain('hunter2');
  });
});

describe('an error that Next.js handles', () => {
  const failure = (routeType: string, requestId: string) =>
    logRequestError(
      Object.assign(new Error('Unexpected end of form'), { digest: '1' }),
      { method: 'POST', headers: { 'x-request-id': requestId } },
      { routePath: '/user/wallet', routeType },
    );
  const aRequest = () => beginRequest(new ServerResponse(new IncomingMessage(new Socket())));

  it('is a warning without a stack for an undecodable server action', () => {
    const [line = '', ...more] = written('stdout', () => failure('action', aRequest()));
    expect(more).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', route: '/user/wallet', reason: 'Unexpected end of form' });
    expect(line).not.toContain('log.test');
  });

  it.each([
    ['of a page', 'render', aRequest()],
    ['after an action began', 'action', begun()],
    ['of a request handled by the platform’s server', 'action', 'unknown'],
  ])('is an error with its stack: %s', (_, routeType, requestId) => {
    const [line = ''] = written('stderr', () => failure(routeType, requestId));
    expect(JSON.parse(line)).toMatchObject({ level: 'error', err: { stack: expect.stringContaining('log.test') } });
  });

  function begun() {
    const requestId = aRequest();
    markActionStarted(requestId);
    return requestId;
  }
});

it('a long text of a caller is redacted in linear time', () => {
  const [letters, dots] = ['a'.repeat(500_000), 'a.'.repeat(250_000)];
  expect(redactText(`?=${letters}`)).toBe(`?=${letters}`);
  expect(redactText(`?=${dots}`)).toBe(`?=${dots}`);
});

it.each([
  ['buyer+tag@mail.example.co.uk wrote', '[email] wrote'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted]'],
  [
    'cookie __Host-linkmarket.session=eyJhbGciOi.J9.x; theme=dark',
    'cookie __Host-linkmarket.session=[redacted]; theme=dark',
  ],
  ['/user/login?token=abcdef&next=/user', '/user/login?token=[redacted]&next=/user'],
  ['key sk_live_51abcdefgh and whsec_0123456789', 'key sk_[redacted] and whsec_[redacted]'],
  ['eyJhbGciOiJkaXIi.abc.def', '[redacted]'],
  ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- end', '[redacted] end'],
  ['at node_modules/pino@10.4.0/lib/log.js:12', 'at node_modules/pino@10.4.0/lib/log.js:12'],
  ['Order #12 of 01KAMKZ0000000000000000000', 'Order #12 of 01KAMKZ0000000000000000000'],
])('"%s" is logged as "%s"', (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

it('the development format shows the stack below the line', () => {
  const line = {
    level: 'error',
    time: '2026-11-22T10:20:30.123Z',
    msg: 'No job.',
    job: 'x',
    err: { message: 'E', stack: 'E\n at y' },
  };
  expect(readableLine(JSON.stringify(line))).toBe('10:20:30.123 ERROR No job. job=x\nE\n at y\n');
});
