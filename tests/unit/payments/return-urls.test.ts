import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { topupReturnUrls } from '@/lib/payments/top-ups/create';

const id = '01kabcdefgh0123456789jkmnp';
const page = 'http://localhost:3000/user/wallet';
const urlsFor = (returnUrl: string, cancelUrl?: string) =>
  topupReturnUrls({ returnUrl, cancelUrl }, id, 'http://localhost:3000');

describe('where a provider sends the buyer back to', () => {
  it.each(['/user/wallet', page, 'HTTP://LOCALHOST:3000/user/wallet', `${page}#top`])('takes %s', (given) => {
    expect(urlsFor(given)).toEqual({
      successUrl: `${page}?success=1&topup=${id}`,
      cancelUrl: `${page}?cancelled=1&topup=${id}`,
    });
  });

  it('keeps the page’s own parameters and replaces the marks', () => {
    const urls = urlsFor('/user/wallet?q=refund&success=1&topup=12.34&session_id=x');
    expect(urls.successUrl).toBe(`${page}?q=refund&success=1&topup=${id}`);
    expect(urls.cancelUrl).toBe(`${page}?q=refund&cancelled=1&topup=${id}`);
  });

  it('goes to another page without a payment when asked to, and only to one of ours', () => {
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
  ])('refuses %j', (given) => {
    expect(() => urlsFor(given)).toThrow(AppError);
  });
});
