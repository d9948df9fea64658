import { joinRoutes } from '@/lib/auth/route';
import { rotateSecretRoute, testEndpointRoute } from '@/lib/developers/webhooks/routes';

export const { GET, POST } = joinRoutes({
  rotate: {
    POST: rotateSecretRoute('installation'),
  },
  test: {
    POST: testEndpointRoute('installation'),
  },
});
