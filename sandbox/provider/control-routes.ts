import { z } from 'zod';
import { ApiError } from '../http/api-error';
import { html, json, type Reply, seeOther } from '../http/reply';
import { type GatewayRequest, readFields, wantsPage } from '../http/request';
import type { Handler, Route } from '../http/router';
import { paymentPage } from '../pages/payment-page';
import { accountRoutes } from './account-routes';
import { controlsSchema } from './controls';
import type { Action, ProviderDesk } from './desk';

const order = z.object({ order: z.enum(['as_made', 'reversed']).default('as_made') });

/** What decides a provider's payments from outside their hosted pages, and how the provider behaves. */
export function controlRoutes(desk: ProviderDesk): Route[] {
  const { gateway } = desk;
  const { name, postOffice } = gateway;
  const base = `/controls/${name}`;
  const eventsAbout = (id: string) =>
    postOffice.events().filter((event) => event.provider === name && event.subjectId === id);

  return [
    ['GET', base, () => json(200, gateway.controls)],
    ['POST', base, guarded((request) => setControls(desk, request))],
    [
      'GET',
      `/sessions/${name}/:id`,
      guarded(async (request) => {
        const payment = desk.payment(request.params.id ?? '');
        return wantsPage(request) ? html(200, paymentPage(payment, postOffice)) : json(200, payment);
      }),
    ],
    [
      'POST',
      `${base}/sessions/:id/deliver`,
      guarded(async (request) => {
        const { id } = desk.payment(request.params.id ?? '');
        const sent = await postOffice.deliver(name, id, order.parse(readFields(request)).order);
        return done(request, pageOf(desk, id), { deliveries: sent });
      }),
    ],
    [
      'POST',
      `${base}/sessions/:id/redeliver`,
      guarded(async (request) => {
        const { id } = desk.payment(request.params.id ?? '');
        const sent = await postOffice.redeliver(eventsAbout(id), gateway.controls.signature);
        return done(request, pageOf(desk, id), { deliveries: sent });
      }),
    ],
    [
      'POST',
      `${base}/events/:id/redeliver`,
      guarded(async (request) => {
        const event = postOffice.events().find((one) => one.id === request.params.id);
        if (!event) return json(404, { error: { message: `No event ${request.params.id}` } });
        const sent = await postOffice.redeliver([event], gateway.controls.signature);
        return done(request, '/deliveries', { deliveries: sent });
      }),
    ],
    ...accountRoutes(desk),
    ...Object.entries(desk.actions).map(
      ([action, run]): Route => [
        'POST',
        `${base}/sessions/:id/${action}`,
        guarded((request) => decided(desk, request, run)),
      ],
    ),
  ];
}

async function setControls({ gateway }: ProviderDesk, request: GatewayRequest): Promise<Reply> {
  const changes = controlsSchema.partial().parse(readFields(request));
  gateway.controls = { ...gateway.controls, ...changes };
  return done(request, `/#${gateway.name}`, gateway.controls);
}

async function decided(desk: ProviderDesk, request: GatewayRequest, run: Action): Promise<Reply> {
  const id = request.params.id ?? '';
  const before = desk.payment(id);
  const outcome = run(id, readFields(request));
  await desk.gateway.store.save();
  if (!outcome) {
    const message = `The payment is ${before.status}: this cannot happen to it any more`;
    return json(409, { error: { message }, session: before });
  }
  await outcome.beforeReturn;
  const { eventIds } = outcome;
  return done(request, pageOf(desk, id), { session: desk.payment(id), event: eventIds[0] ?? null, events: eventIds });
}

function pageOf({ gateway }: ProviderDesk, id: string): string {
  return `/sessions/${gateway.name}/${encodeURIComponent(id)}`;
}

/** A program gets the JSON; a person's form leads to the page that shows what it did. */
function done(request: GatewayRequest, page: string, value: unknown): Reply {
  return wantsPage(request) ? seeOther(page) : json(200, value);
}

function guarded(run: (request: GatewayRequest) => Promise<Reply>): Handler {
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
