import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { topupReturnUrls } from '@/lib/payments/top-ups/create';

const id = '01kabcdefgh0123456789jkmnp';
const page = 'http://localhost:3000/user/wallet';
const appOrigin = 'http://localhost:3000';
const urlsFor = (returnUrl: string, cancelUrl?: string, origin = appOrigin) =>
  topupReturnUrls({ returnUrl, cancelUrl }, id, [origin, appOrigin]);

describe('the return URLs of a checkout', () => {
  it.each(['/user/wallet', page, 'HTTP://LOCALHOST:3000/user/wallet', `${page}#top`])('accept %s', (given) => {
    expect(urlsFor(given)).toEqual({
      successUrl: `${page}?success=1&topup=${id}`,
      cancelUrl: `${page}?cancelled=1&topup=${id}`,
    });
  });

  it('lead to the origin where the payment began, and may name the one of APP_URL', () => {
    const here = 'http://127.0.0.1:3000';
    expect(urlsFor('/user/wallet', undefined, here).successUrl).toBe(`${here}/user/wallet?success=1&topup=${id}`);
    expect(urlsFor(`${here}/user/wallet`, `${appOrigin}/user`, here)).toEqual({
      successUrl: `${here}/user/wallet?success=1&topup=${id}`,
      cancelUrl: `${appOrigin}/user?cancelled=1&topup=${id}`,
    });
    expect(() => urlsFor('http://127.0.0.2:3000/user/wallet', undefined, here)).toThrow(AppError);
  });

  it("keep the page's own parameters and replace the result markers", () => {
    const urls = urlsFor('/user/wallet?q=refund&success=1&topup=12.34&session_id=x');
    expect(urls.successUrl).toBe(`${page}?q=refund&success=1&topup=${id}`);
    expect(urls.cancelUrl).toBe(`${page}?q=refund&cancelled=1&topup=${id}`);
  });

  it('open the account that is topped up, for a buyer with several', () => {
    const pages = { returnUrl: '/user/wallet?account=other', cancelUrl: '/user' };
    expect(topupReturnUrls(pages, id, [appOrigin], 'team-1')).toEqual({
      successUrl: `${page}?account=team-1&success=1&topup=${id}`,
      cancelUrl: `http://localhost:3000/user?cancelled=1&topup=${id}&account=team-1`,
    });
  });

  it('may lead to another page of the app, but no other site, after a cancellation', () => {
    const urls = urlsFor('/user/wallet', '/user?token=EC-1&PayerID=X');
    expect(urls).toEqual({
      successUrl: `${page}?success=1&topup=${id}`,
      cancelUrl: `http://localhost:3000/user?cancelled=1&topup=${id}`,
    });
    expect(() => urlsFor('/user/wallet', 'https://evil.example.com/')).toThrow(AppError);
  });

  it.each([
    'https://evil.example.com/user/wallet',
    'http://localhost:3001/user/wallet',
    'https://localhost:3000/user/wallet',
    'http://localhost:3000@evil.example.com/',
    'http://user:pass@localhost:3000/user/wallet',
    '//evil.example.com/user/wallet',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    '/\t/evil.example.com',
    ' /user/wallet',
    '/user/wallet\n',
    'user/wallet',
    'javascript:alert(1)',
    'data:text/html,x',
    'http:/evil.example.com',
    'http:localhost:3000/user/wallet',
    'http://[',
    '',
  ])('reject %j', (given) => {
    expect(() => urlsFor(given)).toThrow(AppError);
  });
});
