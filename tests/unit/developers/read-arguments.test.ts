import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '@/lib/developers/mcp/describe-tool';
import { readArguments } from '@/lib/developers/mcp/read-arguments';

const text = { type: 'string', maxLength: 100 };
const id = { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] };

type Place = 'query' | 'body' | 'path';
function placed(place: Place, names: string[]): [string, { in: Place; name: string }][] {
  return names.map((name) => [name, { in: place, name }]);
}

/** A tool with fields in the query, as search_sites, and in the body, as quote_order. */
const tool: Pick<Tool, 'inputSchema' | 'places'> = {
  places: new Map([
    ...placed('query', ['niche', 'q', 'postType', 'minDr', 'ids', 'limit']),
    ...placed('body', ['siteIds', 'brief', 'briefs', 'text', 'grant', 'total', 'day', 'anyId', 'anything']),
    ...placed('path', ['projectId']),
  ]),
  inputSchema: {
    type: 'object',
    properties: {
      niche: { anyOf: [text, { type: 'array', items: text }] },
      ...{ q: text, postType: text, projectId: text, text, anything: {} },
      ...{ minDr: { type: 'number' }, limit: { type: 'integer' }, total: { type: 'integer' } },
      ids: { type: 'array', items: { type: 'integer' } },
      siteIds: { type: 'array', items: { type: 'integer' } },
      brief: { $ref: '#/$defs/Brief' },
      briefs: { type: 'object', additionalProperties: { $ref: '#/$defs/Brief' } },
      grant: { type: 'boolean' },
      day: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      anyId: id,
    },
    $defs: {
      Brief: {
        type: 'object',
        properties: { anchor: text, words: { type: 'integer' }, links: { type: 'array', items: text } },
      },
    },
  },
};

const read = (args: Record<string, unknown>) => readArguments(tool, args);

describe('an argument', () => {
  it.each<[string, unknown, unknown]>([
    // As the schema has it.
    ...['Travel', 'Law, Order', '5G', ['Travel', 'Pets'], []].map((value): [string, unknown, unknown] => [
      ...(['niche', value, value] as const),
    ]),
    ['minDr', 40, 40],
    ['day', null, null],
    ['brief', { anchor: '["x"]', words: 800 }, { anchor: '["x"]', words: 800 }],
    ['anything', '[1]', '[1]'],
    ['anyId', '303', '303'],
    ['anyId', 303, 303],
    // A text is not decoded where a text is due.
    ['text', '["Travel"]', '["Travel"]'],
    ['text', '{"a":1}', '{"a":1}'],
    ['text', '5', '5'],
    ['q', '"an exact phrase"', '"an exact phrase"'],
    ['q', '[guide] to shoes', '[guide] to shoes'],
    ['q', '2026', '2026'],
    ['q', 2026, 2026],
    // The JSON text of a value.
    ['niche', '["Travel","Pets"]', ['Travel', 'Pets']],
    ['niche', ' [ "Travel" ]\n', ['Travel']],
    ['niche', '"Travel"', 'Travel'],
    ['niche', '[]', []],
    ['siteIds', '[303]', [303]],
    ['siteIds', '["303", 304]', [303, 304]],
    ['ids', '[1,2]', [1, 2]],
    ['brief', '{"anchor":"tools","words":"800"}', { anchor: 'tools', words: 800 }],
    ['briefs', '{"303":{"anchor":"a"}}', { 303: { anchor: 'a' } }],
    ['briefs', { 303: '{"links":"[\\"a\\"]"}' }, { 303: { links: ['a'] } }],
    ['minDr', '40', 40],
    ['minDr', '12.5', 12.5],
    ['limit', ' 5 ', 5],
    ['total', '8000', 8_000],
    ['grant', 'true', true],
    ['grant', 'false', false],
    // One value where a list is due.
    ['siteIds', 303, [303]],
    ['siteIds', '303', [303]],
    ['siteIds', '303, 304', [303, 304]],
    ['ids', '1,2,3', [1, 2, 3]],
    ['brief', { links: 'a, b' }, { links: ['a, b'] }],
  ])('%s: %j is read as %j', (name, given, expected) => {
    expect(read({ [name]: given })).toEqual({ values: { [name]: expected } });
  });

  it.each<[string, unknown]>([
    ...['minDr', 'limit', 'siteIds', 'brief', 'grant', 'ids', 'total'].flatMap((name): [string, unknown][] => [
      [name, null],
      [name, ''],
      [name, 'null'],
    ]),
    ['niche', null],
    ['q', null],
    ['text', null],
    ['projectId', undefined],
  ])('%s: %j counts as absent', (name, given) => {
    expect(read({ [name]: given })).toEqual({ values: {} });
  });

  it.each<[string, unknown]>([
    ['niche', "['Travel','Pets']"],
    ['niche', '["Travel"'],
    ['niche', '{"in":["Travel"]}'],
    ['niche', { in: ['Travel'] }],
    ['niche', ['["Travel","Pets"]']],
    ['niche', [['Travel']]],
    ['niche', ['Travel', null]],
    ['niche', true],
    ['q', ['shoes']],
    ['q', '["shoes"]'],
    ['q', { text: 'shoes' }],
    ['postType', '["Guest posts"]'],
    ['postType', ['Guest posts', 'Homepage links']],
    ['projectId', ['a']],
    ['projectId', { id: 'a' }],
    ['minDr', 'forty'],
    ['minDr', '40+'],
    ['minDr', [40]],
    ['limit', true],
    ['ids', 'abc'],
    ['ids', '[1,'],
    ['siteIds', 'example.com'],
    ['siteIds', '[303'],
    ['siteIds', { id: 303 }],
    ['siteIds', [303, null]],
    ['siteIds', ['']],
    ['brief', 'anchor: tools'],
    ['brief', '[]'],
    ['brief', { words: 'many' }],
    ['briefs', { 303: 'tools' }],
    ['grant', 'yes'],
    ['grant', 1],
    ['text', { text: 'x' }],
  ])('%s: %j is refused by its name', (name, given) => {
    expect(read({ [name]: given })).toEqual({ refusal: expect.stringMatching(new RegExp(`^${name}[.:]`)) });
  });

  it('that is any list of texts is read from its JSON text as from itself', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }).filter((item) => !/^\s*[[{]/.test(item))), (list) => {
        expect(read({ niche: JSON.stringify(list) })).toEqual(read({ niche: list }));
      }),
    );
  });

  it('that is any JSON value is read or refused, and never becomes another argument', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tool.places.keys()), fc.jsonValue(), (name, value) => {
        const found = read({ [name]: value });
        expect('refusal' in found || Object.keys(found.values).every((one) => one === name)).toBe(true);
      }),
    );
  });
});
