import { z } from 'zod';
import { ApiError } from '@/sandbox/http/api-error';
import { html, json, type Reply, seeOther } from '@/sandbox/http/reply';
import { acceptsHtml, type GatewayRequest, readFields } from '@/sandbox/http/request';
import type { Handler, Route } from '@/sandbox/http/router';
import { accountRoutes } from '@/sandbox/provider/account-routes';
import type { Action, ProviderConsole } from '@/sandbox/provider/console';
import { controlsSchema } from '@/sandbox/provider/controls';
import { paymentPage } from './payment-page';

const order = z.object({ order: z.enum(['as_made', 'reversed']).default('as_made') });

/** Returns the controls of a provider: actions on its payments, and its behavior. */
export function controlRoutes(providerConsole: ProviderConsole): Route[] {
  const { gateway } = providerConsole;
  const { name, webhookQueue } = gateway;
  const base = `/controls/${name}`;
  const eventsAbout = (id: string) =>
    webhookQueue.events().filter((event) => event.provider === name && event.subjectId === id);

  return [
    ['GET', base, () => json(200, gateway.controls)],
    ['POST', base, handleErrors((request) => setControls(providerConsole, request))],
    [
      'GET',
      `/sessions/${name}/:id`,
      handleErrors(async (request) => {
        const payment = providerConsole.payment(request.params.id ?? '');
        return acceptsHtml(request) ? html(200, paymentPage(payment, webhookQueue)) : json(200, payment);
      }),
    ],
    [
      'POST',
      `${base}/sessions/:id/deliver`,
      handleErrors(async (request) => {
        const { id } = providerConsole.payment(request.params.id ?? '');
        const sent = await webhookQueue.deliver(name, id, order.parse(readFields(request)).order);
        return respond(request, getPaymentPath(providerConsole, id), { deliveries: sent });
      }),
    ],
    [
      'POST',
      `${base}/sessions/:id/redeliver`,
      handleErrors(async (request) => {
        const { id } = providerConsole.payment(request.params.id ?? '');
        const sent = await webhookQueue.redeliver(eventsAbout(id), gateway.controls.signature);
        return respond(request, getPaymentPath(providerConsole, id), { deliveries: sent });
      }),
    ],
    [
      'POST',
      `${base}/events/:id/redeliver`,
      handleErrors(async (request) => {
        const event = webhookQueue.events().find((one) => one.id === request.params.id);
        if (!event) return json(404, { error: { message: `No event ${request.params.id}` } });
        const sent = await webhookQueue.redeliver([event], gateway.controls.signature);
        return respond(request, '/deliveries', { deliveries: sent });
      }),
    ],
    ...accountRoutes(providerConsole),
    ...Object.entries(providerConsole.actions).map(
      ([action, run]): Route => [
        'POST',
        `${base}/sessions/:id/${action}`,
        handleErrors((request) => runAction(providerConsole, request, run)),
      ],
    ),
  ];
}

async function setControls({ gateway }: ProviderConsole, request: GatewayRequest): Promise<Reply> {
  const changes = controlsSchema.partial().parse(readFields(request));
  gateway.controls = { ...gateway.controls, ...changes };
  return respond(request, `/#${gateway.name}`, gateway.controls);
}

async function runAction(providerConsole: ProviderConsole, request: GatewayRequest, run: Action): Promise<Reply> {
  const id = request.params.id ?? '';
  const before = providerConsole.payment(id);
  const outcome = run(id, readFields(request));
  await providerConsole.gateway.store.save();
  if (!outcome) {
    const message = `The payment is ${before.status}: this action is no longer possible`;
    return json(409, { error: { message }, session: before });
  }
  await outcome.beforeReturn;
  const { eventIds } = outcome;
  return respond(request, getPaymentPath(providerConsole, id), {
    session: providerConsole.payment(id),
    event: eventIds[0] ?? null,
    events: eventIds,
  });
}

function getPaymentPath({ gateway }: ProviderConsole, id: string): string {
  return `/sessions/${gateway.name}/${encodeURIComponent(id)}`;
}

/** Responds with JSON, or redirects a browser's form to the page with the result. */
function respond(request: GatewayRequest, page: string, value: unknown): Reply {
  return acceptsHtml(request) ? seeOther(page) : json(200, value);
}

function handleErrors(run: (request: GatewayRequest) => Promise<Reply>): Handler {
  return async (request) => {
    try {
      return await run(request);
    } catch (error) {
      if (error instanceof ApiError) return json(error.status, { error: { message: error.message } });
      if (error instanceof z.ZodError) return json(400, { error: { message: z.prettifyError(error) } });
      throw error;
    }
  };
}
