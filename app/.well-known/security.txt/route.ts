import { route } from '@/lib/auth/route';
import { createSecurityTxt } from '@/lib/settings/branding/security-txt';

export const GET = route(
  {
    access: 'public',
    summary: 'Returns the contact for reporting vulnerabilities of this installation (RFC 9116).',
    description: 'Not found if neither SECURITY_CONTACT nor the support address under Branding is set.',
    response: { mediaTypes: ['text/plain'] },
    errors: ['not_found'],
  },
  async () => new Response(await createSecurityTxt(), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
);
