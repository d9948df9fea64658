import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';

const addressSchema = z.object({ port: z.number() });

test('a request that a proxy sends into a kept connection while the process ends is answered, as its last', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'serve.ts')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  let log = '';
  child.stdout?.on('data', (chunk) => {
    log += String(chunk);
  });
  const { port } = addressSchema.parse((await once(child, 'message'))[0]);
  const proxy = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = async () => {
    const sent = request({ port, agent: proxy, method: 'POST' }).end();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.once('error', reject);
    });
    return { body: await text(answer), connection: answer.headers.connection, isKept: sent.reusedSocket };
  };
  expect(await post()).toEqual({ body: 'answered', connection: 'keep-alive', isKept: false });
  child.kill('SIGTERM');
  await vi.waitFor(() => expect(log).toContain('requests in flight are finished'));
  expect(await post()).toEqual({ body: 'answered', connection: 'close', isKept: true });
  await expect(post()).rejects.toThrow('ECONNREFUSED');
  expect(await exited).toEqual([0, null]);
});
