import { methods, type OpenApiDocument } from '@/lib/openapi/document';

/** What any address may answer when a machine is in trouble: tests/faults provokes it, not for each address. */
const ofTrouble = ['500', '507'];

/**
 * The documented answers that are not among `seen`.
 * @param seen lines "GET /api/orders 200"
 */
export function unseenAnswers(document: OpenApiDocument, seen: ReadonlySet<string>): string[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    methods.flatMap((method) =>
      Object.entries(operations[lowercase(method)]?.responses ?? {})
        .filter(([status, { description }]) => !ofTrouble.includes(status) && !isOfTheDatabase(status, description))
        .map(([status]) => `${method} ${path} ${status}`)
        .filter((line) => !seen.has(line)),
    ),
  );
}

/** 503 for a database that is away; where an address has more reasons for it, the others are told first. */
function isOfTheDatabase(status: string, description: string): boolean {
  return status === '503' && description.startsWith('The database');
}

const lowercase = <Name extends string>(name: Name) => name.toLowerCase() as Lowercase<Name>;
