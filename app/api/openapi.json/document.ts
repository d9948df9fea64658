import { sessionCookieName } from '@/lib/auth/session-token';
import { env } from '@/lib/env';
import { type OpenApiDocument, openApiDocument } from '@/lib/platform/openapi/document';
import { addresses } from './addresses';

let made: OpenApiDocument | undefined;

/** The OpenAPI document of this installation; made once. */
export function installedDocument(): OpenApiDocument {
  made ??= openApiDocument(addresses, { serverUrl: env().APP_URL, cookieName: sessionCookieName() });
  return made;
}
