import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';

const addressSchema = z.object({ port: z.number() });

/** Starts the process. @returns the process, its address, and its log so far */
async function startServing() {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'serve.ts')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let log = '';
  child.stdout?.on('data', (chunk) => {
    log += String(chunk);
  });
  const ended = once(child, 'close');
  const { port } = addressSchema.parse((await once(child, 'message'))[0]);
  return { child, port, ended, log: () => log };
}

async function post(options: RequestOptions) {
  const sent = request({ ...options, method: 'POST' }).end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  return { body: await text(answer), connection: answer.headers.connection, isKept: sent.reusedSocket };
}

test('answers a last request on a kept-alive connection during shutdown', async () => {
  const { child, port, ended, log } = await startServing();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await post({ port, agent })).toEqual({ body: 'answered', connection: 'keep-alive', isKept: false });
  child.kill('SIGTERM');
  await vi.waitFor(() => expect(log()).toContain('finishing requests in flight'));
  expect(await post({ port, agent })).toEqual({ body: 'answered', connection: 'close', isKept: true });
  await expect(post({ port, agent })).rejects.toThrow('ECONNREFUSED');
  expect(await ended).toEqual([0, null]);
});

test('finishes work that a request in flight left after its response', async () => {
  const { child, port, ended, log } = await startServing();
  const requested = once(child, 'message');
  const answer = post({ port, path: '/behind', agent: false });
  await requested;
  child.kill('SIGTERM');
  await vi.waitFor(() => expect(log()).toContain('finishing requests in flight'));
  child.send('answer');
  expect((await answer).body).toBe('answered');
  expect(await ended).toEqual([0, null]);
  expect(log()).toContain('The work behind the answer is done.');
});
