import { route } from '@/lib/auth/route';
import { securityText } from '@/lib/settings/security-text';

export const GET = route(
  {
    access: 'public',
    summary: 'Where to report a vulnerability of this installation (RFC 9116).',
    description: 'Not found when neither SECURITY_CONTACT nor the support address of Branding is set.',
    answer: { mediaTypes: ['text/plain'] },
    errors: ['not_found'],
  },
  async () => new Response(await securityText(), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
);
