import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/access/actor';
import {
  addBlockedDomains,
  blockListBody,
  getBlockList,
  listBlockedDomains,
  parseDomainList,
  removeBlockedDomains,
  saveBlockList,
} from '@/lib/projects/block-list';
import { findBlocked } from '@/lib/projects/blocked-domains';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';

let buyer: Actor;
let projectId: string;
beforeEach(async () => {
  buyer = await makeUser();
  projectId = await makeProject(buyer);
});

describe('a block list', () => {
  it('is replaced, extended and reduced, for all projects and for one apart', async () => {
    expect(await saveBlockList(buyer, null, ['one.com', 'two.com'])).toBe(2);
    expect(await saveBlockList(buyer, null, ['two.com', 'three.com'])).toBe(1);
    expect(await addBlockedDomains(buyer, projectId, ['two.com', 'four.com'])).toBe(2);
    expect(await addBlockedDomains(buyer, projectId, ['four.com'])).toBe(0);
    expect((await getBlockList(buyer, null)).domains).toEqual(['three.com', 'two.com']);
    expect((await getBlockList(buyer, projectId)).domains).toEqual(['four.com', 'two.com']);
    const asked = ['one.com', 'two.com', 'three.com', 'four.com'];
    expect([...(await findBlocked({ accountId: buyer.userId }, asked))].sort()).toEqual(['three.com', 'two.com']);
    expect([...(await findBlocked({ accountId: buyer.userId, projectId }, asked))].sort()).toEqual([
      'four.com',
      'three.com',
      'two.com',
    ]);
    await removeBlockedDomains(buyer, projectId, ['two.com']);
    await removeBlockedDomains(buyer, null, null);
    expect(await listBlockedDomains(buyer, null, { q: '', limit: 10, offset: 0 })).toEqual({ rows: [], total: 0 });
    expect(await listBlockedDomains(buyer, projectId, { q: 'OUR', limit: 10, offset: 0 })).toMatchObject({
      rows: [{ domain: 'four.com' }],
      total: 1,
    });
    await addBlockedDomains(buyer, projectId, ['xn--mnchen-3ya.de']);
    expect((await listBlockedDomains(buyer, projectId, { q: 'https://münchen.de/', limit: 10, offset: 0 })).total).toBe(
      1,
    );
  });

  it('keeps each domain once when two requests add it, and loses none', async () => {
    await Promise.all([
      addBlockedDomains(buyer, null, ['a.com', 'b.com']),
      addBlockedDomains(buyer, null, ['b.com', 'c.com']),
    ]);
    expect((await getBlockList(buyer, null)).domains).toEqual(['a.com', 'b.com', 'c.com']);
  });

  it('belongs to its buyer only', async () => {
    const other = await makeUser();
    const missing = { code: 'not_found' };
    await expect(getBlockList(other, projectId)).rejects.toMatchObject(missing);
    await expect(saveBlockList(other, projectId, ['a.com'])).rejects.toMatchObject(missing);
    await expect(addBlockedDomains(other, projectId, ['a.com'])).rejects.toMatchObject(missing);
    await expect(removeBlockedDomains(other, projectId, null)).rejects.toMatchObject(missing);
    await saveBlockList(buyer, null, ['a.com']);
    expect(await findBlocked({ accountId: other.userId, projectId }, ['a.com'])).toEqual(new Set());
  });
});

describe('a list of domains', () => {
  it('is read from lines, addresses and the first column of a table', () => {
    const text =
      'Domain;Note\r\nHTTPS://www.Site.com/a?b=1;"x"\n\n"blog.example.de",2\nmünchen.de\nno domain\nsite.com\tagain\n127.0.0.1\n';
    expect(parseDomainList(text)).toEqual({
      domains: ['site.com', 'example.de', 'xn--mnchen-3ya.de'],
      skipped: [
        { row: 6, reason: 'This is not a domain.' },
        { row: 8, reason: 'This is not a domain.' },
      ],
    });
  });

  it('without a domain is refused, and only a known header is left out', () => {
    expect(() => parseDomainList('Domain\nno domain\n')).toThrow(/no domains/);
    expect(parseDomainList('no domain\nmy_blog.site.com')).toMatchObject({
      domains: ['site.com'],
      skipped: [{ row: 1 }],
    });
  });

  it('gives only what a block list accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { domains } = parseDomainList(`${text}\na.com`);
        expect(blockListBody.parse({ domains }).domains).toEqual(domains);
      }),
    );
  });
});
