import { joinRoutes } from '@/lib/auth/route';
import { rotateSecretRoute, testEndpointRoute } from '@/lib/developers/webhooks/routes';

export const { GET, POST } = joinRoutes({
  rotate: {
    POST: rotateSecretRoute('own'),
  },
  test: {
    POST: testEndpointRoute('own'),
  },
});
