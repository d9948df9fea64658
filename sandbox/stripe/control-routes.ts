import { z } from 'zod';
import { json, type Reply, seeOther } from '../http/reply';
import { type GatewayRequest, readFields, wantsPage } from '../http/request';
import type { Handler, Route } from '../http/router';
import { controlsSchema } from './controls';
import { StripeError } from './errors';
import type { StripeGateway } from './gateway';
import { completeLater, decline, expire, failLater, type Outcome, pay, payLater } from './outcomes';
import type { SessionRecord } from './records';
import { summaryOf } from './summary';

const force = z.object({ force: z.union([z.boolean(), z.stringbool()]).default(false) });
const order = z.object({ order: z.enum(['as_made', 'reversed']).default('as_made') });

/** What decides a session from outside the hosted page. */
export function stripeControlRoutes(gateway: StripeGateway): Route[] {
  const decide = (name: string, run: (session: SessionRecord, request: GatewayRequest) => Outcome | boolean): Route => [
    'POST',
    `/controls/stripe/sessions/:id/${name}`,
    guarded((request) => decided(gateway, request, run)),
  ];
  return [
    ['GET', '/sessions', () => json(200, gateway.state.sessions.map((one) => summaryOf(gateway, one)).reverse())],
    ['GET', '/controls/stripe', () => json(200, gateway.controls)],
    ['POST', '/controls/stripe', guarded((request) => setControls(gateway, request))],
    decide('pay', (session, request) => pay(gateway, session, force.parse(readFields(request)).force)),
    decide('pay-later', (session) => payLater(gateway, session)),
    decide('fail', (session) => decline(gateway, session)),
    decide('complete-async', (session) => completeLater(gateway, session)),
    decide('fail-async', (session) => failLater(gateway, session)),
    decide('expire', (session) => expire(gateway, session)),
    [
      'POST',
      '/controls/stripe/sessions/:id/deliver',
      guarded(async (request) => {
        const session = gateway.session(request.params.id ?? '');
        const sent = await gateway.postOffice.deliver(session.id, order.parse(readFields(request)).order);
        return done(request, { deliveries: sent });
      }),
    ],
    [
      'POST',
      '/controls/stripe/sessions/:id/redeliver',
      guarded(async (request) => {
        const session = gateway.session(request.params.id ?? '');
        const events = gateway.store.state.deliveries.events.filter((event) => event.subjectId === session.id);
        return done(request, { deliveries: await gateway.postOffice.redeliver(events, gateway.controls.signature) });
      }),
    ],
    [
      'POST',
      '/controls/stripe/events/:id/redeliver',
      guarded(async (request) => {
        const event = gateway.store.state.deliveries.events.find((one) => one.id === request.params.id);
        if (!event) return json(404, { error: { message: `No event ${request.params.id}` } });
        return done(request, { deliveries: await gateway.postOffice.redeliver([event], gateway.controls.signature) });
      }),
    ],
  ];
}

async function setControls(gateway: StripeGateway, request: GatewayRequest): Promise<Reply> {
  const changes = controlsSchema.partial().parse(readFields(request));
  gateway.controls = { ...gateway.controls, ...changes };
  return done(request, gateway.controls);
}

async function decided(
  gateway: StripeGateway,
  request: GatewayRequest,
  run: (session: SessionRecord, request: GatewayRequest) => Outcome | boolean,
): Promise<Reply> {
  const session = gateway.session(request.params.id ?? '');
  const outcome = run(session, request);
  await gateway.store.save();
  if (!outcome) {
    const message = `The session is ${session.status} and ${session.paymentStatus}: this cannot happen to it any more`;
    return json(409, { error: { message }, session: summaryOf(gateway, session) });
  }
  if (outcome !== true) await outcome.beforeReturn;
  return done(request, { session: summaryOf(gateway, session), event: outcome === true ? null : outcome.eventId });
}

/** A program gets the JSON; a person's form goes back to the page it stands on. */
function done(request: GatewayRequest, value: unknown): Reply {
  return wantsPage(request) ? seeOther('/') : json(200, value);
}

function guarded(run: (request: GatewayRequest) => Promise<Reply>): Handler {
  return async (request) => {
    try {
      return await run(request);
    } catch (error) {
      if (error instanceof StripeError) return json(error.status, { error: error.body });
      if (error instanceof z.ZodError) return json(400, { error: { message: z.prettifyError(error) } });
      throw error;
    }
  };
}
