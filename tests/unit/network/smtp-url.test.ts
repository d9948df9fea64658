import { describe, expect, it } from 'vitest';
import { parseSmtpUrl, smtpTls } from '@/lib/network/smtp-url';

const ca = 'certificate';
const tlsOf = (url: string, settings: { ca?: string; isUnverifiedAllowed?: boolean } = {}) =>
  smtpTls(parseSmtpUrl(url), { ca: settings.ca, isUnverifiedAllowed: settings.isUnverifiedAllowed ?? false });

describe('TLS to an SMTP server', () => {
  it('on another machine is required and verified', () => {
    for (const host of ['mail.example.com', '10.0.0.5', '[fd00::1]', 'localhost.example.com']) {
      expect(tlsOf(`smtp://${host}`)).toEqual({ secure: false, requireTLS: true, tls: { rejectUnauthorized: true } });
      expect(tlsOf(`smtps://${host}`)).toEqual({ secure: true, requireTLS: false, tls: { rejectUnauthorized: true } });
    }
  });

  it('is optional and unverified on loopback, or where ALLOW_UNVERIFIED_TLS allows it', () => {
    const optional = { secure: false, requireTLS: false, tls: { rejectUnauthorized: false } };
    for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(tlsOf(`smtp://${host}`)).toEqual(optional);
    expect(tlsOf('smtp://mail.example.com', { isUnverifiedAllowed: true })).toEqual(optional);
    expect(tlsOf('smtps://mail.example.com', { isUnverifiedAllowed: true })).toEqual({ ...optional, secure: true });
  });

  it('is verified everywhere with SMTP_CA', () => {
    const verified = { secure: false, requireTLS: true, tls: { rejectUnauthorized: true, ca } };
    expect(tlsOf('smtp://localhost', { ca })).toEqual(verified);
    expect(tlsOf('smtp://mail.example.com', { ca, isUnverifiedAllowed: true })).toEqual(verified);
  });
});
