import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paymentProviders } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import type { handleWebhook } from '@/lib/payments/webhooks/webhook-route';

/** Handles a notification as `handleWebhook` does. */
export type TakeNotification = (...given: Parameters<typeof handleWebhook>) => Promise<void>;

const webhookPath = /^\/api\/payments\/(stripe|paypal|wechat)\/webhook$/;

/** Forwards requests to app/api/payments/…/webhook as those routes do, without Next.js. */
export async function startWebhookReceiver(
  take: TakeNotification,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const provider = paymentProviders.find((name) => name === webhookPath.exec(request.url ?? '')?.[1]);
    if (!provider) throw new Error(`No webhook at ${request.url}`);
    const pairs = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const notification = { raw: Buffer.concat(chunks), headers: new Headers(pairs), ip: '', requestId: newId() };
    const status = await take(provider, notification).then(
      () => 200,
      (thrown: unknown) => (thrown instanceof AppError ? thrown.status : 500),
    );
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
