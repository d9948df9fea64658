import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  briefDraftKey,
  emptyBrief,
  readBriefDraft,
  removeBriefDraft,
  toBriefRequest,
  writeBriefDraft,
} from '@/components/orders/brief-draft';
import { preservePreferences } from '@/components/shell/browser-storage';
import { orderBriefFields, requireValidBriefs } from '@/lib/orders/briefs/schemas';

afterEach(() => vi.unstubAllGlobals());

/** localStorage with these entries. */
function storageWith(entries: Record<string, string> = {}) {
  const stored = new Map(Object.entries(entries));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  return stored;
}
const empty = (subject: string) => ({ subject, projectId: '', common: {} });
const key = briefDraftKey('ann', 'site');

it('keeps a draft across a reload, for its user, way and subject only', () => {
  storageWith();
  const draft = { subject: '12', projectId: 'p', common: { anchor: 'spades' } };
  writeBriefDraft(key, draft);
  expect(readBriefDraft(key, '12')).toEqual(draft);
  expect(readBriefDraft(key, '13')).toEqual(empty('13'));
  expect(readBriefDraft(briefDraftKey('bob', 'site'), '12')).toEqual(empty('12'));
  expect(readBriefDraft(briefDraftKey('ann', 'package'), '12')).toEqual(empty('12'));
  removeBriefDraft(key);
  expect(readBriefDraft(key, '12')).toEqual(empty('12'));
});

it('is deleted at sign-out, which keeps the theme', async () => {
  const stored: Record<string, string> = { [key]: '{}', theme: 'dark', other: 'x' };
  const methods = {
    getItem: (name: string) => stored[name] ?? null,
    setItem: (name: string, value: string) => Object.assign(stored, { [name]: value }),
    removeItem: (name: string) => Reflect.deleteProperty(stored, name),
  };
  vi.stubGlobal(
    'localStorage',
    new Proxy(stored, { get: (_, name) => Reflect.get(methods, name) ?? stored[String(name)] }),
  );
  await preservePreferences(async () => Reflect.deleteProperty(stored, 'theme'));
  expect(stored).toEqual({ theme: 'dark', other: 'x' });
});

it.each(['', 'nonsense', '7', '[]', '{"subject":""}', '{"subject":"","projectId":7}'])(
  'ignores the stored text %j',
  (text) => {
    storageWith({ [key]: text });
    expect(readBriefDraft(key, '')).toEqual(empty(''));
  },
);

it('ignores fields that are unknown or no text', () => {
  storageWith({
    [key]: JSON.stringify({ ...empty(''), common: { anchor: 'spades', words: 7, evil: 'x' }, sites: {} }),
  });
  expect(readBriefDraft(key, '')).toEqual({ ...empty(''), common: { anchor: 'spades' } });
});

it('converts texts to a request that the server accepts', () => {
  expect(toBriefRequest(emptyBrief)).toEqual({
    targetUrl: '',
    anchor: '',
    writer: 'seller',
    words: null,
    notes: '',
    notBefore: null,
    rel: 'any',
  });
  const notBefore = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const edited = { words: '900', notBefore, writer: 'buyer', articleId: 'a', articleFileName: 'a.md' };
  const brief = toBriefRequest(edited);
  expect(brief).toEqual({ words: 900, notBefore, writer: 'buyer', articleId: 'a' });
  const parsed = z.object(orderBriefFields).parse({ brief, briefs: { '7': toBriefRequest(emptyBrief) } });
  requireValidBriefs(parsed, [7]);
  expect(parsed.brief).toEqual(brief);
});

it('sends no article while the seller writes, and an invalid number as it is', () => {
  expect(toBriefRequest({ writer: 'seller', articleId: 'a' })).toEqual({ writer: 'seller' });
  expect(toBriefRequest({ articleId: '' })).toEqual({ articleId: null });
  expect(toBriefRequest({ words: '1e3' })).toEqual({ words: '1e3' });
});
