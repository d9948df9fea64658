import { rotateSecretRoute } from '@/lib/developers/webhooks/routes';

export const POST = rotateSecretRoute('installation');
