import { sessionCookieName } from '@/lib/auth/session-token';
import { env } from '@/lib/env';
import { createOpenApiDocument, type OpenApiDocument } from '@/lib/platform/openapi/document';
import { paths } from './paths';

let made: OpenApiDocument | undefined;

/** Returns the OpenAPI document of this installation, created once. */
export function installedDocument(): OpenApiDocument {
  made ??= createOpenApiDocument(paths, { serverUrl: env().APP_URL, cookieName: sessionCookieName() });
  return made;
}
