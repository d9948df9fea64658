import { paths } from '@/app/api/openapi.json/paths';
import { declaredEvents } from '@/lib/events/types';
import { createOpenApiDocument } from '@/lib/platform/openapi/document';

// Prints the OpenAPI document of these sources. openapi-document.ts runs it as a separate process, because tsx loads the
// route modules in a quarter of the time that Vitest needs.
const document = createOpenApiDocument(paths, {
  serverUrl: 'http://localhost',
  cookieName: 'linkmarket.session',
  webhooks: declaredEvents(),
});
process.stdout.write(JSON.stringify(document));
