import { joinRoutes } from '@/lib/auth/route';
import {
  listDeliveriesRoute,
  replayEventRoute,
  rotateSecretRoute,
  testEndpointRoute,
} from '@/lib/developers/webhooks/routes';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  rotate: { POST: rotateSecretRoute('own') },
  test: { POST: testEndpointRoute('own') },
  deliveries: { GET: listDeliveriesRoute('own'), POST: replayEventRoute('own') },
});
