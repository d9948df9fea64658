import { methods, type OpenApiDocument } from '@/lib/platform/openapi/document';

/** Its maximum file size is too large for a test; tests/domain covers it with smaller limits. */
const form = 'multipart/form-data';

/**
 * Responses that depend on other machines and on settings of the whole installation, which these tests share.
 * tests/faults, validated against the same document, and tests/domain cover them.
 */
const ofOthers = ['500', '502', '503', '507'];

/** A maximum of the installation, which the tests share: reaching it would refuse the requests of others. */
const ofInstallation = ['POST /api/admin/webhooks 409'];

/**
 * The documented responses that are not in `seen`.
 * @param seen lines "GET /api/orders 200"
 */
export function listUnseenResponses(document: OpenApiDocument, seen: ReadonlySet<string>): string[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    methods.flatMap((method) =>
      Object.entries(operations[lowercase(method)]?.responses ?? {})
        .filter(([status]) => !ofOthers.includes(status))
        .filter(([status]) => !(status === '413' && operations[lowercase(method)]?.requestBody?.content[form]))
        .map(([status]) => `${method} ${path} ${status}`)
        .filter((line) => !seen.has(line) && !ofInstallation.includes(line)),
    ),
  );
}

const lowercase = <Name extends string>(name: Name) => name.toLowerCase() as Lowercase<Name>;
