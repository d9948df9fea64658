import { NextResponse } from 'next/server';
import { z } from 'zod';
import { readBytes } from '@/lib/http/read-body';
import { route } from '@/lib/http/route';
import { handleWebhook } from '@/lib/topups/handle-webhook';

const maxBytes = 1024 * 1024;
const failure = z.object({ error: z.string() });

const take = route({ access: 'public' }, async ({ request, ip, requestId }) => {
  await handleWebhook('wechat', { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
  return new NextResponse(null, { status: 204 });
});

/** Public, but signed. WeChat Pay takes 204 for yes, and a failure only in its own shape. */
export const POST: typeof take = async (request, context) => {
  const answer = await take(request, context);
  if (answer.ok) return answer;
  const { error } = failure.parse(await answer.json());
  return NextResponse.json({ code: 'FAIL', message: error }, { status: answer.status, headers: answer.headers });
};
