import 'server-only';
import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import {
  createEndpointBody,
  deliveriesQuery,
  deliveryParams,
  deliveryResponse,
  deliveryView,
  endpointParams,
  endpointResponse,
  endpointView,
  eventResponse,
  eventsQuery,
  eventView,
  newEndpointResponse,
  replayBody,
  rotatedResponse,
  updateEndpointBody,
} from './contract';
import { createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './endpoints';
import { listDeliveries, listEndpoints, listEvents } from './queries';
import type { Scope } from './rights';
import { replayEvent, retryDelivery, sendTest } from './send-now';

/** The routes are the same for the caller's own endpoints and for those of the installation. */
const nouns: Record<Scope, { endpoints: string; events: string }> = {
  own: { endpoints: "the caller's own webhook endpoints", events: "the caller's events" },
  installation: { endpoints: "the installation's webhook endpoints", events: "the installation's events" },
};

/**
 * API tokens need the scope `webhooks` for the caller's own, and the permission for those of the installation. They
 * cannot decide where events go, or receive a secret: a stolen token would keep receiving events after its end.
 */
const guards = {
  own: { access: 'account:programs', scope: 'webhooks' },
  installation: { access: 'ManageSettings' },
} as const;

export const listEndpointsRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Lists ${nouns[scope].endpoints}, newest first.`,
      response: z.array(endpointResponse),
    },
    async ({ actor }) => (await listEndpoints(actor, scope)).map((row) => endpointView(row)),
  );

export const createEndpointRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      recentAuthentication: true,
      summary: `Creates one of ${nouns[scope].endpoints}. Its signing secret is returned once.`,
      response: newEndpointResponse,
      status: 201,
      body: createEndpointBody,
      errors: ['conflict', 'not_configured', 'rate_limited'],
    },
    ({ actor, body }) => createEndpoint(actor, scope, body),
  );

export const updateEndpointRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Changes one of ${nouns[scope].endpoints}, or turns it on or off.`,
      response: endpointResponse,
      params: endpointParams,
      body: updateEndpointBody,
      errors: ['not_found', 'not_configured', 'rate_limited', 'reauthentication_required'],
    },
    ({ actor, params, body }) => updateEndpoint(actor, scope, params.id, body),
  );

export const deleteEndpointRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Deletes one of ${nouns[scope].endpoints} with its log.`,
      params: endpointParams,
      errors: ['not_found'],
    },
    ({ actor, params }) => deleteEndpoint(actor, scope, params.id),
  );

export const testEndpointRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Sends the event webhook.test to one of ${nouns[scope].endpoints}, and returns the result.`,
      response: deliveryResponse,
      params: endpointParams,
      errors: ['not_found', 'not_configured', 'rate_limited'],
    },
    ({ actor, params }) => sendTest(actor, scope, params.id),
  );

export const rotateSecretRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      recentAuthentication: true,
      summary: `Gives one of ${nouns[scope].endpoints} a new signing secret, which is returned once.`,
      description: 'For 24 hours, messages are also signed with the previous secret.',
      response: rotatedResponse,
      params: endpointParams,
      errors: ['not_found', 'not_configured', 'rate_limited'],
    },
    ({ actor, params }) => rotateSecret(actor, scope, params.id),
  );

export const listDeliveriesRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Lists the deliveries of one of ${nouns[scope].endpoints} with their attempts, newest first.`,
      response: z.array(deliveryResponse),
      responseHeaders: { 'X-Next-Cursor': 'The `cursor` of the next page; omitted on the last one.' },
      params: endpointParams,
      query: deliveriesQuery,
      errors: ['not_found'],
    },
    async ({ actor, params, query }) => {
      const { rows, next } = await listDeliveries(actor, scope, params.id, query);
      return NextResponse.json(rows.map(deliveryView), { headers: next ? { 'X-Next-Cursor': next } : {} });
    },
  );

export const replayEventRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Sends an event to one of ${nouns[scope].endpoints}, for the first time or again, and returns the result.`,
      response: deliveryResponse,
      params: endpointParams,
      body: replayBody,
      errors: ['not_found', 'not_configured', 'rate_limited'],
    },
    ({ actor, params, body }) => replayEvent(actor, scope, params.id, body.eventId),
  );

export const retryDeliveryRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Sends a delivery of one of ${nouns[scope].endpoints} again, and returns the result.`,
      response: deliveryResponse,
      params: deliveryParams,
      errors: ['not_found', 'not_configured', 'rate_limited'],
    },
    ({ actor, params }) => retryDelivery(actor, scope, params.id, params.deliveryId),
  );

export const listEventsRoute = (scope: Scope) =>
  route(
    {
      ...guards[scope],
      summary: `Lists ${nouns[scope].events} of the last 30 days, oldest first.`,
      description: 'To continue, send the id of the last event as `after`. New events appear within seconds.',
      response: z.array(eventResponse),
      query: eventsQuery,
      errors: ['unprocessable'],
    },
    async ({ actor, query }) =>
      (await listEvents(actor, scope, query)).flatMap((row) => {
        const event = eventResponse.safeParse(eventView(row));
        // A type of another version is left out.
        return event.success ? [event.data] : [];
      }),
  );
