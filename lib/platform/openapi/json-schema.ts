import { z } from 'zod';

/** JSON Schema, draft 2020-12, as OpenAPI 3.1 takes it: plain JSON. */
export type JsonSchema = {
  type?: string | string[];
  format?: string;
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  additionalProperties?: JsonSchema | boolean;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  $ref?: string;
};

/**
 * The JSON Schema of a zod schema: of what may be sent ('input'), or of what is answered ('output', with no property
 * beyond those it names). What has a title becomes a component of its own and is referred to.
 * @param components takes the titled schemas
 * @throws Error when two different schemas have one title
 */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: json }) => {
      // The format says it; and that a number is one that JavaScript counts exactly goes without saying.
      if (json.format) delete json.pattern;
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    },
  });
  const { $schema: _, ...plain } = JSON.parse(JSON.stringify(made));
  return withReferences(plain, components);
}

function withReferences(node: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const children = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inside(value, components)]));
  const { title } = node;
  if (typeof title !== 'string') return children;
  const known = components[title];
  if (known && JSON.stringify(known) !== JSON.stringify(children)) {
    throw new Error(`Two different schemas are called ${title}.`);
  }
  components[title] = children;
  return { $ref: `#/components/schemas/${title}` };
}

function inside(value: unknown, components: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => inside(item, components));
  return typeof value === 'object' && value !== null ? withReferences(value, components) : value;
}
