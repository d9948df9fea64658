import { joinRoutes } from '@/lib/auth/route';
import {
  acceptChangeRoute,
  declineChangeRoute,
  deliverChangeRoute,
  repriceChangeRoute,
} from '@/lib/orders/order/change-routes';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  accept: { POST: acceptChangeRoute },
  decline: { POST: declineChangeRoute },
  deliver: { POST: deliverChangeRoute },
  reprice: { POST: repriceChangeRoute },
});
