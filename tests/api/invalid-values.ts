import { z } from 'zod';

const schemaShape = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  get anyOf() {
    return z.array(schemaShape).optional();
  },
});
type Schema = z.output<typeof schemaShape>;

/** What the schema does not say about parameters, by their name. */
const byName: Readonly<Record<string, readonly string[]>> = {
  cursor: ['nonsense', 'next.', 'next.A', 'last.1', 'next.1;2', '-1'],
  type: ['nonsense'],
};

const notIntegers = ['abc', '1.5', '5.0', '1e3', '0x10', '+1', '1,000', '٣', 'NaN', '9007199254740993'];
const notDays = [
  ...['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2100-02-29', '20260101', '2026-1-1', '01/02/2026'],
  ...['2026-01-01T00:00:00Z', '0000-01-01', 'yesterday', '1767225600'],
];
const notOfPattern = ['abc', '-1', '1e3', '0x10', '1.2.3', '2026-13', '2026-1', '١', '1,,2', ',', '$5', '5%'];

/**
 * Returns queries in which a parameter is invalid by its schema in the OpenAPI document: a value that it excludes, text
 * that cannot be stored, brackets, and a repetition unless it accepts a list.
 */
export function invalidValues(name: string, given: unknown): string[] {
  const schema = schemaShape.parse(given);
  const choices = schema.anyOf ?? [schema];
  const isList = choices.some(({ type }) => type === 'array');
  const values = choices.flatMap((choice) => (choice.type === 'array' ? [] : excluded(choice)));
  const encode = (value: string) => `${name}=${encodeURIComponent(value)}`;
  return [
    ...[...values, ...(byName[name] ?? []), 'a\u0000'].map(encode),
    `${name}[]=1`,
    `${name}[x]=1`,
    ...(isList ? [] : [`${name}=1&${name}=1`]),
  ];
}

/** Lists values that a schema excludes. */
function excluded({ type, format, enum: choices, pattern, minimum, maximum, maxLength }: Schema): string[] {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return [
    ...(choices ? ['nonsense', `${choices[0]}x`, choices.slice(0, 2).join(','), '__proto__', ' '] : []),
    ...(format === 'date' ? notDays : []),
    ...(type === 'integer' ? notIntegers : []),
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined ? [] : [String(maximum + 1)]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(expression ? notOfPattern.filter((value) => !expression.test(value)) : []),
  ];
}
