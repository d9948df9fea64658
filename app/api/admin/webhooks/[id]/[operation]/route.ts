import { joinRoutes } from '@/lib/auth/route';
import {
  listDeliveriesRoute,
  replayEventRoute,
  rotateSecretRoute,
  testEndpointRoute,
} from '@/lib/developers/webhooks/routes';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  rotate: { POST: rotateSecretRoute('installation') },
  test: { POST: testEndpointRoute('installation') },
  deliveries: { GET: listDeliveriesRoute('installation'), POST: replayEventRoute('installation') },
});
