import { NextResponse } from 'next/server';
import { z } from 'zod';
import { joinRoutes, route } from '@/lib/auth/route';
import { receiveNotification, signedNotification, webhookRoute } from '@/lib/payments/webhooks/webhook-route';

const failure = z.object({ error: z.string() });

const take = route(
  {
    ...signedNotification('wechat'),
    response: { mediaTypes: [] },
    status: 204,
    errorShape: z.object({ code: z.literal('FAIL'), message: z.string() }),
  },
  async (call) => {
    await receiveNotification('wechat', call);
    return new NextResponse(null, { status: 204 });
  },
);

/** Responds in WeChat Pay's format: 204 on success, `{code, message}` on failure. */
const takeOrFail: (...call: Parameters<typeof take>) => Promise<Response> = async (request, context) => {
  const response = await take(request, context);
  if (response.ok) return response;
  const { error } = failure.parse(await response.json());
  return NextResponse.json({ code: 'FAIL', message: error }, { status: response.status, headers: response.headers });
};

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  paypal: { POST: webhookRoute('paypal') },
  stripe: { POST: webhookRoute('stripe') },
  wechat: { POST: Object.assign(takeOrFail, { declaration: take.declaration }) },
});
