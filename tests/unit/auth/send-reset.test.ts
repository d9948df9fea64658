import { afterEach, expect, it, vi } from 'vitest';
import { sendReset } from '@/components/auth/password-reset';

afterEach(() => vi.unstubAllGlobals());

it('treats a truncated response as no response', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
  vi.stubGlobal('fetch', async () => new Response(broken, { status: 500 }));
  await expect(sendReset('token', 'a new and long password')).rejects.toMatchObject({ name: 'ApiError', status: 0 });
});
