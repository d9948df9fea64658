import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSamePage, normalizePageUrl } from '@/lib/links/compare-urls';

/** Facts of the URL standard: notations of one address. */
describe('two notations of one address are the same page', () => {
  it.each([
    ['http://example.com/', 'HTTP://EXAMPLE.com'],
    ['http://example.com/foo/bar', 'http://example.com/foo/./bar'],
    ['http://example.com/bar', 'http://example.com/foo/../bar'],
    ['http://example.com/bar', 'http://example.com/../../bar'],
    ['http://example.com/foo/', 'http://example.com/foo/bar/..'],
    ['http://example.com/foo', 'http://example.com/foo/%2e'],
    ['http://example.com/', 'http://example.com/foo/%2E%2e'],
    ['http://example.com/foo', 'http:\\\\example.com\\foo'],
    ['http://example.com/foo', '  http://example.com/foo \t'],
    ['http://example.com/foo', 'http://exa\nmple.com/f\too'],
    ['http://example.com/foo', 'http:///example.com/foo'],
    ['http://example.com/foo', 'http:example.com/foo'],
    ['http://example.com:80/', 'http://example.com:080/'],
    ['http://example.com/', 'http://example.com:/'],
    ['http://example.com/', 'https://example.com:443/'],
    ['http://example.com/a%20b', 'http://example.com/a b'],
    ['http://example.com/%C3%BC', 'http://example.com/ü'],
    ['http://example.com/%c3%bc', 'http://example.com/%C3%BC'],
    ['http://example.com/~user', 'http://example.com/%7Euser'],
    ['http://xn--fa-hia.com/', 'http://faß.com/'],
    ['http://xn--6qqa088eba.com/', 'http://你好你好.com/'],
    ['http://example.com/', 'http://ＥＸＡＭＰＬＥ.com/'],
    ['http://example.com/', 'http://%65xample.com/'],
    ['http://192.168.0.1/', 'http://0xc0a80001/'],
    ['http://[::1]/', 'http://[0:0:0:0:0:0:0:1]/'],
    ['http://example.com/?a=1&b=2', 'http://example.com/?b=2&a=1&'],
    ['http://example.com/', 'http://example.com/?'],
    ['http://example.com/', 'http://example.com.#top'],
    ['http://example.com/?a=1', 'http://www.example.com?a=1&utm_medium=x&UTM_Campaign=y&msclkid=z'],
  ])('%s and %s', (one, other) => {
    expect(isSamePage(one, other)).toBe(true);
  });
});

describe('two addresses are different pages', () => {
  it.each([
    ['http://example.com/a', 'http://example.com/A'],
    ['http://example.com/a', 'http://example.com/a/b'],
    ['http://example.com/a/b', 'http://example.com/a%2Fb'],
    ['http://example.com/?a=1', 'http://example.com/?a=2'],
    ['http://example.com/?a', 'http://example.com/'],
    ['http://example.com/', 'http://example.org/'],
    ['http://example.com/', 'http://blog.example.com/'],
    ['http://example.com/', 'http://example.com:8080/'],
    ['http://www.com/', 'http://com/'],
    ['http://example.com/', 'ftp://example.com/'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['', ''],
  ])('%s and %s', (one, other) => {
    expect(isSamePage(one, other)).toBe(false);
  });
});

const tracking = [
  'utm_source utm_medium utm_campaign utm_term utm_content utm_id utm_source_platform UTM_Source utm%5Fsource',
  '__utma __utmz gclid GCLID gclsrc gbraid wbraid dclid srsltid gad_source gad_campaignid _ga _gl _gcl_au ga_source',
  'fbclid fb_action_ids fb_source fb_ref igsh igshid twclid msclkid yclid ysclid _openstat ttclid li_fat_id',
  'epik rdt_cid ScCid sccid qclid ndclid guccounter guce_referrer ncid tblci dicbo erid rb_clickid',
  'irclickid irgwc ir_campaignid cjevent CJEVENT awc sscid tduid ranMID ranSiteID',
  'mtm_campaign mtm_cid matomo_campaign matomo_kwd piwik_campaign piwik_kwd pk_campaign pk_kwd pk_cpn pk_source pk_vid',
  '_hsenc _hsmi __hssc __hstc __hsfp hsCtaTracking hsa_acc hsa_cam hsa_kw mkt_tok mc_cid mc_eid mc_tc',
  'vero_id vero_conv _kx _ke __s ml_subscriber ml_subscriber_hash ck_subscriber_id vgo_ee _bhlid',
  'oly_anon_id oly_enc_id wickedid dm_i s_kwcid ef_id s_cid sc_cid xtor at_medium at_campaign at_custom1 at_recipient_id',
  'trk_contact trk_msg bsft_clkid sfmc_id wt_mc WT.mc_id cm_mmc cm_mmca1 elqTrackId _branch_match_id itm_source',
  'wprov ref_src mkevt mkwid pcrid zanpid tt_medium gdfms _pos _ss hootPostID',
  'mibextid hss_channel _cio_id cx_click pr_rec_id pd_rd_w pf_rd_p sc_uid ss_email_id __twitter_impression amp;utm_medium amp%3Butm_term',
].flatMap((line) => line.split(' '));

const content = [
  'id p page page_id paged post post_id product product_id variant sku color size lang locale country currency category',
  'cat c q s search query sort order filter view v tab tag ref source src from campaign cid aid lid uid sid t i a b x',
  'utmost utm autm_source my_utm_source utm_ pk pk_ pkg id_pk hs hsc _h hsa mtm mtmx matomo piwik epikk epi gad gadget',
  'gads gclid2 xgclid clid clickid fb fbid mc mc_id vero veroid kx _k ke_ openstat irc trk trkid tracking at at_customer',
  'at_id attribute_pa_color pos ss ref_url tt mk mkt token tok s_id sc sc_id dm wt wtx cm cx oly wicked_id sccid2 hs_id __h',
].flatMap((line) => line.split(' '));

describe('a parameter', () => {
  it.each(tracking)('%s only tracks, on both sides and in every place', (name) => {
    const page = 'http://example.com/a?id=5&Q=x';
    for (const address of [
      `a?${name}=Z&id=5&Q=x`,
      `a?id=5&${name}=1%20b&Q=x`,
      `a?id=5&Q=x&${name}`,
      `a/?Q=x&id=5&${name}=#y`,
    ]) {
      expect(isSamePage(page, `http://example.com/${address}`), address).toBe(true);
      expect(isSamePage(`http://example.com/${address}`, page), address).toBe(true);
    }
    expect(isSamePage('http://example.com', `http://example.com/?${name}=1`)).toBe(true);
    expect(isSamePage(page, `http://example.com/a?id=6&Q=x&${name}=1`)).toBe(false);
    // The name counts, not the value.
    expect(isSamePage('http://example.com/?id=5', `http://example.com/?id=${encodeURIComponent(name)}`)).toBe(false);
  });

  it.each(content)('%s selects the content', (name) => {
    expect(isSamePage('http://example.com/', `http://example.com/?${name}=1`)).toBe(false);
    expect(isSamePage(`http://example.com/?${name}=1`, `http://example.com/?${name}=2`)).toBe(false);
    expect(isSamePage(`http://example.com/?${name}=ab`, `http://example.com/?${name}=aB`)).toBe(false);
    expect(isSamePage(`http://example.com/?${name}=1`, `http://example.com/?${name}=1&utm_source=x`)).toBe(true);
  });

  it.each([
    ['?q=a+b', '?q=a%20b'],
    ['?q=a+b', '?q=a b'],
    ['?', ''],
    ['?&&', ''],
    ['?utm_source=x', ''],
    ['?a=1&b=2&', '?b=2&&a=1'],
    ['?a=1&b=3&a=2', '?b=3&a=1&a=2'],
    ['?i%64=5', '?id=5'],
    ['?ids=1,2', '?ids=1%2C2'],
    ['?filter[a]=x', '?filter%5Ba%5D=x'],
    ['?url=https://a.com/b', '?url=https%3A%2F%2Fa.com%2Fb'],
    ['?q=%c3%bc', '?q=ü'],
    ['?q=it%27s', "?q=it's"],
  ])('is written in two ways: %s and %s', (one, other) => {
    expect(isSamePage(`http://example.com/${one}`, `http://example.com/${other}`)).toBe(true);
  });

  it.each([
    ['?a=1&a=2', '?a=2&a=1'],
    ['?a=1', '?a=1&a=1'],
    ['?a[]=1&a[]=2', '?a[]=2&a[]=1'],
    ['?ID=5', '?id=5'],
    ['?q=a%2Bb', '?q=a+b'],
    ['?q=a%26b', '?q=a&b'],
    ['?q=a%3Db', '?q=a=b'],
    ['?q=%2523', '?q=%23'],
    ['?q=%E9', '?q=%E8'],
    ['?a=b', '?ab'],
  ])('has two values: %s and %s', (one, other) => {
    expect(isSamePage(`http://example.com/${one}`, `http://example.com/${other}`)).toBe(false);
  });
});

describe('the comparison', () => {
  const value = fc.string({ maxLength: 8 }).map(encodeURIComponent);
  const pairs = fc.array(fc.tuple(fc.constantFrom(...content), value), { maxLength: 5 });
  const join = (list: (readonly [string, string])[]) =>
    `http://example.com/?${list.map((pair) => pair.join('=')).join('&')}`;

  it('ignores every tracking parameter, wherever it is added', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(...tracking), value, fc.nat(5), (list, name, added, place) => {
        const longer = [...list.slice(0, place), [name, added] as const, ...list.slice(place)];
        expect(normalizePageUrl(join(longer))).toBe(normalizePageUrl(join(list)));
      }),
    );
  });

  it('sees every other parameter that is added, removed or changed', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(...content), value, value, (list, name, one, other) => {
        expect(normalizePageUrl(join([...list, [name, one]]))).not.toBe(normalizePageUrl(join(list)));
        const isEqual =
          normalizePageUrl(join([...list, [name, one]])) === normalizePageUrl(join([...list, [name, other]]));
        expect(isEqual).toBe(decodeURIComponent(one) === decodeURIComponent(other));
      }),
    );
  });

  it('ignores what trackers and browsers add to any address, and nothing else', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.webFragments(), (url, fragment) => {
        const [plain = ''] = url.split('#');
        const joined = `${plain}${plain.includes('?') ? '&' : '?'}utm_source=x&fbclid=y#${fragment}`;
        expect(isSamePage(url, joined)).toBe(true);
        expect(isSamePage(url, new URL(url).href)).toBe(true);
        expect(isSamePage(url, `${plain}${plain.includes('?') ? '&' : '?'}added=1`)).toBe(false);
      }),
    );
  });

  it('is stable: the normal form is its own normal form', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const normal = normalizePageUrl(url);
        expect(normalizePageUrl(`http://${normal}`)).toBe(normal);
      }),
    );
  });

  it('never fails, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        normalizePageUrl(text);
        normalizePageUrl(`http://example.com/${text}`);
      }),
    );
  });
});
