import * as oauthProtectedResourceApiMcp from '@/app/.well-known/oauth-protected-resource/api/mcp/route';
import * as oauthProtectedResource from '@/app/.well-known/oauth-protected-resource/route';
import * as adminEvents from '@/app/api/admin/events/route';
import * as adminWebhooksIdDeliveriesDeliveryIdRetry from '@/app/api/admin/webhooks/[id]/deliveries/[deliveryId]/retry/route';
import * as adminWebhooksIdDeliveries from '@/app/api/admin/webhooks/[id]/deliveries/route';
import * as adminWebhooksIdRotate from '@/app/api/admin/webhooks/[id]/rotate/route';
import * as adminWebhooksId from '@/app/api/admin/webhooks/[id]/route';
import * as adminWebhooksIdTest from '@/app/api/admin/webhooks/[id]/test/route';
import * as adminWebhooks from '@/app/api/admin/webhooks/route';
import * as events from '@/app/api/events/route';
import * as tokensId from '@/app/api/tokens/[id]/route';
import * as tokens from '@/app/api/tokens/route';
import * as webhooksIdDeliveriesDeliveryIdRetry from '@/app/api/webhooks/[id]/deliveries/[deliveryId]/retry/route';
import * as webhooksIdDeliveries from '@/app/api/webhooks/[id]/deliveries/route';
import * as webhooksIdRotate from '@/app/api/webhooks/[id]/rotate/route';
import * as webhooksId from '@/app/api/webhooks/[id]/route';
import * as webhooksIdTest from '@/app/api/webhooks/[id]/test/route';
import * as webhooks from '@/app/api/webhooks/route';
import type { RouteModules } from '@/lib/platform/openapi/document';
import * as openapiJson from './route';

/** The paths of the API's own document, API tokens, events and webhook endpoints: a part of `paths`. */
export const developerPaths: RouteModules = {
  '/.well-known/oauth-protected-resource': oauthProtectedResource,
  '/.well-known/oauth-protected-resource/api/mcp': oauthProtectedResourceApiMcp,
  '/api/openapi.json': openapiJson,
  '/api/admin/webhooks': adminWebhooks,
  '/api/admin/webhooks/[id]': adminWebhooksId,
  '/api/admin/webhooks/[id]/deliveries': adminWebhooksIdDeliveries,
  '/api/admin/webhooks/[id]/deliveries/[deliveryId]/retry': adminWebhooksIdDeliveriesDeliveryIdRetry,
  '/api/admin/webhooks/[id]/rotate': adminWebhooksIdRotate,
  '/api/admin/webhooks/[id]/test': adminWebhooksIdTest,
  '/api/webhooks': webhooks,
  '/api/webhooks/[id]': webhooksId,
  '/api/webhooks/[id]/deliveries': webhooksIdDeliveries,
  '/api/webhooks/[id]/deliveries/[deliveryId]/retry': webhooksIdDeliveriesDeliveryIdRetry,
  '/api/webhooks/[id]/rotate': webhooksIdRotate,
  '/api/webhooks/[id]/test': webhooksIdTest,
  '/api/tokens': tokens,
  '/api/tokens/[id]': tokensId,
  '/api/admin/events': adminEvents,
  '/api/events': events,
};
