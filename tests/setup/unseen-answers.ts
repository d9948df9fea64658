import { methods, type OpenApiDocument } from '@/lib/platform/openapi/document';

/** Its largest file is larger than a test should send; tests/domain sends less against smaller limits. */
const form = 'multipart/form-data';

/**
 * What depends on other machines and on settings of the whole installation, which these tests share: tests/faults, held
 * to the same document, and tests/domain provoke it.
 */
const ofOthers = ['500', '502', '503', '507'];

/**
 * The documented answers that are not among `seen`.
 * @param seen lines "GET /api/orders 200"
 */
export function unseenAnswers(document: OpenApiDocument, seen: ReadonlySet<string>): string[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    methods.flatMap((method) =>
      Object.entries(operations[lowercase(method)]?.responses ?? {})
        .filter(([status]) => !ofOthers.includes(status))
        .filter(([status]) => !(status === '413' && operations[lowercase(method)]?.requestBody?.content[form]))
        .map(([status]) => `${method} ${path} ${status}`)
        .filter((line) => !seen.has(line)),
    ),
  );
}

const lowercase = <Name extends string>(name: Name) => name.toLowerCase() as Lowercase<Name>;
