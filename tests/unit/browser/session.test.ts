import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  apiFetch,
  callAction,
  readAction,
  saveFailure,
  setReauthenticationHandler,
  setSignInHandler,
} from '@/lib/browser/api-client';
import { approvalsPath, signedOutMessage } from '@/lib/errors';

const signedOut = { status: 401, body: { error: signedOutMessage } };
const saved = { status: 200, body: { ok: true } };

/** Answers the requests in turn. @returns their methods */
function answering(...answers: { status: number; body: unknown }[]): string[] {
  const methods: string[] = [];
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    methods.push(method ?? 'GET');
    const { status, body } = answers.shift() ?? saved;
    return new Response(JSON.stringify(body), { status });
  });
  return methods;
}

const removers: (() => void)[] = [];
const onSignIn = (handler: Parameters<typeof setSignInHandler>[0]) => removers.push(setSignInHandler(handler));
afterEach(() => {
  vi.unstubAllGlobals();
  for (const remove of removers.splice(0)) remove();
});

describe('a change after the end of the session', () => {
  it('is repeated once after the sign-in, with one dialog for concurrent changes', async () => {
    const methods = answering(signedOut, signedOut, saved, saved);
    let dialogs = 0;
    onSignIn(async () => {
      dialogs += 1;
      return 'signed-in';
    });
    await Promise.all([apiFetch('/api/a', { method: 'POST' }), apiFetch('/api/b', { method: 'PUT' })]);
    expect([methods, dialogs]).toEqual([['POST', 'PUT', 'POST', 'PUT'], 1]);
  });

  it('fails without a redirect when the user closes the dialog', async () => {
    const methods = answering(signedOut);
    onSignIn(async () => 'dismissed');
    await expect(apiFetch('/api/a', { method: 'POST' })).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    expect(methods).toEqual(['POST']);
  });

  it('fails as before on a page without the dialog, and for a wrong password', async () => {
    answering(signedOut, { status: 401, body: { error: 'Invalid credentials.' } });
    await expect(apiFetch('/api/a', { method: 'POST' })).rejects.toMatchObject({
      message: signedOutMessage,
      code: null,
    });
    onSignIn(async () => {
      throw new Error('No dialog');
    });
    await expect(apiFetch('/api/b', { method: 'POST' })).rejects.toMatchObject({ message: 'Invalid credentials.' });
  });

  it('does not ask for a request that only reads', async () => {
    answering(signedOut);
    onSignIn(async () => 'signed-in');
    await expect(apiFetch('/api/a')).rejects.toMatchObject({ message: signedOutMessage });
  });

  it('may still require the password', async () => {
    answering(signedOut, { status: 403, body: { error: 'Confirm', code: 'reauthentication_required' } }, saved);
    onSignIn(async () => 'signed-in');
    removers.push(setReauthenticationHandler(async () => true));
    expect(await apiFetch('/api/a', { method: 'POST' })).toEqual({ ok: true });
  });

  it('is repeated for a server action, but not for one that only reads', async () => {
    onSignIn(async () => 'signed-in');
    const refused = { ok: false as const, status: 401, error: signedOutMessage };
    const answers = [refused, { ok: true as const, data: 7 }];
    const call = async () => answers.shift() ?? refused;
    expect(await callAction(call)).toBe(7);
    await expect(readAction(Promise.resolve(refused))).rejects.toBeInstanceOf(ApiError);
  });
});

it('a failed save shows what the server said, and the status only when it said nothing', async () => {
  answering(
    { status: 409, body: { error: 'It was sent for approval.', url: approvalsPath } },
    { status: 409, body: { error: 'It was changed.' } },
    { status: 502, body: 'Bad gateway' },
  );
  const save = () => apiFetch('/api/a', { method: 'PUT' }).catch(saveFailure);
  await expect(save()).rejects.toMatchObject({ message: 'It was sent for approval.', url: approvalsPath });
  await expect(save()).rejects.toMatchObject({ message: 'It was changed.' });
  await expect(save()).rejects.toMatchObject({ message: 'Save failed (HTTP 502)' });
});
