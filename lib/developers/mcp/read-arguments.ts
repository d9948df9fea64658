import type { JsonSchema } from '@/lib/platform/openapi/json-schema';
import type { Tool } from './describe-tool';

type Arguments = Readonly<Record<string, unknown>>;

const kindNames = {
  array: 'a list',
  object: 'an object',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  null: 'null',
} as const;
type Kind = keyof typeof kindNames;

/**
 * Reads the arguments of a call as the tool's schema has them. Models also send the JSON text of a value, and one value
 * where a list is due; both are read. Other values of another type are refused by name, because a filter that equals no
 * record would answer an empty list. Null and an empty text count as absent where the schema does not accept them.
 * @returns the values by name, or why they are refused
 */
export function readArguments(
  tool: Pick<Tool, 'inputSchema' | 'places'>,
  args: Arguments,
): { values: Arguments } | { refusal: string } {
  const { properties, $defs = {} } = tool.inputSchema;
  const refusals = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [name, place] of tool.places) {
    const reading = { definitions: $defs, isInUrl: place.in !== 'body', refuse: (text: string) => refusals.add(text) };
    const value = readValue(properties[name] ?? {}, args[name], name, reading);
    if (value !== undefined) values[name] = value;
  }
  return refusals.size > 0 ? { refusal: [...refusals].join('\n') } : { values };
}

type Reading = {
  definitions: Readonly<Record<string, JsonSchema>>;
  /** Whether the value becomes text in the URL or a header: numbers are accepted as texts, and lists are no texts. */
  isInUrl: boolean;
  /** Whether the value is an item of a list, which cannot be absent. */
  isItem?: boolean;
  refuse: (text: string) => void;
};

/** Reads a value. @returns undefined for an absent one, and for one that was refused */
function readValue(schema: JsonSchema, input: unknown, path: string, reading: Reading): unknown {
  const choices = resolveChoices(schema, reading.definitions);
  const kinds = new Set(choices.flatMap(kindsOf));
  if (kinds.size === 0 || input === undefined) return input;
  const list = choices.find(({ type }) => type === 'array');
  const accepts = (value: unknown) => kinds.has(kindOf(value));
  const value = typeof input === 'string' ? readText(input, kinds, reading.isInUrl, list?.items) : input;
  if (value === notJson) {
    reading.refuse(`${path}: The text is not valid JSON. Send ${formatKinds(kinds)}.`);
    return undefined;
  }
  if (!accepts(value) && !reading.isItem && (value === null || value === '')) return undefined;
  if (reading.isInUrl && typeof value === 'number' && kinds.has('string')) return value;
  const fitting = accepts(value) || !list ? value : [value];
  if (!accepts(fitting)) {
    reading.refuse(`${path}: Send ${formatKinds(kinds)}.`);
    return undefined;
  }
  if (Array.isArray(fitting)) {
    return fitting.map((item) => readValue(list?.items ?? {}, item, path, { ...reading, isItem: true }));
  }
  if (typeof fitting !== 'object' || fitting === null) return fitting;
  const fields = Object.entries(fitting).map(([name, item]) => {
    const [field] = choices.flatMap(({ properties, additionalProperties: others }) => {
      const found = properties && Object.hasOwn(properties, name) ? properties[name] : others;
      return typeof found === 'object' ? [found] : [];
    });
    return [name, readValue(field ?? {}, item, `${path}.${name}`, { ...reading, isItem: false })];
  });
  return Object.fromEntries(fields);
}

const notJson = Symbol('not JSON');

/** Reads a text that stands for another value; returns it unchanged where a text is due. */
function readText(text: string, kinds: ReadonlySet<Kind>, isInUrl: boolean, items: JsonSchema | undefined): unknown {
  const isText = kinds.has('string');
  const isEncoded = /^\s*[[{"]/.test(text);
  if (isText && !(isEncoded && (isInUrl || kinds.has('array') || kinds.has('object')))) return text;
  const isNumbers = items?.type === 'integer' && /^\s*\d+(\s*,\s*\d+)+\s*$/.test(text);
  const parsed = parseJson(isNumbers ? `[${text}]` : text);
  if (parsed === notJson) return isEncoded && kinds.has('array') ? notJson : text;
  // A search may be for a phrase in quotes.
  return typeof parsed === 'string' && !kinds.has('array') ? text : parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}

/** Lists the alternatives of a schema, with its references resolved. */
function resolveChoices(schema: JsonSchema, definitions: Reading['definitions']): JsonSchema[] {
  const { $ref, anyOf, oneOf } = schema;
  if ($ref) return resolveChoices(definitions[$ref.split('/').at(-1) ?? ''] ?? {}, definitions);
  return (anyOf ?? oneOf)?.flatMap((choice) => resolveChoices(choice, definitions)) ?? [schema];
}

const kindsOf = ({ type = [] }: JsonSchema): Kind[] =>
  [type].flat().flatMap((name) => (name === 'integer' ? 'number' : isKind(name) ? name : []));

const isKind = (name: string): name is Kind => Object.hasOwn(kindNames, name);

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const name = typeof value;
  return isKind(name) ? name : 'string';
}

const formatKinds = (kinds: ReadonlySet<Kind>): string =>
  [...kinds]
    .filter((kind) => kind !== 'null')
    .map((kind) => kindNames[kind])
    .join(' or ');
