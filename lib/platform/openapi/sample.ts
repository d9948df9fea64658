import type { JsonSchema } from './json-schema';

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
};

/**
 * Creates a value of a schema as a starting point for a request: the required fields, and of a union the first
 * alternative.
 */
export function createSample(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const { $ref, enum: choices, type, format, items, properties = {}, required = [] } = schema;
  if ($ref) return createSample(components[$ref.split('/').at(-1) ?? ''] ?? {}, components);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (choices) return choices[0];
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative) return createSample(alternative, components);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, createSample(properties[name] ?? {}, components)]));
    case 'array':
      return items ? [createSample(items, components)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return formats[format ?? ''] ?? '';
  }
}
