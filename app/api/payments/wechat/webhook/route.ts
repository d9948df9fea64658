import { NextResponse } from 'next/server';
import { z } from 'zod';
import { readBytes } from '@/lib/http/read-body';
import { route } from '@/lib/http/route';
import { handleWebhook } from '@/lib/topups/handle-webhook';

const maxBytes = 1024 * 1024;
const failure = z.object({ error: z.string() });

const take = route(
  {
    access: 'public',
    summary: "Takes WeChat Pay's notifications.",
    answer: { mediaTypes: [] },
    status: 204,
    errors: ['invalid_input', 'too_large', 'not_configured'],
    errorShape: z.object({ code: z.literal('FAIL'), message: z.string() }),
    proof: 'signature',
  },
  async ({ request, ip, requestId }) => {
    await handleWebhook('wechat', { raw: await readBytes(request, maxBytes), headers: request.headers, ip, requestId });
    return new NextResponse(null, { status: 204 });
  },
);

/** Public, but signed. WeChat Pay takes 204 for yes, and a failure only in its own shape. */
const takeOrFail: (...call: Parameters<typeof take>) => Promise<Response> = async (request, context) => {
  const answer = await take(request, context);
  if (answer.ok) return answer;
  const { error } = failure.parse(await answer.json());
  return NextResponse.json({ code: 'FAIL', message: error }, { status: answer.status, headers: answer.headers });
};
export const POST = Object.assign(takeOrFail, { declaration: take.declaration });
